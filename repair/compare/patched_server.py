"""The warm server over the patched program, lent by one gate to the next."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass

from analysis.facts import Digest, Files, Limits, TestId
from repair.records.ports import Sandbox, Submission
from repair.trials.layered import lay_over
from repair.trials.screening import trial_limits
from repair.trials.trial_router import Selection, TrialRouter

_Asked = tuple[Digest, Files, tuple[TestId, ...]]

Lend = Callable[[Submission], AbstractContextManager[TrialRouter]]
"""Lends sessions with the vouching tests on the patched program."""


@dataclass(frozen=True, slots=True)
class _Kept:
    """Sessions for one submission, and what lay in the files of the warm one before a gate had it."""

    asked: _Asked
    router: TrialRouter
    left: str

    def serves(self, asked: _Asked) -> bool:
        """Whether the next gate finds the same program, and files as they were: not where a test left ``out.txt``."""
        return self.asked == asked and bool(self.left) and self.router.digest_leftovers() == self.left


class PatchedServer:
    """Sessions with the vouching tests on the patched program, one gate at a time.

    Gates ask about one submission after another. Each fork is one of the server as it was when the tests were
    collected, so that nothing in memory goes from gate to gate. The next gate gets a new server where

    - anything was left in the files;
    - the server had to be started again;
    - there was none.

    With ``keep`` whoever judges calls ``close``; else a session ends with its gate.
    """

    def __init__(self, sandbox: Sandbox, limits: Limits, *, keep: bool = False) -> None:
        self._sandbox = sandbox.for_purpose("patched server")
        self._limits = limits
        self._keep = keep
        self._kept: _Kept | None = None

    @contextlib.contextmanager
    def lend(self, submission: Submission, tests: Sequence[TestId] = (), files: Files = ()) -> Iterator[TrialRouter]:
        """The sessions for this submission, and for further tests in further files. The gate does not close them."""
        whole = lay_over(submission.whole, files)
        asked = (submission.candidate.digest, whole, (*submission.vouching, *tests))
        if self._kept is None or not self._kept.serves(asked):
            self.close()
            router = self._open(submission, whole, asked[2])
            self._kept = _Kept(asked, router, router.digest_leftovers() if self._keep else "")
        try:
            yield self._kept.router
        finally:
            if not self._keep:
                self.close()

    def close(self) -> None:
        """End every server."""
        kept, self._kept = self._kept, None
        if kept is not None:
            kept.router.close()

    def _open(self, submission: Submission, files: Files, tests: tuple[TestId, ...]) -> TrialRouter:
        limits = trial_limits(submission.baseline, self._limits, submission.vouching)
        sources = lay_over(submission.sources, files)
        return TrialRouter(self._sandbox, Selection(tests, sources, limits, self._limits, passes=True, files=files))
