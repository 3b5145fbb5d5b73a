"""Replies are untrusted: about thirty recorded forms, good and bad, and every prefix of a good one."""

from __future__ import annotations

import json

import pytest

from repair.model.reply import EXPLANATION, ModelReply, Reply, Unusable, make_plain, read_reply

UPDATE = {"kind": "update", "target": "name.lower()", "replacement": "(name or '').lower()"}
GOOD = {"explanation": "name may be None", "edits": [UPDATE], "imports": []}
TEXT = json.dumps(GOOD, indent=1)


def reply(**changes: object) -> str:
    return json.dumps({**GOOD, **changes})


def edit(**changes: object) -> str:
    return reply(edits=[{**UPDATE, **changes}])


USABLE = {
    "plain": TEXT,
    "spaces around": f"\n\n  {TEXT}\n ",
    "fenced json": f"Here is the change:\n\n```json\n{TEXT}\n```\n\nIt guards.",
    "fenced without a language": f"```\n{TEXT}\n```",
    "fenced with crlf": f"```json\r\n{TEXT}\r\n```\r\n",
    "fenced function": "Sure.\n```python\ndef greet(self, name):\n    return name\n```\n",
    "two edits": reply(edits=[UPDATE, {**UPDATE, "kind": "patch", "target": "text = 1"}]),
    "deletion": edit(kind="patch", replacement=""),
    "rewrite": edit(kind="rewrite", target="", replacement="def f():\n    pass"),
    "imports": reply(imports=["import math"]),
    "emoji as a pair of escapes": TEXT.replace("may be None", "\\ud83d\\ude00"),
    "fence inside a string": edit(replacement="'''\n```\n'''"),
}

BAD = {
    "empty": "",
    "blank": " \n\t ",
    "prose": "I would add a check for None.",
    "prose around bare json": f"The change: {TEXT}",
    "text after the object": TEXT + " Hope that helps!",
    "two objects": TEXT + TEXT,
    "two fences": f"```json\n{TEXT}\n```\nor\n```json\n{TEXT}\n```",
    "open fence": f"```json\n{TEXT}\n",
    "a list": f"[{TEXT}]",
    "a string": json.dumps(TEXT),
    "null": "null",
    "no edits key": json.dumps({"explanation": "", "imports": []}),
    "no edits": reply(edits=[]),
    "nine edits": reply(edits=[UPDATE] * 9),
    "six imports": reply(imports=["import math"] * 6),
    "an unknown key": reply(files=["other.py"]),
    "an unknown key in an edit": edit(path="other.py"),
    "an unknown kind": edit(kind="delete_file"),
    "a number for a text": edit(replacement=3),
    "null for a text": edit(target=None),
    "edits as an object": reply(edits=UPDATE),
    "no target": edit(target="  "),
    "no replacement": edit(replacement="\n"),
    "two rewrites": reply(edits=[{**UPDATE, "kind": "rewrite"}] * 2),
    "a rewrite and an update": reply(edits=[{**UPDATE, "kind": "rewrite"}, UPDATE]),
    "a key twice": TEXT.replace('"imports"', '"edits": [], "imports"'),
    "a key twice in an edit": TEXT.replace('"target"', '"replacement": "x", "target"'),
    "lone surrogate": TEXT.replace("may be", "\\ud800"),
    "lone surrogate in the edit": edit(replacement="'\udfff'"),
    "null character": edit(replacement="a\0b"),
    "huge": edit(replacement="x" * 70_000),
    "deep": "[" * 30_000,
    "not a number": reply().replace('"imports": []', '"imports": [], "score": NaN'),
    "single quotes": str(GOOD),
}


@pytest.mark.parametrize("text", USABLE.values(), ids=USABLE.keys())
def test_usable_forms(text):
    assert isinstance(read_reply(ModelReply(text)), Reply)


@pytest.mark.parametrize("text", BAD.values(), ids=BAD.keys())
def test_unusable_forms(text):
    read = read_reply(ModelReply(text))
    assert isinstance(read, Unusable)
    assert read.reason
    assert len(read.reason) < 300


@pytest.mark.parametrize("text", [TEXT, json.dumps(GOOD), f"```json\n{TEXT}\n```"], ids=["indented", "flat", "fenced"])
def test_every_prefix_of_a_good_reply_is_refused(text):
    assert isinstance(read_reply(ModelReply(text)), Reply)
    assert [n for n in range(len(text)) if isinstance(read_reply(ModelReply(text[:n])), Reply)] == []


@pytest.mark.parametrize(
    "finish", ["length", "max_output_tokens", "content_filter", "incomplete", "tool_calls", "\x1b[31m"]
)
def test_what_was_cut_off_is_refused_even_if_it_parses(finish):
    read = read_reply(ModelReply(TEXT, finish))
    assert isinstance(read, Unusable)
    assert "\x1b" not in read.reason


def test_a_refusal_is_told_bounded():
    read = read_reply(ModelReply(TEXT, refusal="I cannot\n\x1b[2Jhelp " + "x" * 5000))
    assert isinstance(read, Unusable)
    assert "I cannot" in read.reason
    assert "\x1b" not in read.reason
    assert len(read.reason) < 400


def test_the_explanation_is_one_bounded_line():
    read = read_reply(ModelReply(reply(explanation="one\r\ntwo \x1b]0;title\x07" + "x" * 9000)))
    assert isinstance(read, Reply)
    assert read.explanation.startswith("one two ]0;title")
    assert len(read.explanation) <= EXPLANATION


def test_plain_keeps_what_can_be_read():
    assert make_plain("Grüße,\tWelt ✓", 50) == "Grüße, Welt ✓"
    assert make_plain("abcdef", 4) == "abc…"


def test_the_schema_is_strict():
    schema = Reply.model_json_schema()
    objects = [schema, *schema["$defs"].values()]
    assert all(o["additionalProperties"] is False for o in objects)
    assert all(sorted(o["required"]) == sorted(o["properties"]) for o in objects)
