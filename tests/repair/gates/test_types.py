"""Types: a finding of the project's own type checker that is new is a doubt; a checker that says nothing is none."""

import sys

import pytest
from fakes.bare import bare_target
from fakes.sandbox import FakeSandbox, run_of
from fakes.submission import PATH, submission_of

from analysis.facts import InvalidRun, Limits, Ran, RunFault
from repair.gates.types import Types
from repair.records.verdict import Decision
from sandbox.sandbox import LocalSandbox

ERROR = f'{PATH}:7: error: Name "other" is not defined  [name-defined]\n'
KNOWN = f"{PATH}:2: error: Need type annotation  [var-annotated]\n"
SETTINGS = {"mypy.ini": b"[mypy]\n"}


def judged(before, after, settings=SETTINGS):
    seen = []

    def module(name, args, files):
        seen.append((name, args[-1]))
        return after if files else before

    sandbox = FakeSandbox(lambda *_: run_of({}), module=module)
    evidence = Types(sandbox, settings, Limits()).judge(submission_of())
    assert set(seen) <= {("mypy", PATH), ("pyright", PATH)}
    return evidence


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (Ran(0, ""), Ran(0, "")),
        (Ran(1, KNOWN), Ran(1, KNOWN.replace(":2:", ":3:"))),
        (Ran(1, KNOWN), Ran(0, "")),
        (Ran(1, "other.py:1: error: Not here  [misc]\n"), Ran(1, "other.py:1: error: Not there  [misc]\n")),
    ],
)
def test_nothing_new_is_accepted(before, after):
    assert judged(before, after).decision is Decision.ACCEPT


@pytest.mark.parametrize("before", [Ran(0, ""), Ran(1, KNOWN)])
def test_a_new_finding_is_a_doubt_with_its_place(before):
    evidence = judged(before, Ran(1, KNOWN * before.status + ERROR))
    assert evidence.decision is Decision.UNKNOWN
    assert evidence.witness == f'{PATH}:7: Name "other" is not defined  [name-defined]'
    assert evidence.question


def test_pyright_is_read_too():
    said = Ran(1, f'/copy/{PATH}:7:5 - error: "other" is not defined (reportUndefinedVariable)\n1 error\n')
    evidence = judged(Ran(0, "0 errors\n"), said, {"pyrightconfig.json": b"{}"})
    assert evidence.witness.startswith(f"{PATH}:7: ")


@pytest.mark.parametrize(
    "said",
    [
        Ran(2, "mypy: can't read file\n"),
        Ran(1, "Traceback (most recent call last):\n"),
        InvalidRun(RunFault.TIMEOUT, "It took too long"),
    ],
)
@pytest.mark.parametrize("first", [True, False])
def test_a_checker_that_gives_up_says_nothing(said, first):
    evidence = judged(said if first else Ran(0, ""), said)
    assert (evidence.decision, evidence.witness) == (Decision.UNKNOWN, "")
    assert evidence.not_checked


def test_a_checker_that_is_not_installed_says_nothing():
    class Bare(FakeSandbox):
        def find_importable(self, modules):
            return ()

    evidence = Types(Bare(lambda *_: run_of({})), SETTINGS, Limits()).judge(submission_of())
    assert (evidence.decision, evidence.witness) == (Decision.UNKNOWN, "")
    assert "does not hold" in evidence.claim


def test_a_project_without_a_checker_is_exempt_and_that_is_said():
    evidence = judged(None, None, {})
    assert evidence.decision is Decision.ACCEPT
    assert evidence.not_checked


WHOLE = "def width(lines: list[str]) -> int:\n    return max(map(len, lines))\n"


@pytest.mark.parametrize(
    ("new", "decision"),
    [
        ("max(map(len, lines), default=0)", Decision.ACCEPT),
        ("max(map(len, lines), default=None)", Decision.UNKNOWN),
    ],
)
def test_mypy_itself_is_asked_on_a_copy(tmp_path, new, decision):
    pytest.importorskip("mypy", reason="mypy is not installed here")
    (tmp_path / "shop.py").write_text(WHOLE)
    (tmp_path / "mypy.ini").write_text("[mypy]\nstrict = True\n")
    submission = submission_of(
        WHOLE.replace("max(map(len, lines))", new).encode(), WHOLE.encode(), qualname="width", head=b""
    )
    with LocalSandbox(bare_target(tmp_path, python=sys.executable)) as sandbox:
        evidence = Types(sandbox, sandbox.snapshot.read(["mypy.ini", "none.ini"]), Limits()).judge(submission)
    assert evidence.decision is decision, evidence
    assert ("shop.py:2" in evidence.witness) is (decision is Decision.UNKNOWN)
    assert not list(tmp_path.glob(".mypy_cache"))
