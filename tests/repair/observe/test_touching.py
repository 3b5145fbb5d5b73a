"""Which tests a change of some functions can touch, by lines that are known from earlier."""

from __future__ import annotations

from dataclasses import replace

from analysis.facts import Frame, Outcome, Phase, SeenError, TestId, TestResult, TestRun
from analysis.functions import functions_of
from analysis.lines import Lines
from repair.observe import touching
from repair.observe.touching import functions_called, lines_of_failures, pick_first, touching_tests

SOURCE = b"def f():\n    return 1\n\n\ndef g():\n    return 2\n\n\n@wrapped\ndef h():\n    return 3\n"
F, G, H = functions_of("a.py", SOURCE)


def lines(test, *numbers, path="a.py"):
    return TestId(test), ((path, Lines(numbers)),)


def test_tests_that_share_a_rare_function_come_first():
    line_map = (
        lines("t::all1", 2),
        lines("t::all2", 2),
        lines("t::both", 2, 6),
        lines("t::none", 11),
        lines("u::b", 6),
    )
    assert touching_tests(line_map, (F, G)) == ("t::both", "u::b", "t::all1", "t::all2")
    assert touching_tests(line_map, (H,)) == ("t::none",)
    assert touching_tests((lines("t::x", 2, path="b.py"),), (F,)) == ()
    assert touching_tests((), (F,)) == touching_tests(line_map, ()) == ()


def test_a_function_was_called_where_a_line_of_it_or_its_first_one_is_known():
    sources = (("a.py", SOURCE), ("bad.py", b"def ("))
    called = functions_called((lines("t", 6, 9), lines("u", 1, path="bad.py"), lines("v", 1, path="gone.py")), sources)
    assert [each.function.qualname for each in called] == ["g", "h"]


def test_so_many_tests_in_so_many_files_are_run_first(monkeypatch):
    monkeypatch.setattr(touching, "MOST_TOUCHING", 3)
    monkeypatch.setattr(touching, "MOST_FILES", 2)
    tests = [TestId(f"{file}.py::t{n}") for n in range(2) for file in "abc"]
    assert pick_first(tests) == ("a.py::t0", "b.py::t0", "a.py::t1")


def test_what_failing_tests_run_is_seen_or_known():
    frame = Frame("a.py", True, 6, None, None, None, "g", "g", 5)
    error = SeenError("ValueError", (), "no", (frame, replace(frame, path="lib.py", in_project=False)))
    results = (
        TestResult(TestId("t::fails"), Outcome.FAILED, Phase.CALL, 0.1, (error,)),
        TestResult(TestId("t::passes"), Outcome.PASSED, Phase.CALL, 0.1),
    )
    run = TestRun(results, (), 1, 0.2, (lines("t::fails", 9),))
    found = lines_of_failures(run, (lines("t::fails", 2), lines("t::passes", 3)))
    assert found == (lines("t::fails", 9), lines("t::fails", 6), lines("t::fails", 2))
    assert [each.function.qualname for each in functions_called(found, (("a.py", SOURCE),))] == ["f", "g", "h"]
