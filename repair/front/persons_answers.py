"""What a person answered to questions of earlier runs, laid as tests over the project."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from analysis.errors import UsageError
from analysis.facts import InvalidRun, Limits, Outcome, TestId, TestRun
from repair.compare.answers import FORMS, PersonsAnswer, answer_file, ids_of_answers
from repair.records.ports import Sandbox
from repair.trials.layered import LayeredSandbox


def lay_answers_over(
    base: Sandbox, answers: Sequence[PersonsAnswer], near: Sequence[str], limits: Limits
) -> tuple[Sandbox, tuple[TestId, ...]]:
    """The sandbox with the answers as tests ``near`` others, and those of them that fail without a patch.

    Raises ``UsageError`` for an answer that cannot be tried.
    """
    if not answers:
        return base, ()
    path, content = answer_file(answers, base.sources(), near)
    layered = LayeredSandbox(base, ((path, content),))
    run = layered.run([TestId(path)], limits=limits)
    ids = ids_of_answers(path, answers)
    found = [run.outcome(test) for test in ids] if isinstance(run, TestRun) else []
    for answer, outcome in itertools.zip_longest(answers, found):
        if outcome not in (Outcome.PASSED, Outcome.FAILED):
            said = run.detail if isinstance(run, InvalidRun) else "its test was not collected"
            raise UsageError(f"The answer {str(answer)!r} cannot be tried: {said}", where="--answer", remedy=FORMS)
    return layered, tuple(test for test, outcome in zip(ids, found, strict=True) if outcome is Outcome.FAILED)
