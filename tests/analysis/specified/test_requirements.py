"""Requirements in Markdown."""

import ast

import pytest

from analysis.specified.asserted import KnownFunction
from analysis.specified.fact_record import Predicate
from analysis.specified.requirements import read_requirements, requirement_facts
from analysis.stated.function import stated_functions


def ids(text):
    return [(each.id, each.text) for each in read_requirements(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- **REQ-1**: It shall sing.", [("REQ-1", "It shall sing.")]),
        ("1. [REQ-1] It shall\n   sing.", [("REQ-1", "It shall sing.")]),
        ("- [ ] AC-1.2: Given a bird, it sings.", [("AC-1.2", "Given a bird, it sings.")]),
        ("| REQ-1 | It shall sing. | high |", [("REQ-1", "It shall sing. high")]),
        ("## US-3: Song\n\nAs a bird, I want to sing.", [("US-3", "Song As a bird, I want to sing.")]),
        ("```\nREQ-1: It shall sing.\n```", []),
        ("- UTF-8: it must be used", []),
        ("- ABC-12: a ticket", []),
        ("- ABC-12: the bird must sing", [("ABC-12", "the bird must sing")]),
        ("Birds sing, see REQ-1.", []),
        ("- B-1: It shall sing.\n- B-2: It must fly.\n- B-3: it sleeps", ["B-1", "B-2", "B-3"]),
        ("- B-1: It shall sing.\n- B-3: it sleeps", ["B-1"]),
        ("| id | call | result |\n|---|---|---|\n| REQ-1 | `f(1)` | 2 |", [("REQ-1", "`f(1)` returns 2")]),
        ("| id | call | priority |\n|---|---|---|\n| REQ-1 | `f(1)` | 2 |", [("REQ-1", "`f(1)` 2")]),
    ],
)
def test_requirements(text, expected):
    found = ids(text)
    assert ([name for name, _ in found] if expected and isinstance(expected[0], str) else found) == expected


PROGRAM = """
def fee(days, rate=2.5): ...
def decode(text): ...
def encode(text): ...
"""
NAMED = {
    each.qualname: KnownFunction(f"a.py:{each.qualname}", each) for each in stated_functions("a.py", ast.parse(PROGRAM))
}


def said(sentence):
    facts = requirement_facts("a.md", f"- REQ-1: {sentence}", NAMED)
    return [fact.claim.removeprefix("a.py:") for fact in facts if fact.predicate is not Predicate.STATES]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The `rate` of `fee` defaults to 2.5.", ["fee(rate) default 2.5"]),
        ("`fee.rate` shall default to 2.5.", ["fee(rate) default 2.5"]),
        ("The `days` of `fee` must be between 1 and 365.", ["fee(days) range >= 1", "fee(days) range <= 365"]),
        ("The `days` of `fee` should be at most 9.", ["fee(days) range <= 9"]),
        ("The `rate` of `fee` must be one of `a`, `b`.", ["fee(rate) enum 'a', 'b'"]),
        ("`decode` shall be the inverse of `encode`.", ["decode roundtrip encode"]),
        ("`decode` shall be idempotent.", ["decode idempotent True"]),
        ("`fee` shall never raise `KeyError`.", ["fee never KeyError"]),
        ("The `days` of `fee` must be at most 9 on Sundays.", []),
        ("The `rate` of `fee` defaults to 2.5 on Sundays.", []),
        ("The `days` of `fee` must be at most 9 when it rains.", []),
        ("The `weeks` of `fee` must be at most 9.", []),
        ("`decode` shall be the inverse of `unknown`.", []),
        ("`decode` may be idempotent.", []),
    ],
)
def test_what_sentences_say_of_parameters_and_of_all_calls(sentence, expected):
    assert said(sentence) == expected


def test_a_sentence_with_shall_needs_no_id():
    (found,) = read_requirements("# Birds\n\nThe bird shall sing.\nLoudly.\n")
    assert found.id.startswith("R-")
    assert (found.line, found.end_line) == (3, 4)
