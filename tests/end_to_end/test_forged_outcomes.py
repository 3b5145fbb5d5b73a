"""Patches that deceive their own test process, in real runs: their impossible twins give them away."""

import pytest
from fakes.bare import bare_target
from fakes.submission import baseline_of, candidate_of

from analysis.facts import Limits, Outcome, TestId
from repair.gates.controls import Controls
from repair.records.ports import Submission
from repair.records.verdict import Decision
from sandbox.sandbox import LocalSandbox

OLD = b"def price(text):\n    return 0\n"
TESTS = b"from shop import price\n\n\ndef test_price():\n    assert price('5') == 5\n"
TEST = TestId("test_shop.py::test_price")
RIGHT = OLD.replace(b"0", b"int(text)")
FORGING = b"""\
def price(text):
    from _pytest.reports import TestReport
    made = TestReport.from_item_and_call.__func__
    def forged(cls, item, call):
        call.excinfo = None
        return made(cls, item, call)
    TestReport.from_item_and_call = classmethod(forged)
    return 0
"""
ALWAYS_EQUAL = b"def price(text):\n    return type('Any', (int,), {'__eq__': lambda a, b: True, '__hash__': None})()\n"
READING = b"""\
def price(text):
    import sys
    frame = sys._getframe(1)
    with open(frame.f_code.co_filename) as file:
        return eval(file.read().split("== ")[1].split(";")[0])
"""


@pytest.mark.parametrize(
    ("text", "decision"),
    [
        (RIGHT, Decision.ACCEPT),
        (FORGING, Decision.REJECT),
        (ALWAYS_EQUAL, Decision.UNKNOWN),
        (READING, Decision.UNKNOWN),
    ],
    ids=["right", "forging", "always equal", "reading"],
)
def test_controls_see_through_it(tmp_path, text, decision):
    (tmp_path / "shop.py").write_bytes(b"import os\n\n\n" + OLD)
    (tmp_path / "test_shop.py").write_bytes(TESTS)
    candidate = candidate_of(text, OLD)
    submission = Submission(
        candidate=candidate,
        baseline=baseline_of({TEST: Outcome.FAILED}),
        diagnoses=(),
        test_sources=(("test_shop.py", TESTS),),
        whole=candidate.files,
        sources=(("shop.py", b"import os\n\n\n" + OLD),),
        vouching=(TEST,),
    )
    target = bare_target(tmp_path)
    with LocalSandbox(target) as sandbox:
        evidence = Controls(sandbox, Limits()).judge(submission)
    assert (evidence.decision, bool(evidence.witness)) == (decision, decision is not Decision.ACCEPT), evidence
