"""Sentences that somebody maps to facts: what the quote bears out, and what it does not."""

import ast
from dataclasses import replace

import pytest

from analysis.specified.docstring_facts import docstring_facts
from analysis.specified.fact_record import Fact, KnownBy
from analysis.specified.mapped_sentences import MappingFault, ReadMapping, fact_of_mapping, open_sentences
from analysis.specified.requirements import requirement_facts
from analysis.stated.function import stated_functions

SHOP = '''
def fee(days, rate=2, name="x"):
    """Charge for a loan.

    A loan of zero
    days costs nothing and gives 0.
    """


def total(prices):
    """Add up. Raises ValueError if prices is empty."""


def undo(text):
    """Take it back."""
'''
PAGE = """# Fees

- REQ-1: The fee for a negative loan shall be refused with a `ValueError`.
- REQ-2: A rate below 0 must not be given; the rate must be at least 0.
- REQ-3: The `fee` shall return 12
  when days are 6.
- REQ-4: The fee shall not return 7.
- REQ-5: The fee may return 9.
- REQ-6: When it rains, the fee shall return 3.
- REQ-7: The fee for 3 days shall be 6. The total shall be sorted in descending order.
- REQ-8: `POST /loans` shall come back with 201 once it is stored.
- REQ-9: The name has to be one of 'x' or 'y'.
- REQ-10: The total shall be the same as what `undo` gives.
- REQ-11: The total never fails with KeyError.
- REQ-12: The rate is optional, and shall be 2 where it is left out.
- REQ-13: The total shall return an int or None.
- REQ-14: `undo` shall give back what total took.
"""


def project(shop=SHOP, page=PAGE):
    functions = {f"shop.py:{each.qualname}": each for each in stated_functions("shop.py", ast.parse(shop))}
    facts = [fact for each in functions.values() for fact in docstring_facts("shop.py", each)]
    facts += requirement_facts("req.md", page, {})
    return functions, list(open_sentences({"req.md": page}, functions, {"shop.py": shop}, tuple(facts)))


FUNCTIONS, SENTENCES = project()


def sentence(words):
    (found,) = [each for each in SENTENCES if words in each.raw]
    return found


def read(words, predicate, value, subject="shop.py:fee", quote=None, **more):
    own = sentence(words)
    mapping = ReadMapping(own.path, own.line, own.raw if quote is None else quote, subject, predicate, value, **more)
    return fact_of_mapping(mapping, own, FUNCTIONS)


def test_what_no_extractor_reads_is_open():
    raws = [each.raw for each in SENTENCES]
    assert "A loan of zero\n    days costs nothing and gives 0." in raws
    assert not any("Raises ValueError if prices" in raw for raw in raws)
    assert "The total shall be sorted in descending order." in raws
    places = [(each.path, each.line, each.requirement) for each in SENTENCES if "REQ-3" in each.raw]
    assert places == [("req.md", 5, "REQ-3")]
    for each in SENTENCES:
        text = PAGE if each.path == "req.md" else SHOP
        assert "\n".join(text.splitlines()[each.line - 1 :]).find(each.raw) >= 0


@pytest.mark.parametrize(
    ("words", "predicate", "value", "more", "claim"),
    [
        ("REQ-3", "returns", "12", {"when": "fee(6)"}, None),
        ("REQ-3", "returns", "12", {"when": "days is 6"}, "shop.py:fee returns 12 when days == 6"),
        ("REQ-1:", "raises", "ValueError", {"when": "days is negative"}, "shop.py:fee raises ValueError when days < 0"),
        ("REQ-2", "range", ">= 0", {"part": "rate"}, "shop.py:fee(rate) range >= 0"),
        ("A loan of zero", "returns", "0", {"when": "days is 0"}, "shop.py:fee returns 0 when days == 0"),
        ("REQ-7", "returns", "6", {"when": "days == 3"}, "shop.py:fee returns 6 when days == 3"),
        ("in descending", "order", "descending", {"subject": "shop.py:total"}, "shop.py:total order descending"),
        ("REQ-8", "status", "201", {"subject": "POST /loans"}, "POST /loans status 201"),
        ("REQ-9", "enum", "['x', 'y']", {"part": "name"}, "shop.py:fee(name) enum 'x', 'y'"),
        ("REQ-10", "equals", "undo", {"subject": "shop.py:total"}, MappingFault.SUBJECT),
        ("REQ-11", "never", "KeyError", {"subject": "shop.py:total"}, "shop.py:total never KeyError"),
        ("REQ-12", "required", "False", {"part": "rate"}, "shop.py:fee(rate) required False"),
        ("REQ-12", "default", "2", {"part": "rate"}, "shop.py:fee(rate) default 2"),
        ("REQ-13", "type", "None | int", {"subject": "shop.py:total"}, "shop.py:total type NoneType | int"),
        ("REQ-14", "roundtrip", "total", {"subject": "shop.py:undo"}, "shop.py:undo roundtrip total"),
    ],
)
def test_good_readings(words, predicate, value, more, claim):
    found = read(words, predicate, value, **more)
    if isinstance(claim, MappingFault):
        assert found is claim
        return
    assert isinstance(found, Fact), found
    assert claim is None or found.claim == claim
    assert found.known_by is KnownBy.MODEL
    assert found.quote in (PAGE if found.place.path == "req.md" else SHOP)


Q, P = MappingFault.QUOTE, MappingFault.PART


@pytest.mark.parametrize(
    ("words", "predicate", "value", "more", "fault"),
    [
        ("REQ-7", "returns", "6", {"quote": "The fee for 3 days shall be 7."}, Q),
        ("REQ-7", "returns", "6", {"quote": ""}, Q),
        ("REQ-3", "returns", "12", {"quote": "The `fee` shall return 12 when days are 6."}, Q),  # one blank for a break
        ("REQ-4", "returns", "7", {"quote": "return 7"}, P),
        ("REQ-4", "returns", "7", {}, MappingFault.HEDGED),
        ("REQ-5", "returns", "9", {}, MappingFault.HEDGED),
        ("REQ-11", "raises", "KeyError", {"subject": "shop.py:total"}, MappingFault.HEDGED),
        ("REQ-7", "never", "KeyError", {}, MappingFault.HEDGED),
        ("REQ-7", "gives", "6", {}, MappingFault.PREDICATE),
        ("REQ-7", "seen", "int", {}, MappingFault.PREDICATE),
        ("REQ-7", "states", "", {}, MappingFault.PREDICATE),
        ("REQ-7", "RETURNS", "6", {}, MappingFault.PREDICATE),
        ("REQ-7", "returns", "6", {"subject": "shop.py:none"}, MappingFault.SUBJECT),
        ("REQ-3", "returns", "12", {"subject": "shop.py:total", "when": "prices is 6"}, MappingFault.SUBJECT),
        ("A loan of zero", "returns", "0", {"subject": "shop.py:total"}, MappingFault.SUBJECT),
        ("REQ-8", "status", "201", {"subject": "POST /loan"}, MappingFault.SUBJECT),
        ("REQ-8", "status", "201", {"subject": "GET /loans"}, MappingFault.SUBJECT),
        ("REQ-8", "status", "200", {"subject": "POST /loans"}, MappingFault.VALUE),
        ("REQ-2", "range", ">= 0", {"part": "speed"}, MappingFault.PARAMETER),
        ("REQ-9", "enum", "['x', 'y']", {}, MappingFault.PARAMETER),
        ("REQ-9", "enum", "['x', 'z']", {"part": "name"}, MappingFault.VALUE),
        ("REQ-9", "enum", "['x']", {"part": "name"}, MappingFault.VALUE),
        ("REQ-2", "range", "<= 0", {"part": "rate"}, MappingFault.VALUE),
        ("REQ-2", "range", ">= 1", {"part": "rate"}, MappingFault.VALUE),
        ("REQ-6", "returns", "3", {}, MappingFault.CONDITION),
        ("REQ-6", "returns", "3", {"when": "it rains"}, MappingFault.CONDITION),
        ("REQ-3", "returns", "12", {"when": "days == 7"}, MappingFault.CONDITION),
        ("REQ-3", "returns", "12", {"when": "fee(7)"}, MappingFault.CONDITION),
        ("REQ-3", "returns", "12", {"when": "__import__('os').system('x')"}, MappingFault.CONDITION),
        ("REQ-7", "returns", "7", {"when": "days == 3"}, MappingFault.VALUE),
        ("REQ-7", "returns", "open('x')", {"when": "days == 3"}, MappingFault.VALUE),
        ("REQ-7", "returns", "[" * 5000, {"when": "days == 3"}, MappingFault.VALUE),
        ("REQ-7", "returns", "1e999", {"when": "days == 3"}, MappingFault.VALUE),
        ("REQ-1:", "raises", "KeyError", {"when": "days is negative"}, MappingFault.VALUE),
        ("in descending", "order", "ascending", {"subject": "shop.py:total"}, MappingFault.VALUE),
        ("REQ-13", "type", "str", {"subject": "shop.py:total"}, MappingFault.VALUE),
        ("REQ-12", "required", "True", {"part": "rate"}, MappingFault.VALUE),
        ("REQ-12", "default", "3", {"part": "rate"}, MappingFault.VALUE),
        ("REQ-14", "roundtrip", "eval", {"subject": "shop.py:undo"}, MappingFault.VALUE),
        ("REQ-7", "idempotent", "True", {}, MappingFault.VALUE),
    ],
)
def test_bad_readings(words, predicate, value, more, fault):
    assert read(words, predicate, value, **more) is fault


def test_a_place_of_another_sentence_is_refused():
    own = sentence("REQ-7")
    mapping = ReadMapping(own.path, own.line, own.raw, "shop.py:fee", "returns", "6", when="days == 3")
    assert isinstance(fact_of_mapping(mapping, own, FUNCTIONS), Fact)
    for other in (replace(mapping, line=own.line + 1), replace(mapping, path="other.md")):
        assert fact_of_mapping(other, own, FUNCTIONS) is MappingFault.QUOTE


def test_a_quote_may_leave_out_the_id_and_the_mark_at_the_end():
    bare = "The fee for 3 days shall be 6"
    assert isinstance(read("REQ-7", "returns", "6", quote=bare, when="days == 3"), Fact)
