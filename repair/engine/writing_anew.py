"""A function that cannot be parsed is written anew by a model, its code hidden: there is no stable tree to patch.

A stub takes the place of its body, so that the rest of the program can be seen. The failing tests are mended on that
program as on any other, by the model alone. What comes of it is told as a change of the file as it stands. Nobody knows
what the function did before: so a patch of it stays in doubt.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from analysis.diagnosis import is_test_path
from analysis.exception_kinds import Subclass
from analysis.facts import Diagnosis, FailureClass, Files, FunctionId, SeenError
from analysis.malformed import UnreadFunction, find_malformed
from analysis.root_cause import RootCause
from repair.engine.deciding import place_of
from repair.engine.judging import add_doubt
from repair.records.events import Listener, event
from repair.records.outcome import Judged, RunOutcome
from repair.records.result import Status
from repair.records.task import RepairTask
from repair.records.verdict import Decision, Evidence
from repair.trials.layered import lay_over
from transforms.patch.diff import unified_diff
from transforms.tree.proposal import EditKind

WRITTEN_ANEW = "written_anew"
"""The name under which a patch is in doubt whose function could not be read before."""

MODEL = "model"
"""The name of the proposer that writes functions anew."""

LEAST_SECONDS = 5.0
"""With less time than this it is not begun."""

_PLACE = re.compile(r"\(([\w.-]+\.py), line \d+\)")

FixOver = Callable[[Files, RepairTask], RunOutcome]
"""Mends the failing tests by a model alone, on the program with these files laid over it."""


@dataclass(frozen=True, slots=True)
class WritingAnew:
    """Writes anew the one function for which a file of these ``sources`` cannot be parsed."""

    sources: Files
    fix_over: FixOver
    listen: Listener

    def mend(self, task: RepairTask, ending: RunOutcome, seconds: float) -> RunOutcome:
        """How it ends then, in so many seconds; the ending as it was where no such function is found."""
        named = _named_files(ending)
        if not named or seconds < LEAST_SECONDS:
            return ending
        found = self._find(named)
        if found is None:
            said = f"{', '.join(sorted(named))}: no one function is at fault whose head can be read"
            return replace(ending, messages=(*ending.messages, said))
        function = found.function
        where = f"{function.path}:{function.qualname}"
        if task.function and not where.endswith(task.function.replace("::", ":")):
            return ending
        self.listen(event("written_anew", function=function.qualname, file=function.path))
        asked = replace(task, function=where, budget=replace(task.budget, max_seconds=seconds))
        mended = self.fix_over(((function.path, found.stubbed),), asked)
        if not mended.diagnoses:
            said = f"no failing test runs {where} once it can be parsed: {'; '.join(mended.messages)}"
            return replace(ending, messages=(*ending.messages, said))
        return self._tell(mended, found, " ".join(ending.messages[:1]))

    def _find(self, named: set[str]) -> UnreadFunction | None:
        files = ((p, text) for p, text in self.sources if p.rsplit("/", 1)[-1] in named and not is_test_path(p))
        return next((found for path, text in files if (found := find_malformed(path, text)) is not None), None)

    def _tell(self, mended: RunOutcome, found: UnreadFunction, said: str) -> RunOutcome:
        """The ending as one of the program as it stands, for the ending and for its causes."""
        causes = tuple(replace(each, ending=self._tell_one(each.ending, found, said)) for each in mended.causes)
        return replace(self._tell_one(mended, found, said), causes=causes)

    def _tell_one(self, ending: RunOutcome, found: UnreadFunction, said: str) -> RunOutcome:
        judged = sorted((self._rebase(each, found) for each in ending.judged), key=place_of)
        status = Status(judged[0].verdict.status.value) if judged else ending.status
        diagnoses = tuple(_of_format(each, said) for each in ending.diagnoses)
        causes = tuple(_root_cause(each, found.function, said) for each in diagnoses)
        return replace(ending, status=status, judged=tuple(judged), diagnoses=diagnoses, root_causes=causes)

    def _rebase(self, judged: Judged, found: UnreadFunction) -> Judged:
        """The patch as a change of the file as it stands, with the doubt that comes with that."""
        path, submission = found.function.path, judged.submission
        before, after = dict(self.sources)[path], dict(submission.candidate.files)[path]
        diff = unified_diff(path, before, after)
        candidate = replace(submission.candidate, before=found.text, diff=diff, edit_kind=EditKind.REWRITE)
        told = replace(submission, candidate=candidate, sources=lay_over(submission.sources, ((path, before),)))
        return add_doubt(replace(judged, submission=told), _doubt(found.function))


def _named_files(ending: RunOutcome) -> set[str]:
    """The names of the files of which the ending says that they cannot be parsed."""
    if ending.status is not Status.UNPARSEABLE:
        return set()
    texts = (*ending.messages, *(each.failure.message for each in ending.diagnoses))
    return {name for text in texts for name in _PLACE.findall(text)}


def _doubt(function: FunctionId) -> Evidence:
    name = function.qualname
    claim = f"{name} could not be parsed: what it did before is not known, and no more is compared than its tests say"
    return Evidence(WRITTEN_ANEW, Decision.UNKNOWN, claim, question=f"Does {name} do all that it did before?")


def _of_format(diagnosis: Diagnosis, said: str) -> Diagnosis:
    """The diagnosis of a test that could not run, in place of what it says of the stub."""
    seen = SeenError("SyntaxError", ("SyntaxError", "Exception"), said, ())
    failure = replace(diagnosis.failure, exceptions=(seen,), message=said)
    return Diagnosis(failure, FailureClass.FORMAT, Subclass.SYNTAX, ())


def _root_cause(diagnosis: Diagnosis, function: FunctionId, said: str) -> RootCause:
    scope, reason = "the whole function", "its text cannot be parsed: there is no stable tree to patch"
    claim = f"{said}; in {function.qualname} ({function.path}:{function.first_line})"
    return RootCause(diagnosis.failure.test, claim, function, function.first_line, scope, "rewrite", reason)
