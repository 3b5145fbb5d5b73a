"""The warm server over a patched program, lent by one gate to the next, and by one patch of a function to another."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass

from analysis.facts import Files, FunctionId, InvalidRun, Limits, TestId
from analysis.trials import TrialState
from repair.compare.comparing import open_versions
from repair.records.ports import Sandbox, Submission
from repair.trials.layered import lay_over
from repair.trials.screening import stop_hangs, trial_limits
from repair.trials.trial_router import Selection, TrialRouter, TrialTier

Lend = Callable[[Submission], AbstractContextManager[TrialRouter]]
"""Lends sessions with the vouching tests on the patched program."""

MOST_KEPT = 2
"""Servers that are kept at a time: one with examples of a docstring among its tests, and one without."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """A function, all files without its text, and tests. Patches alike in this differ in one text."""

    function: FunctionId
    beside: Files
    tests: tuple[TestId, ...]


@dataclass(frozen=True, slots=True)
class _Kept:
    """Sessions over the program with the ``text``, and what lay in the files of the warm one before a gate had it."""

    text: bytes
    router: TrialRouter
    left: str

    def serves(self, submission: Submission) -> bool:
        """Whether the next gate finds files as they were, not where a test left ``out.txt``, and its own program.

        That of another patch it can be asked about where its text can be put in, and its tests pass with it.
        """
        if not self.left or self.router.digest_leftovers() != self.left:
            return False
        return self.text == submission.candidate.text or self._takes(submission)

    def _takes(self, submission: Submission) -> bool:
        mine = open_versions(submission).mine
        session = self.router.session(TrialTier.WARM)
        if isinstance(session, InvalidRun) or self.router.tier_of(mine.function) is not TrialTier.WARM:
            return False
        return [outcome.state for outcome in session.trials([mine])] == [TrialState.PASSED]


class PatchedServer:
    """Sessions with the vouching tests on the patched program, one gate at a time.

    Each fork is one of the server as it was when the tests were collected, so that nothing in memory goes from gate to
    gate. Gates put in the text that they ask about. So another patch of the function can be judged on the server of the
    first. The next gate gets a new server where

    - another text does not pass there, or more than the text is another one;
    - anything was left in the files;
    - the server had to be started again;
    - there was none.

    With ``keep`` whoever judges calls ``close``; else a session ends with its gate.
    """

    def __init__(self, sandbox: Sandbox, limits: Limits, *, keep: bool = False) -> None:
        self._sandbox = sandbox.for_purpose("patched server")
        self._limits = limits
        self._keep = keep
        self._kept: dict[_Asked, _Kept] = {}

    @contextlib.contextmanager
    def lend(self, submission: Submission, tests: Sequence[TestId] = (), files: Files = ()) -> Iterator[TrialRouter]:
        """The sessions for this submission, and for further tests in further files. The gate does not close them."""
        asked = _read_request(submission, tests, files)
        kept = self._kept.get(asked)
        if kept is None or not kept.serves(submission):
            self._make_room(asked)
            router = self._open(submission, files, asked.tests)
            kept = _Kept(submission.candidate.text, router, router.digest_leftovers() if self._keep else "")
            self._kept[asked] = kept
        try:
            yield kept.router
        finally:
            if not self._keep:
                self.close()

    def close(self) -> None:
        """End every server."""
        while self._kept:
            self._kept.popitem()[1].router.close()

    def _make_room(self, asked: _Asked) -> None:
        """End the server that is replaced, those of other programs, and the oldest of too many."""
        alike = [each for each in self._kept if each.function == asked.function and each != asked]
        for each in [each for each in self._kept if each not in alike[1 - MOST_KEPT :]]:
            self._kept.pop(each).router.close()

    def _open(self, submission: Submission, files: Files, tests: tuple[TestId, ...]) -> TrialRouter:
        limits = trial_limits(submission.baseline, self._limits, submission.vouching)
        limits = stop_hangs(limits, submission.baseline, submission.vouching)
        whole = lay_over(submission.whole, files)
        sources = lay_over(submission.sources, whole)
        return TrialRouter(self._sandbox, Selection(tests, sources, limits, self._limits, passes=True, files=whole))


def _read_request(submission: Submission, tests: Sequence[TestId], files: Files) -> _Asked:
    function, text = submission.candidate.function, submission.candidate.text
    beside = tuple((p, c.replace(text, b"", 1) if p == function.path else c) for p, c in submission.whole)
    return _Asked(function, lay_over(beside, files), (*submission.vouching, *tests))
