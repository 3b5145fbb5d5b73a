"""Replies are untrusted: a hundred answers, good and bad, in both forms, whole and cut at every byte."""

from __future__ import annotations

import pytest
from fakes import replies
from hypothesis import given
from hypothesis import strategies as st

from repair.model.blocks import string_open_after
from repair.model.read_reply import MOST_PROSE, read_reply
from repair.model.reply import EXPLANATION, Elsewhere, ModelReply, Reply, ReplyEdit, Unusable, UnusableKind, make_plain
from repair.model.reply_json import JsonReply

GOOD = {
    f"{form}, {name}": text
    for form in ("json", "blocks")
    for name, text in getattr(replies, f"GOOD_{form.upper()}").items()
}
BAD = {
    f"{form}, {name}": pair
    for form in ("json", "blocks")
    for name, pair in getattr(replies, f"BAD_{form.upper()}").items()
}
EVERY_BYTE = 4_000
"""Answers up to so many bytes are cut at each of them, longer ones at some two hundred."""


def read(text: str) -> Reply | Unusable:
    return read_reply(ModelReply(text))


def usable(text: str) -> Reply:
    found = read(text)
    assert isinstance(found, Reply), found
    return found


def effect(reply: Reply) -> object:
    """What a reply would do."""
    return reply.edits, reply.imports, reply.words, reply.elsewhere


def cuts(text: str) -> list[str]:
    """The text without its end, cut at each byte; a character that is cut in two is lost."""
    whole = text.encode("utf-8", "surrogatepass")
    step = 1 if len(whole) <= EVERY_BYTE else len(whole) // 200
    ends = {len(whole[:n].decode("utf-8", "ignore")) for n in range(0, len(whole), step)}
    half = any("\ud800" <= c <= "\udfff" for c in text)
    return [text[:n] for n in (range(len(text)) if half else sorted(ends))]


@pytest.mark.parametrize("text", GOOD.values(), ids=GOOD.keys())
def test_usable_forms(text):
    assert usable(text).edits or usable(text).words or usable(text).elsewhere


@pytest.mark.parametrize(("kind", "text"), BAD.values(), ids=BAD.keys())
def test_unusable_forms(kind, text):
    found = read(text)
    assert isinstance(found, Unusable)
    assert found.kind is UnusableKind(kind)
    assert found.reason
    assert len(found.reason) < 300
    assert found.reason.isprintable()


@pytest.mark.parametrize("text", GOOD.values(), ids=GOOD.keys())
def test_a_good_reply_that_is_cut_is_refused_or_says_the_same(text):
    whole = usable(text)
    for piece in cuts(text):
        found = read(piece)
        assert isinstance(found, Unusable) or effect(found) == effect(whole), piece


@pytest.mark.parametrize(("kind", "text"), BAD.values(), ids=BAD.keys())
def test_a_bad_reply_that_is_cut_is_refused(kind, text):
    assert [piece for piece in cuts(text) if isinstance(read(piece), Reply)] == []


@pytest.mark.parametrize("finish", ["length", "max_output_tokens", "incomplete", "tool_calls", "\x1b[31m"])
@pytest.mark.parametrize("text", [replies.TEXT, replies.PLAIN], ids=["json", "blocks"])
def test_what_was_cut_off_is_refused_even_if_it_reads(finish, text):
    found = read_reply(ModelReply(text, finish))
    assert isinstance(found, Unusable)
    assert found.kind is UnusableKind.CUT
    assert "\x1b" not in found.reason


def test_what_the_server_held_back_is_said():
    found = read_reply(ModelReply(replies.PLAIN, "content_filter"))
    assert isinstance(found, Unusable)
    assert found.kind is UnusableKind.FILTERED


def test_a_refusal_is_told_bounded():
    found = read_reply(ModelReply(replies.TEXT, refusal="I cannot\n\x1b[2Jhelp " + "x" * 5000))
    assert isinstance(found, Unusable)
    assert found.kind is UnusableKind.REFUSED
    assert "I cannot" in found.reason
    assert "\x1b" not in found.reason
    assert len(found.reason) < 400


def test_all_that_a_reply_may_hold():
    found = usable(replies.MANY)
    assert found.why == "The text is lowered before it is known to be one. It is asked for first."
    assert found.edits == (
        ReplyEdit("insert before", "s1", "", 'if name is None:\n    name = ""'),
        ReplyEdit("patch", "s2..s3", "", "if times > 1:\n    text = text * times"),
        ReplyEdit("update", "s4", "text", "text.strip()"),
    )
    assert found.imports == ("import math", "from os import path", "import re")
    assert found.words == ('name or ""', "times - 1", '"hello "')
    assert found.elsewhere == Elsewhere("greet/names.py", "Names.first", "it gives None for nobody")
    assert found.prose.startswith("Sure, here is what I found.")
    assert "The rest repeats the text:" in found.prose
    assert "I hope that this helps." in found.prose
    assert "text * times" not in found.prose


@pytest.mark.parametrize("name", ["elsewhere alone", "elsewhere with two colons"])
def test_another_function_is_named_with_its_file(name):
    assert usable(replies.GOOD_BLOCKS[name]).elsewhere == Elsewhere("shop/cart.py", "Cart.total", "it rounds too early")


def test_another_function_is_named_alone():
    found = usable(replies.GOOD_BLOCKS["elsewhere without a file"])
    assert found.elsewhere == Elsewhere("", "Cart.total", "it rounds too early")


@pytest.mark.parametrize("said", ["none", "no other function is at fault", "n/a", "-", "not here"])
def test_nothing_is_elsewhere_where_a_reply_says_so(said):
    assert usable(replies.PLAIN.replace("END", f"ELSEWHERE: {said}\nEND")).elsewhere is None


@pytest.mark.parametrize(
    ("head", "place", "old"),
    [
        ("update s7", "s7", ""),
        ("update s7.value", "s7.value", ""),
        ("update s7.items[0]", "s7.items[0]", ""),
        ("update s7 `n / 2`", "s7", "n / 2"),
        ("update s7.test `n / 2`", "s7.test", "n / 2"),
        ("update `n / 2`", "", "n / 2"),
        ("update: s7.value", "s7.value", ""),
        ("patch s7..s9", "s7..s9", ""),
        ("patch s7...s9", "s7..s9", ""),
        ("patch s7-s9", "s7..s9", ""),
        ("patch s7 – s9", "s7..s9", ""),
        ("insert before s7", "s7", ""),
        ("Insert-After S7", "s7", ""),
        ("rewrite greet", "", ""),
    ],
)
def test_the_head_of_a_block_says_what_and_where(head, place, old):
    (edit,) = usable(f"```python {head}\nx\n```\nEND").edits
    assert (edit.place, edit.old) == (place, old)
    assert head.lower().replace("-", " ").startswith(edit.kind)


def test_code_is_kept_as_it_came():
    code = '  x = """\n```\n   \\"""" \n\n\ty'
    (edit,) = usable(f"```python patch s1\n{code}\n```\nEND").edits
    assert edit.text == code


def test_a_block_within_a_list_loses_the_indentation_of_the_list():
    (edit,) = usable("- So:\n  ```python patch s1\n  if a:\n      b\n  ```\nEND").edits
    assert edit.text == "if a:\n    b"


def test_what_was_thought_is_kept_apart():
    found = read_reply(ModelReply("<think>\nEND. perhaps\n</think>\n" + replies.PLAIN, reasoning="first of all"))
    assert isinstance(found, Reply)
    assert found.reasoning == "first of all\n\nEND. perhaps"
    assert "perhaps" not in found.prose


def test_prose_and_explanation_are_bounded_and_printable():
    found = usable(replies.PLAIN.replace("name may", "one\x1b]0;title\x07 " + "x" * 9000))
    assert found.why.startswith("one ]0;title")
    assert len(found.why) <= EXPLANATION
    assert len(found.prose) <= MOST_PROSE
    assert "\x1b" not in found.prose


def test_what_cannot_be_used_keeps_its_prose():
    found = read(replies.PLAIN.replace("END", ""))
    assert isinstance(found, Unusable)
    assert "name may be None" in found.prose


def test_plain_keeps_what_can_be_read():
    assert make_plain("Grüße,\tWelt ✓", 50) == "Grüße, Welt ✓"
    assert make_plain("abcdef", 4) == "abc…"


def test_the_schema_is_strict():
    schema = JsonReply.model_json_schema()
    objects = [schema, *schema["$defs"].values()]
    assert all(o["additionalProperties"] is False for o in objects)
    assert all(sorted(o["required"]) == sorted(o["properties"]) for o in objects)


@pytest.mark.parametrize(
    ("line", "quote", "left"),
    [
        ("x = 1\n", "", ""),
        ('"""Doc.\n', "", '"""'),
        ('"""Doc."""\n', "", ""),
        ("end\"\"\" + '''\n", '"""', "'''"),
        ("# it's '''\n", "", ""),
        ("'it\\'s' '''\n", "", "'''"),
        ('\\"""\n', '"""', '"""'),
        ('"# no comment" """\n', "", '"""'),
        ("it's\n", "", ""),
    ],
)
def test_a_text_is_open_behind_a_line(line, quote, left):
    assert string_open_after(line, quote) == left


PIECES = st.sampled_from(
    [
        *("```", "````", "~~~", "python ", "update ", "patch ", "insert before ", "rewrite ", "s1", "s2..s3", ".value"),
        *("\n", "\r\n", "END.", "END", "WHY: ", "IMPORTS: ", "WORDS: ", "ELSEWHERE: ", "`", '"""', "'", "#", "\t", " "),
        *("x = 1", "{", "}", '"why"', "<think>", "</think>", "\ud800", "\0", "import os", "a.py:f because "),
    ]
)


@given(st.lists(PIECES | st.text(max_size=8), max_size=60).map("".join))
def test_whatever_comes_back_is_read_or_refused(text):
    whole = read(text)
    assert isinstance(whole, (Reply, Unusable))
    for n in range(len(text)):
        piece = read(text[:n])
        assert (
            isinstance(piece, Unusable)
            or (isinstance(whole, Reply) and effect(piece) == effect(whole))
            or (isinstance(whole, Unusable) and whole.kind is UnusableKind.CHARACTERS)
        )
