"""Likely wrong patches are programs that keep to the tested inputs, or to a part of the fix."""

from __future__ import annotations

from typing import Any

from fakes.behaviours import differs

from analysis.calls import CallInput, RecordedCall
from analysis.facts import TestId
from analysis.functions import functions_of
from corpora.lab.judging.wrong_patches import (
    Called,
    departing_calls,
    fences,
    mutate_fix,
    parts,
    plain_calls,
    special_cases,
)
from repair.records.functions import edit_scope
from transforms.tree.scope import EditScope

OLD = '''\
def grow(word, count):
    """Doc."""
    if count > 1:
        word = word + "x"
    step = 1
    return word * step
'''
FIXED = OLD.replace("count > 1", "count != 1").replace("step = 1", "step = 2")
CALLS = (Called((("word", "a"), ("count", 0)), "'axax'"), Called((("word", "bb"), ("count", 1)), "'bbbb'"))


def scope(source: str) -> EditScope:
    text = source.encode()
    return edit_scope((("m.py", text),), functions_of("m.py", text)[0].function)


def run(text: bytes, *args: Any) -> Any:
    names: dict[str, Any] = {}
    exec(text.decode(), names)
    return names["grow"](*args)


def test_special_cases_answer_tested_inputs_and_nothing_else():
    made = list(special_cases(scope(OLD), CALLS))
    assert [each.how for each in made] == ["special case", "special case"]
    for each in made:
        assert [run(each.text, "a", 0), run(each.text, "bb", 1)] == ["axax", "bbbb"]
        assert run(each.text, "c", 0) == run(OLD.encode(), "c", 0)
        assert b'"""Doc."""\n' in each.text


def test_without_results_there_is_no_special_case():
    assert not list(special_cases(scope(OLD), [Called((("word", "a"), ("count", 0)))]))


def test_fences_hold_the_fix_within_the_tested_bounds():
    made = {each.label: each.text for each in fences(scope(OLD), scope(FIXED), CALLS)}
    ranged = made["the fix for the tested range of count"]
    assert [run(ranged, "a", 0), run(ranged, "a", 5)] == ["axax", "ax"]
    longest = made["the fix for the longest tested word"]
    assert [run(longest, "aa", 0), run(longest, "aaa", 0)] == ["aaxaax", "aaa"]
    assert all(b"return None" not in text for text in made.values())


def test_generators_are_neither_fenced_nor_special_cased():
    source = scope("def grow(word, count):\n    yield word\n")
    assert not list(fences(source, source, CALLS))
    assert not list(special_cases(source, CALLS))


def test_parts_of_a_fix():
    made = {each.label: run(each.text, "a", 0) for each in parts(scope(OLD), scope(FIXED))}
    assert made == {
        "without piece 1 of 2": "aa",
        "only piece 1 of 2": "ax",
        "without piece 2 of 2": "ax",
        "only piece 2 of 2": "aa",
    }
    assert not list(parts(scope(OLD), scope(OLD.replace("> 1", "!= 1"))))


def test_mutants_are_of_the_fix():
    made = list(mutate_fix(scope(FIXED)))
    assert len(made) > 5
    assert all(each.how == "mutant" and each.label.startswith("line ") for each in made)


def test_calls_by_the_names_of_parameters():
    node = scope("def grow(self, word, count=1, *rest):\n    pass\n").node
    plain = RecordedCall(TestId("t"), CallInput("['a']", "{'count': 3}"), plain=True)
    odd = RecordedCall(TestId("t"), CallInput("[1, 2, 3]", "{}"), plain=True)
    opaque = RecordedCall(TestId("t"), CallInput("<object>", ""), plain=False)
    assert plain_calls([plain, plain, odd, opaque], node, True) == (Called((("word", "a"), ("count", 3))),)


def test_witnesses_that_are_literals_are_told():
    node = scope(OLD).node
    good = differs("grow('a', 0)", "returns 'axax'", "returns 'a'")
    bad = [
        differs("grow('a', 0)", "raises ValueError('no')", "returns 'a'"),
        differs("grow(<object>, 0)", "returns 1", "returns 2"),
        differs("grow('b', 0)", "returns 'aaa…", "returns 'a'"),
    ]
    assert departing_calls([*bad, good], node, False) == (Called((("word", "a"), ("count", 0)), "'axax'"),)
