"""Trials that were run before are answered from memory. This only ranks: gates and cold runs never see it.

A page of the memory belongs to one selection of tests in one world (see ``world``). Whatever a server says for certain
is kept: passed, failed with a test's name, or refused by the target's compiler. One in every fifty remembered failures
is run all the same. Chance decides which ones, since a search draws the same trials each time. Where one ends in
another way, the page is thrown away.
"""

from __future__ import annotations

import hashlib
import secrets
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from analysis.facts import Files, FunctionId, Limits, TestId
from analysis.trials import Trial, TrialOutcome, TrialState
from repair.records.ports import ProgramQuestions, TrialServer
from repair.trials.trial_memory import TrialMemory, World, is_certain
from repair.trials.trial_router import UnderWay

PROBE_EVERY = 50
MOST_READY = 64
"""Remembered outcomes that may wait while the server is asked for others."""


@dataclass(frozen=True, slots=True)
class Remembering:
    """Wraps the servers that a sandbox opens, so that known trials are answered from the memory."""

    memory: TrialMemory
    world: World
    chance: Callable[[int], int] = secrets.randbelow

    def wrap(
        self, server: TrialServer, tests: Sequence[TestId], files: Files, limits: Limits | None, *, fresh_import: bool
    ) -> RememberedSession:
        """The server with the page that belongs to its tests; where each trial imports anew, that is another one."""
        world = self.world(tests, files, limits)
        page = world + b"fresh import" if fresh_import else world
        return RememberedSession(server, self.memory, page, self.chance(PROBE_EVERY))


class RememberedSession:
    """Conforms to ``TrialServer``: known trials are answered at once, the others by the session below."""

    def __init__(self, session: TrialServer, memory: TrialMemory, world: bytes, hits: int = 0) -> None:
        """``hits`` is where the counting of known failures begins."""
        self._session = session
        self._memory = memory
        self._world = world
        self._hits = hits
        self._trusted = True

    def hindrance(self, function: FunctionId) -> str:
        """Asked anew each time."""
        return self._session.hindrance(function)

    def find_unfit_tests(self, function: FunctionId) -> tuple[TestId, ...]:
        """As the session below says."""
        return self._session.find_unfit_tests(function)

    def trials(self, trials: Iterable[Trial]) -> Iterator[TrialOutcome]:
        """Outcomes as they come."""
        source = iter(trials)
        for trial in source:
            known = self._recall(trial)
            if known is not None:
                yield known
            else:
                yield from self._ask(trial, source)

    def _ask(self, first: Trial, source: Iterator[Trial]) -> Iterator[TrialOutcome]:
        """Outcomes of the first trial and of those behind it, until too many of them are known ones."""
        ready: deque[TrialOutcome] = deque()
        asked = UnderWay()

        def unknown() -> Iterator[Trial]:
            yield first
            while len(ready) < MOST_READY and (drawn := next(source, None)) is not None:
                known = self._recall(drawn)
                if known is None:
                    yield drawn
                else:
                    ready.append(known)

        for outcome in self._session.trials(asked.begin_all(unknown())):
            while ready:
                yield ready.popleft()
            self._keep(asked.end(outcome.digest), outcome)
            yield outcome
        yield from ready

    def _recall(self, trial: Trial) -> TrialOutcome | None:
        """What is remembered of the trial; nothing where it is its turn to be run again."""
        found = self._memory.page(self._world).get(_name(trial)) if self._trusted else None
        if found is None:
            return None
        if found.state is TrialState.FAILED:
            self._hits += 1
            if self._hits % PROBE_EVERY == 0:
                return None
        return replace(found, digest=trial.digest, remembered=True)

    def _keep(self, trial: Trial, outcome: TrialOutcome) -> None:
        if not is_certain(outcome):
            return
        known = self._memory.page(self._world).get(_name(trial))
        if known is not None and known.state is not outcome.state:
            self._memory.forget(self._world)
            self._trusted = False
        if self._trusted:
            self._memory.keep(self._world, _name(trial), outcome)

    def questions_about(self, function: FunctionId) -> ProgramQuestions:
        """Those of the session below."""
        return self._session.questions_about(function)

    def digest_leftovers(self) -> str:
        """As the session below."""
        return self._session.digest_leftovers()

    def close(self) -> None:
        """Write down what is new, and close the session below."""
        self._memory.write()
        self._session.close()


def _name(trial: Trial) -> bytes:
    """The trial's digest with the place of its function, as a file may define one name twice, and what it is asked."""
    said = "\n".join((f"{trial.function.first_line} {trial.digest}", *trial.only))
    return hashlib.blake2b(said.encode(), digest_size=16).digest()
