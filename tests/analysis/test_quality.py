from __future__ import annotations

from pathlib import Path

import pytest

from analysis.facts import TestId
from analysis.quality import content, loose, oracle, raising, running, world
from analysis.quality.catalog import RULES
from analysis.quality.check import examples_changed, smells_of_tests, subject_not_executed
from analysis.quality.smell import Rule, Severity, Smell

REJECTING = {"T01", "T03", "T04", "T06", "T07", "T09", "T11-empty", "T14", "T17", "T18", "T20", "T26", "T29"}
EXAMPLES = [
    pytest.param(rule, source, flagged, id=f"{rule.id}-{'flagged' if flagged else 'clean'}-{number}")
    for rule in RULES
    for flagged in (True, False)
    for number, source in enumerate(rule.flagged if flagged else rule.clean)
]


def smells_of_test(source: bytes, path: str, test: TestId, subject: str = "") -> tuple[Smell, ...]:
    return smells_of_tests(source, path, (test,), subject=subject)[0][1] or ()


def is_locatable(source: bytes, test: TestId) -> bool:
    return smells_of_tests(source, "t.py", (test,)) != ((test, None),)


def smells(source: str, name: str = "", subject: str = "parse") -> set[str]:
    test = TestId("t.py::" + (name or ("TestIt::test_it" if "class TestIt" in source else "test_it")))
    assert is_locatable(source.encode(), test)
    return {s.id for s in smells_of_test(source.encode(), "t.py", test, subject=subject)}


@pytest.mark.parametrize(("rule", "source", "flagged"), EXAMPLES)
def test_every_rule_holds_on_its_examples(rule: Rule, source: str, flagged: bool) -> None:
    assert (rule.id in smells(source)) is flagged


@pytest.mark.parametrize("rule", RULES, ids=lambda r: r.id)
def test_clean_examples_of_rejecting_rules_are_not_rejected_by_another(rule: Rule) -> None:
    for source in rule.clean:
        if rule.severity is Severity.REJECT:
            assert not smells(source) & REJECTING


def test_every_rule_is_listed_once_with_the_severity_for_users_tests() -> None:
    listed = [r.id for r in RULES]
    written = [r.id for m in (content, loose, oracle, raising, running, world) for r in m.RULES]
    assert sorted(listed) == sorted(written)
    assert len(set(listed)) == len(listed)
    assert {r.id for r in RULES if r.severity is Severity.REJECT} == REJECTING


@pytest.mark.parametrize(
    ("name", "locatable"),
    [
        ("test_plain", True),
        ("test_plain[a::b-[1]]", True),
        ("TestA::test_in_class", True),
        ("TestA::TestB::test_nested[x]", True),
        ("TestC::test_in_class", True),
        ("test_conditional", True),
        ("test_handler", True),
        ("test_gone", False),
        ("TestGone::test_x", False),
        ("TestD::test_elsewhere", False),
        ("", False),
    ],
)
def test_tests_are_found_by_node_id(name: str, locatable: bool) -> None:
    source = b"""
def test_plain(): pass
class TestA:
    def test_in_class(self): pass
    class TestB:
        def test_nested(self): pass
class TestC(TestA): pass
class TestD(Elsewhere, TestD): pass
if x:
    async def test_conditional(): pass
try:
    pass
except ImportError:
    def test_handler(): pass
"""
    test = TestId(f"t.py::{name}")
    assert is_locatable(source, test) is locatable
    assert bool(smells_of_test(source, "t.py", test)) is locatable


@pytest.mark.parametrize(
    "source", [b"def test_it(:", b"\xff\xfe", b"# coding: nonsense\n", b"x = " + b"-" * 20000 + b"1", b""]
)
def test_unreadable_sources_give_no_smells(source: bytes) -> None:
    test = TestId("t.py::test_it")
    assert smells_of_test(source, "t.py", test) == ()
    assert not is_locatable(source, test)


def test_a_deep_test_does_not_crash() -> None:
    source = f"def test_it():\n    assert parse('1') == {'+'.join(['1'] * 700)}\n".encode()
    assert smells_of_test(source, "t.py", TestId("t.py::test_it")) in (
        (),
        smells_of_test(source, "t.py", TestId("t.py::test_it")),
    )


def test_a_test_of_another_file_has_no_smells_here() -> None:
    assert smells_of_test(b"def test_it(): pass", "t.py", TestId("u.py::test_it")) == ()


def test_tests_of_equality_may_compare_a_thing_with_itself() -> None:
    source = "def test_it():\n    a = Thing()\n    assert a == a\n"
    assert "T03" not in smells(source, subject="Thing.__eq__")
    assert "T03" in smells(source, subject="Thing.parse")


@pytest.mark.parametrize(
    ("patching", "flagged"),
    [
        ("mock.patch('pkg.cache.LRI.__setitem__')", True),
        ("mock.patch('pkg.cache.LRI')", True),
        ("mock.patch.object(LRI, '__setitem__')", True),
        ("mock.patch.object(LRU, '__setitem__')", False),
        ("mock.patch('pkg.cache.LRI.get')", False),
    ],
)
def test_a_replaced_method_is_seen(patching: str, flagged: bool) -> None:
    source = f"from pkg.cache import LRI, LRU\ndef test_it():\n    with {patching}:\n        assert use() == 1\n"
    assert ("T17" in smells(source, subject="LRI.__setitem__")) is flagged


FUNCTION = '    def parse(self, text):\n        """Doc."""\n        if text:\n            return 1\n        return 2\n'


@pytest.mark.parametrize(
    ("text", "executed", "flagged"),
    [
        (FUNCTION, {42}, False),
        (FUNCTION, {40, 41}, True),
        (FUNCTION, set(), True),
        (FUNCTION, {44}, False),
        ("def parse(text): return 1\n", set(), False),
        ("@cached\ndef parse(text):\n    return 1\n", {40, 41}, True),
        ("def parse(:\n", set(), False),
    ],
)
def test_coverage_tells_whether_the_subject_ran(text: str, executed: set[int], flagged: bool) -> None:
    smell = subject_not_executed(TestId("t.py::test_it"), text, 40, frozenset(executed))
    assert (smell is not None) is flagged


DOCUMENTED = '''def f(x):
    """Twice.

    >>> f(2)
    4
    """
    return x + x
'''


@pytest.mark.parametrize(
    ("test", "old", "new", "flagged"),
    [
        ("m.py::m.f", "4", "5", True),
        ("m.py::m.f", ">>> f(2)\n    4", "No example.", True),
        ("m.py::m.f", ">>> f(2)", ">>> f(3)", True),
        ("m.py::m.f", ">>> f(2)", ">>>f(2)", True),
        ("m.py::m.f", "Twice.", "Two times.", False),
        ("m.py::m.f", "x + x", "2 * x", False),
        ("test_m.py::test_f", "4", "5", False),
    ],
)
def test_a_doctest_whose_examples_the_patch_rewrites_is_told(test: str, old: str, new: str, flagged: bool) -> None:
    changed = DOCUMENTED.replace(old, new)
    assert changed != DOCUMENTED
    smell = examples_changed(TestId(test), "m.py", DOCUMENTED, changed)
    assert (smell is not None) is flagged


def test_these_very_tests_are_not_rejected() -> None:
    file = Path(__file__)
    source = file.read_bytes()
    names = [n.split("(")[0].removeprefix("def ") for n in source.decode().splitlines() if n.startswith("def test_")]
    for name in names:
        found = smells_of_test(source, file.name, TestId(f"{file.name}::{name}"))
        assert [s for s in found if s.severity is Severity.REJECT] == []
