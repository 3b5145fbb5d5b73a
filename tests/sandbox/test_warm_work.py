"""Executed lines of two programs, counted on a warm server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fakes.bare import bare_target
from fakes.library import WORK, WORK_TESTS

from analysis.facts import Limits, digest
from analysis.functions import find_function, functions_of
from analysis.line_counts import Excess, WorkReport, excess
from analysis.trials import Trial
from sandbox.sandbox import LocalSandbox
from sandbox.warm import WarmServer
from sandbox.warm_questions import report_of

Weigh = Callable[[str, str, str], WorkReport]


def project(root: Path) -> Path:
    (root / "work.py").write_text(WORK)
    (root / "test_work.py").write_text(WORK_TESTS)
    return root


def served(root: Path, python: str = "") -> Iterator[WarmServer]:
    with LocalSandbox(bare_target(root, python=python)) as sandbox:
        session = sandbox.warm((), limits=Limits(wall_seconds=60, test_seconds=20))
        assert isinstance(session, WarmServer), session
        yield session
        session.close()


def trial(name: str, old: str = "", new: str = "") -> Trial:
    source = WORK.encode()
    span = find_function(functions_of("work.py", source), name)
    assert span is not None
    text = source[span.start : span.end].decode()
    assert old in text
    changed = text.replace(old, new) if old else text
    return Trial(digest(name, changed), span.function, changed.encode(), "test")


def weighed(server: WarmServer, name: str, old: str, new: str) -> tuple[WorkReport, Excess | None]:
    report = server.questions.work(trial(name, old, new), trial(name))
    return report, excess(report)


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("total", "result += x", "result += x\n        for y in sorted(xs): pass"),
        ("total", "result += x", "result += sum(y for y in xs if y is x) and x"),  # all on one line
        ("total", "result += x", "result += x; slow(xs[:5])\n    slow(xs)"),  # hidden in a function that it calls
        ("fib", "a, b = 0, 1\n", "if n > 2: return fib(n - 1) + fib(n - 2)\n    a, b = 0, 1\n"),
        ("clean", "if word not in seen:", "if not any(word == each for each in seen):"),
        ("later", "out.append(x)", "out.append(x)\n        for _ in out: pass"),
        ("clean", "if word not in seen:", "if word not in list(seen):"),  # a search inside C
        ("total", "result += x", "result += x; sorted(xs)"),  # a sort inside C
        ("index", "for key, value in table.items()", "for key in table for k, value in table.items() if k == key"),
        ("Box.add", "self.items.append(x)", "self.items.append(x)\n        slow(self.items)"),
        ("total", "result = 0", "result = 0\n    for _ in range(3000): pass"),
    ],
)  # fmt: skip
def test_too_much_work_is_found(server: WarmServer, name: str, old: str, new: str) -> None:
    report, found = weighed(server, name, old, new)
    assert found is not None, report
    assert found.shown.new.lines > found.shown.old.lines


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("total", "result += x", "result = result + x"),
        ("total", "in xs:", "in sorted(xs):"),
        ("total", "result = 0", "result = 0\n    for x in xs:\n        if x is None: return None"),  # once more over it
        ("total", "result = 0", "result = 0\n    for _ in range(50): pass"),
        ("fib", "return a", "return a if n >= 0 else None"),
        ("later", "out.append(x)", "out += [x]"),
        ("Box.add", "return len(self.items)", "return sum(1 for _ in self.items)"),
    ],
)  # fmt: skip
def test_other_work_is_none(server: WarmServer, name: str, old: str, new: str) -> None:
    report, found = weighed(server, name, old, new)
    assert report.agreeing_pairs
    assert found is None


def test_the_same_programs_give_the_same_numbers(server: WarmServer) -> None:
    first, second = (server.questions.work(trial("total", "in xs:", "in list(xs):"), trial("total")) for _ in range(2))
    assert first == second
    assert [each.factor for each in first.series[0]] == [1, 2, 4, 8, 16, 32, 64]
    assert first.calls[0].call == "total([3, 1, 2])"


def test_what_differs_is_no_agreeing_call(server: WarmServer) -> None:
    report, found = weighed(server, "total", "result += x", "result -= x")
    assert (report.agreeing_pairs, found) == ((), None)
    assert report.calls


def test_a_call_that_does_not_end_is_ended(server: WarmServer) -> None:
    _, found = weighed(server, "total", "return result", "return result if len(xs) < 5 else slow([0] * 10**6)")
    assert found is not None
    assert found.shown.new.ended
    assert found.shown.new.lines < 10**5


def test_what_cannot_be_copied_is_said(server: WarmServer) -> None:
    report, _ = weighed(server, "held", "return 1", "return 2 - 1")
    assert not report.calls
    assert "cannot be copied" in report.failures[0]


def test_a_text_that_cannot_be_put_in_is_said(server: WarmServer) -> None:
    report, _ = weighed(server, "total", "def total(xs)", "async def total(xs)")
    assert not report.calls
    assert report.failures


def test_what_a_fork_says_is_not_trusted() -> None:
    torn: list[dict[str, object]] = [
        {"work": [1, 2, 3], "ended": [False, False], "factor": 1},
        {"work": [1, 2, 3, "4"], "ended": [False, False], "factor": 1},
        {"work": [1, 2, 3, 4], "ended": [0, 0], "factor": 1},
        {"work": None, "ended": [False, False], "factor": 1},
        {"work": [1, 1, 3, 3], "ended": [False, False], "factor": "x"},
    ]
    report = report_of("timeout", "time is up", torn)
    assert (report.calls, report.series) == ((), ())
    assert report.failures == ("counting ended early: time is up",)


def test_other_interpreters(other_python: str, tmp_path: Path) -> None:
    for server in served(project(tmp_path), other_python):
        assert weighed(server, "total", "result += x", "result += sum(y for y in xs if y is x) and x")[1] is not None
        assert weighed(server, "index", "in table", "in dict(table)")[1] is None
