"""A bug is as stated, or it is set aside with the reason."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from fakes.sandbox import FakeSandbox, hang_of, run_of
from fakes.toy import ToySandbox

from analysis.facts import CollectionError, Files, InvalidRun, Limits, Outcome, RunFault, TestRun
from corpora.bug import Bug, Oracle, Provenance, SetAside
from corpora.verify import Terms, Verified, observe_bug

TERMS = Terms("", Limits(), 0, Path("nowhere"))
BUGGY = b"def half(n):\n    return n // 3\n"
FIXED = b"def half(n):\n    return n // 2\n"
TESTS = b"""
from half import half


def test_four():
    assert half(4) == 2, half(4)


def test_nought():
    assert half(0) == 0


def test_two():
    assert half(2) == 1, half(2)
"""
FAILING = ("test_half.py::test_four", "test_half.py::test_two")
P, F, E = Outcome.PASSED, Outcome.FAILED, Outcome.ERROR


def bug(failing: tuple[str, ...] = FAILING, passing: tuple[str, ...] | None = None) -> Bug:
    return Bug("half", failing, Provenance("toy", "handwritten"), passing)


def seen(bug: Bug, oracle: Oracle, program: bytes = BUGGY, tests: bytes = TESTS) -> Verified | SetAside:
    sandbox = ToySandbox((("half.py", program), ("test_half.py", tests)))
    return observe_bug(sandbox, bug, oracle, TERMS)


def reason(found: Verified | SetAside) -> str:
    assert isinstance(found, SetAside), found
    return found.reason


def test_a_bug_as_stated():
    found = seen(bug(), Oracle(reference=(("half.py", FIXED),)))
    assert found == Verified("half", FAILING, ("test_half.py::test_nought",), "logic", "wrong_value", 3)


def test_failing_tests_that_nobody_states_are_found():
    found = seen(bug(failing=()), Oracle())
    assert isinstance(found, Verified)
    assert (found.failing, found.checked) == (FAILING, 0)


def test_an_id_that_stands_for_several_tests_means_those_that_fail():
    found = seen(bug(failing=("test_half.py",)), Oracle())
    assert isinstance(found, Verified)
    assert found.failing == FAILING
    assert "does not fail" in reason(seen(bug(failing=("test_half.py",)), Oracle(), program=FIXED))


def test_held_out_tests_count_for_the_reference():
    held_out = (("test_more.py", b"from half import half\n\ndef test_big():\n    assert half(100) == 50\n"),)
    good = seen(bug(), Oracle((("half.py", FIXED),), held_out=held_out))
    assert isinstance(good, Verified)
    assert good.checked == 4
    special = b"def half(n):\n    return {4: 2, 2: 1}.get(n, 0)\n"
    said = reason(seen(bug(), Oracle((("half.py", special),), held_out=held_out)))
    assert "the reference does not pass test_more.py::test_big (failed" in said


def test_a_reference_that_fails_its_own_tests():
    wrong = b"def half(n):\n    return n - 2\n"
    assert "the reference does not pass test_half.py::test_" in reason(seen(bug(), Oracle((("half.py", wrong),))))


def test_other_fixes_are_checked_too():
    oracle = Oracle((("half.py", FIXED),), alternatives=((("half.py", b"def half(n):\n    return n\n"),),))
    assert "alternative 1 does not pass" in reason(seen(bug(), oracle))


def test_a_bug_that_does_not_fail():
    assert reason(seen(bug(), Oracle(), FIXED)).startswith("not_reproduced: test_half.py::test_four does not fail")
    assert reason(seen(bug(failing=()), Oracle(), FIXED)) == "nothing_fails: no test fails"


def test_a_test_that_is_not_there():
    assert "No test is named test_half.py::test_nine" in reason(seen(bug(("test_half.py::test_nine",)), Oracle()))
    stated = bug(passing=("test_half.py::test_nine",))
    assert reason(seen(stated, Oracle())) == "test_half.py::test_nine is stated to pass and does not each time"


def test_a_stated_pass_that_fails():
    stated = bug(FAILING[:1], passing=(FAILING[1],))
    assert reason(seen(stated, Oracle())) == f"{FAILING[1]} is stated to pass and does not each time"


def test_held_out_tests_that_are_not_there():
    said = reason(seen(bug(), Oracle((("half.py", FIXED),), held_out_tests=("test_half.py::test_gone",))))
    assert said.startswith("with the reference: ")
    assert "test_gone" in said


def test_a_module_that_cannot_be_imported():
    assert reason(seen(bug(), Oracle(), tests=b"import no_such_module\n" + TESTS)).startswith("environment: ")


def test_what_is_missing_on_the_machine():
    program = b"def half(n):\n    import no_such_module\n"
    assert reason(seen(bug(), Oracle(), program)).startswith("environment: test_half.py::test_four: ModuleNotFound")
    found = seen(bug(), Oracle(expected=("environment",)), program)
    assert isinstance(found, Verified)
    assert (found.said, found.failing) == ("environment", FAILING)


ORDER = b"""
from half import half


def test_first():
    assert half(4) == 2


def test_second():
    assert half(2) == 2
"""
STATEFUL = b"calls = []\n\n\ndef half(n):\n    calls.append(n)\n    return len(calls)\n"


def test_a_bug_that_is_stated_to_be_flaky_and_is_not():
    said = reason(seen(bug(), Oracle(expected=("flaky", "environment"))))
    assert said == "stated to be flaky or environment, and fails as any other bug"
    assert isinstance(seen(bug(), Oracle(expected=("flaky", "out_of_scope"))), Verified)


def test_a_reference_with_which_the_suite_does_not_end():
    def answer(tests: tuple[str, ...], files: Files, shuffle: int | None) -> TestRun | InvalidRun:
        return InvalidRun(RunFault.SIGNAL, "signal 11") if files else run_of({"t::a": F})

    found = observe_bug(FakeSandbox(answer), bug(("t::a",)), Oracle((("a.py", b""),)), TERMS)
    assert reason(found).startswith("with the reference: The tests do not run to their end: signal")


def test_what_depends_on_the_order_is_flaky():
    stated = bug(("test_half.py::test_first",))
    assert reason(seen(stated, Oracle(), STATEFUL, ORDER)).startswith("flaky: test_half.py::test_first in order")
    found = seen(stated, Oracle(expected=("flaky",)), STATEFUL, ORDER)
    assert isinstance(found, Verified)
    assert found.said == "flaky"


def test_another_word_than_the_stated_one_sets_aside():
    stated = bug(("test_half.py::test_first",))
    assert reason(seen(stated, Oracle(expected=("environment",)), STATEFUL, ORDER)).startswith("flaky: ")


def test_flaky_tests_beside_are_told_and_count_for_nothing():
    def answer(tests: tuple[str, ...], files: Files, shuffle: int | None) -> TestRun:
        table = {"t::a": F, "t::b": P, "t::c": P if shuffle is None else F}
        return run_of({t: table[t] for t in tests} if tests else table)

    found = observe_bug(FakeSandbox(answer), bug(("t::a",)), Oracle(), TERMS)
    assert isinstance(found, Verified)
    assert (found.passing, found.flaky) == (("t::b",), ("t::c",))


def test_a_failure_that_is_another_one_the_next_time_is_flaky():
    def answer(tests: tuple[str, ...], files: Files, shuffle: int | None) -> TestRun:
        return run_of({"t::a": F}, message="assert 1 == 2" if shuffle is None else "assert 7 == 2")

    assert "fails in another way" in reason(observe_bug(FakeSandbox(answer), bug(("t::a",)), Oracle(), TERMS))


def test_a_stated_hang_is_a_failure_and_another_one_is_not():
    def answer(tests: tuple[str, ...], files: Files, shuffle: int | None) -> TestRun | InvalidRun:
        if not tests or "t::h" in tests:
            return hang_of("t::h", tests or ("t::h", "t::b"))
        return run_of(dict.fromkeys(tests, P))

    found = observe_bug(FakeSandbox(answer), bug(("t::h",)), Oracle(), TERMS)
    assert isinstance(found, Verified)
    assert (found.failing, found.subclass, found.passing) == (("t::h",), "timeout", ("t::b",))
    stated = bug(("t::b",), passing=("t::h",))
    assert reason(observe_bug(FakeSandbox(answer), stated, Oracle(), TERMS)).startswith("not_reproduced")


def test_a_suite_that_dies_in_another_order():
    def answer(tests: tuple[str, ...], files: Files, shuffle: int | None) -> TestRun | InvalidRun:
        return run_of({"t::a": F}) if shuffle is None else InvalidRun(RunFault.SIGNAL, "signal 11")

    assert "in another order: signal 11" in reason(observe_bug(FakeSandbox(answer), bug(("t::a",)), Oracle(), TERMS))


def test_uncollected_modules_beside_are_left_aside():
    def answer(tests: tuple[str, ...], files: Files, shuffle: int | None) -> TestRun:
        return replace(run_of({"t::a": F}), collection_errors=(CollectionError("other.py", (), "no such library"),))

    assert isinstance(observe_bug(FakeSandbox(answer), bug(("t::a",)), Oracle(), TERMS), Verified)
    assert reason(observe_bug(FakeSandbox(answer), bug(("other.py::b",)), Oracle(), TERMS)).startswith("environment: ")
