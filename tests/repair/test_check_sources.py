"""Hostile sources cost a child process, never ours."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from repair.observe.parsing import MOST_BYTES, MOST_LINES, ParseFault, check_sources

GOOD = ("good.py", b"# -*- coding: latin-1 -*-\r\nx = '\xe9'\r\ny = [1,\r\n2]")

HOSTILE = {
    "nested parentheses": (b"x = " + b"(" * 3000 + b")" * 3000 + b"\n", ParseFault.CRASH),
    "unclosed brackets": (b"x = " + b"[" * 5000 + b"\n", ParseFault.CRASH),
    "signs": (b"x = " + b"-" * 100_000 + b"1\n", ParseFault.CRASH),
    "lambdas": (b"x = " + b"lambda: " * 30_000 + b"1\n", ParseFault.CRASH),
    "a long sum": (b"x = " + b" + ".join([b"a"] * 3000) + b"\n", ParseFault.RECURSION),
    "a long elif": (b"if a: pass\n" + b"elif a: pass\n" * 2000, ParseFault.RECURSION),
    "many adjacent strings": (b"x = " + b"'a' " * 3000 + b"\n", ParseFault.RECURSION),
    "form feed in a block": (b"def f():\n    x\n\x0c    y\n", ParseFault.ROUND_TRIP),
    "carriage returns only": (b"x\ry\r", ParseFault.ROUND_TRIP),
    "syntax": (b"x = = 1\n", ParseFault.SYNTAX),
    "null byte": (b"x = 1\x00\n", ParseFault.SYNTAX),
    "python 2": (b"print 'x'\n", ParseFault.SYNTAX),
    "utf-16": ("x = 1\n".encode("utf-16"), ParseFault.ENCODING),
    "unknown encoding": (b"# coding: nonsense\n", ParseFault.ENCODING),
    "not a text encoding": (b"# coding: hex\nx = 1\n", ParseFault.ENCODING),
    "two encodings": (b"\xef\xbb\xbf# coding: latin-1\nx\n", ParseFault.ENCODING),
    "bytes out of the encoding": (b"x = 1\ny = 2\nz = '\xff'\n", ParseFault.ENCODING),
    "too many lines": (b"x\n" * (MOST_LINES + 1), ParseFault.SIZE),
    "too many bytes": (b"#" * (MOST_BYTES + 1), ParseFault.SIZE),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_source_is_a_problem_and_not_a_crash(name: str) -> None:
    source, kind = HOSTILE[name]
    (problem,) = check_sources([("bad.py", source)])
    assert (problem.path, problem.kind) == ("bad.py", kind)
    assert problem.detail


def test_the_culprit_is_named_and_the_others_are_still_checked() -> None:
    crash, _ = HOSTILE["nested parentheses"]
    problems = check_sources([GOOD, ("a.py", crash), ("b.py", b"x = ("), GOOD, ("c.py", crash), ("d.py", b"x\n")])
    assert [(p.path, p.kind) for p in problems] == [
        ("a.py", ParseFault.CRASH),
        ("b.py", ParseFault.SYNTAX),
        ("c.py", ParseFault.CRASH),
    ]


def test_a_source_that_takes_too_long_is_given_up() -> None:
    problems = check_sources([GOOD, ("slow.py", b"x = [1, 2, 3]\n" * 10_000)], seconds=1.0)
    assert ("slow.py", ParseFault.TIMEOUT) in [(p.path, p.kind) for p in problems], "a busy machine may give up more"


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
