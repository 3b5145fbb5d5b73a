"""Static: what a linter calls fatal and did not say before is a doubt."""

from dataclasses import replace

import pytest
from fakes.submission import PATH, submission_of

from analysis.checkers import Remark
from repair.gates.static import Static
from repair.records.verdict import Decision

OLD, NEW = Remark(4, "F821 Undefined name `_`"), Remark(7, "F821 Undefined name `other`")


def judged(before, after, submission=None):
    asked = []

    def lint(texts):
        asked.extend(texts)
        return before, after

    evidence = Static(lint).judge(submission or submission_of())
    assert [path for path, _ in asked] in ([PATH, PATH], [])
    return evidence


@pytest.mark.parametrize(("before", "after"), [((), ()), ((OLD,), (replace(OLD, line=9),)), ((OLD, NEW), ())])
def test_nothing_new_is_accepted(before, after):
    assert judged(before, after).decision is Decision.ACCEPT


def test_a_new_undefined_name_is_a_doubt_with_its_place():
    evidence = judged((OLD,), (OLD, NEW))
    assert evidence.decision is Decision.UNKNOWN
    assert evidence.witness == f"{PATH}:7: F821 Undefined name `other`"
    assert evidence.question
    assert dict(evidence.measurements) == {"before": 1, "after": 2}


def test_both_texts_are_those_of_the_function_s_file():
    seen = []
    submission = submission_of()
    Static(lambda texts: (seen.extend(texts), ((), ()))[1]).judge(submission)
    assert seen == [(PATH, submission.sources[0][1]), (PATH, submission.whole[0][1])]


def test_without_a_linter_nothing_is_accepted():
    evidence = Static(lambda texts: "ruff is not installed here").judge(submission_of())
    assert (evidence.decision, evidence.witness) == (Decision.UNKNOWN, "")
    assert "not installed" in evidence.claim
    assert evidence.not_checked


def test_without_the_file_nothing_is_accepted():
    evidence = judged((), (), replace(submission_of(), sources=()))
    assert (evidence.decision, evidence.witness) == (Decision.UNKNOWN, "")
