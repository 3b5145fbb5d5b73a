"""Hostile sources cost a child process, never ours."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from repair.observe.parsing import MOST_BYTES, MOST_LINES, check_sources

GOOD = ("good.py", b"# -*- coding: latin-1 -*-\r\nx = '\xe9'\r\ny = [1,\r\n2]")

CRASH = "makes the parser "
RECURSION = "is nested too deeply"
ROUND_TRIP = "does not survive parse and print"
SYNTAX = "does not parse: "
ENCODING = "cannot be decoded: "
SIZE = "are more than the "
TIMEOUT = "was not parsed within 1 seconds"
"""Why a source cannot be worked on."""

HOSTILE = {
    "nested parentheses": (b"x = " + b"(" * 3000 + b")" * 3000 + b"\n", CRASH),
    "unclosed brackets": (b"x = " + b"[" * 5000 + b"\n", CRASH),
    "signs": (b"x = " + b"-" * 100_000 + b"1\n", CRASH),
    "lambdas": (b"x = " + b"lambda: " * 30_000 + b"1\n", CRASH),
    "a long sum": (b"x = " + b" + ".join([b"a"] * 3000) + b"\n", RECURSION),
    "a long elif": (b"if a: pass\n" + b"elif a: pass\n" * 2000, RECURSION),
    "many adjacent strings": (b"x = " + b"'a' " * 3000 + b"\n", RECURSION),
    "form feed in a block": (b"def f():\n    x\n\x0c    y\n", ROUND_TRIP),
    "carriage returns only": (b"x\ry\r", ROUND_TRIP),
    "syntax": (b"x = = 1\n", SYNTAX),
    "null byte": (b"x = 1\x00\n", SYNTAX),
    "python 2": (b"print 'x'\n", SYNTAX),
    "utf-16": ("x = 1\n".encode("utf-16"), ENCODING),
    "unknown encoding": (b"# coding: nonsense\n", ENCODING),
    "not a text encoding": (b"# coding: hex\nx = 1\n", ENCODING),
    "two encodings": (b"\xef\xbb\xbf# coding: latin-1\nx\n", ENCODING),
    "bytes out of the encoding": (b"x = 1\ny = 2\nz = '\xff'\n", ENCODING),
    "too many lines": (b"x\n" * (MOST_LINES + 1), SIZE),
    "too many bytes": (b"#" * (MOST_BYTES + 1), SIZE),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_source_is_a_problem_and_not_a_crash(name: str) -> None:
    source, reason = HOSTILE[name]
    (problem,) = check_sources([("bad.py", source)])
    assert problem.path == "bad.py"
    assert reason in problem.detail


def test_the_culprit_is_named_and_the_others_are_still_checked() -> None:
    crash, _ = HOSTILE["nested parentheses"]
    problems = check_sources([GOOD, ("a.py", crash), ("b.py", b"x = ("), GOOD, ("c.py", crash), ("d.py", b"x\n")])
    expected = [("a.py", CRASH), ("b.py", SYNTAX), ("c.py", CRASH)]
    assert [p.path for p in problems] == [path for path, _ in expected]
    assert all(reason in p.detail for p, (_, reason) in zip(problems, expected, strict=True))


def test_a_source_that_takes_too_long_is_given_up() -> None:
    problems = check_sources([GOOD, ("slow.py", b"x = [1, 2, 3]\n" * 10_000)], seconds=1.0)
    assert ("slow.py", TIMEOUT) in [(p.path, p.detail) for p in problems], "a busy machine may give up more"


@pytest.mark.parametrize(
    "source", [b"", b"\n", b"\xef\xbb\xbfx = 1\n", b"type X = int\nf'{a['b']}'\n", b"def f():\n\tpass"]
)
def test_sound_sources_have_no_problem(source: bytes) -> None:
    assert check_sources([("a.py", source)]) == ()


def test_nothing_to_check_starts_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere")
    assert check_sources([]) == ()


def test_the_child_imports_nothing_from_where_it_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("repair", "analysis", "libcst", "json"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("raise SystemExit('the wrong package')\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert check_sources([GOOD]) == ()


def test_the_modules_of_a_real_library_pass() -> None:
    folder = Path(subprocess.__file__).parent / "json"
    sources = [(path.name, path.read_bytes()) for path in sorted(folder.glob("*.py"))]
    assert sources
    assert check_sources(sources) == ()
