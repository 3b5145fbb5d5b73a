"""Trials that were run before are answered from memory. This only ranks: gates and cold runs never see it.

A page of the memory belongs to one selection of tests in one world (see ``world``). Whatever a server says for
certain is kept: passed, failed with a test's name, or refused by the target's compiler. One in every fifty
remembered failures is run all the same, which ones is left to chance, since a search draws the same trials each
time; where one ends in another way, the page is thrown away.
"""

from __future__ import annotations

import hashlib
import secrets
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from analysis.calls import CallInput, CallResult, Calls, Comparison
from analysis.facts import Files, FunctionId, InvalidRun, Limits, Point, Ran, Recording, TestId, TestRun
from analysis.line_counts import WorkReport
from analysis.synthesis import Forced, Query, Settled, WantedValue
from analysis.trials import Trial, TrialOutcome, TrialState
from repair.records.ports import Sandbox, WarmSession
from repair.trials.cold import needs_other
from repair.trials.in_flight import UnderWay
from repair.trials.trial_memory import TrialMemory

PROBE_EVERY = 50
MOST_READY = 64
"""Remembered outcomes that may wait while the server is asked for others."""

World = Callable[[Sequence[TestId], Files, Limits | None], bytes]


class RememberingSandbox:
    """Conforms to ``Sandbox``: its warm sessions answer known trials from the memory; all else is as below."""

    def __init__(
        self,
        sandbox: Sandbox,
        memory: TrialMemory,
        world: World,
        chance: Callable[[int], int] = secrets.randbelow,
    ) -> None:
        self._sandbox = sandbox
        self._memory = memory
        self._world = world
        self._chance = chance

    def run(
        self,
        tests: Sequence[TestId],
        files: Files = (),
        *,
        limits: Limits | None = None,
        trace: bool | str = False,
        shuffle: int | None = None,
    ) -> TestRun | InvalidRun:
        """A cold run, never from memory."""
        return self._sandbox.run(tests, files, limits=limits, trace=trace, shuffle=shuffle)

    def warm(
        self,
        tests: Sequence[TestId],
        files: Files = (),
        *,
        limits: Limits | None = None,
        fresh_import: bool = False,
    ) -> WarmSession | InvalidRun:
        """A warm server with the page that belongs to its tests; where each trial imports anew, that is another one."""
        session = self._sandbox.warm(tests, files, limits=limits, fresh_import=fresh_import)
        if isinstance(session, InvalidRun):
            return session
        world = self._world(tests, files, limits)
        page = world + b"fresh import" if fresh_import else world
        return RememberedSession(session, self._memory, page, self._chance(PROBE_EVERY))

    def record_points(
        self, tests: Sequence[TestId], points: Sequence[Point], files: Files = (), *, limits: Limits | None = None
    ) -> Recording | InvalidRun:
        """As the sandbox below says."""
        return self._sandbox.record_points(tests, points, files, limits=limits)

    def apart(
        self,
        function: FunctionId,
        calls: Sequence[CallInput],
        files: Files = (),
        *,
        limits: Limits | None = None,
        like_tests: bool = False,
    ) -> tuple[CallResult | None, ...] | InvalidRun:
        """As the sandbox below says."""
        return self._sandbox.apart(function, calls, files, limits=limits, like_tests=like_tests)

    def compiles(self, files: Files) -> str:
        """As the sandbox below says."""
        return self._sandbox.compiles(files)

    def importable(self, modules: Sequence[str]) -> tuple[str, ...]:
        """As the sandbox below says."""
        return self._sandbox.importable(modules)

    def module(
        self, name: str, args: Sequence[str], files: Files = (), *, limits: Limits | None = None
    ) -> Ran | InvalidRun:
        """As the sandbox below."""
        return self._sandbox.module(name, args, files, limits=limits)

    def sources(self) -> Files:
        """As the sandbox below says."""
        return self._sandbox.sources()

    def close(self) -> None:
        """Close the sandbox below."""
        self._sandbox.close()


class RememberedSession:
    """Conforms to ``WarmSession``: known trials are answered at once, the others by the session below."""

    def __init__(self, session: WarmSession, memory: TrialMemory, world: bytes, hits: int = 0) -> None:
        """``hits`` is where the counting of known failures begins."""
        self._session = session
        self._memory = memory
        self._world = world
        self._hits = hits
        self._trusted = True

    def hindrance(self, function: FunctionId) -> str:
        """Asked anew each time."""
        return self._session.hindrance(function)

    def unfit(self, function: FunctionId) -> tuple[TestId, ...]:
        """As the session below says."""
        return self._session.unfit(function)

    def trials(self, trials: Iterable[Trial]) -> Iterator[TrialOutcome]:
        """Outcomes as they come."""
        source = iter(trials)
        for trial in source:
            known = self._known(trial)
            if known is not None:
                yield known
            else:
                yield from self._asked(trial, source)

    def _asked(self, first: Trial, source: Iterator[Trial]) -> Iterator[TrialOutcome]:
        """Outcomes of the first trial and of those behind it, until too many of them are known ones."""
        ready: deque[TrialOutcome] = deque()
        asked = UnderWay()

        def unknown() -> Iterator[Trial]:
            trial: Trial | None = first
            while trial is not None:
                asked.begin(trial)
                yield trial
                trial = None
                while trial is None and len(ready) < MOST_READY and (drawn := next(source, None)) is not None:
                    known = self._known(drawn)
                    if known is None:
                        trial = drawn
                    else:
                        ready.append(known)

        for outcome in self._session.trials(unknown()):
            while ready:
                yield ready.popleft()
            self._keep(asked.end(outcome.digest), outcome)
            yield outcome
        yield from ready

    def _known(self, trial: Trial) -> TrialOutcome | None:
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
        if not _is_certain(outcome):
            return
        known = self._memory.page(self._world).get(_name(trial))
        if known is not None and known.state is not outcome.state:
            self._memory.forget(self._world)
            self._trusted = False
        if self._trusted:
            self._memory.keep(self._world, _name(trial), outcome)

    def record(self, function: FunctionId, most: int) -> Calls:
        """As the session below."""
        return self._session.record(function, most)

    def compare(
        self,
        mine: Trial,
        rivals: Sequence[Trial],
        inputs: Sequence[CallInput],
        old: Trial,
        changed_lines: Sequence[int],
        looser: bool = False,
    ) -> Comparison:
        """As the session below."""
        return self._session.compare(mine, rivals, inputs, old, changed_lines, looser)

    def work(self, mine: Trial, old: Trial, effort: int = 1) -> WorkReport:
        """As the session below."""
        return self._session.work(mine, old, effort)

    def force(self, ask: Query) -> Callable[[], Forced]:
        """As the session below."""
        return self._session.force(ask)

    def settle(self, ask: Query, wanted: Sequence[WantedValue], *, record: bool) -> Callable[[], Settled]:
        """As the session below."""
        return self._session.settle(ask, wanted, record=record)

    def left(self) -> str:
        """As the session below."""
        return self._session.left()

    def close(self) -> None:
        """Write down what is new, and close the session below."""
        self._memory.write()
        self._session.close()


def _name(trial: Trial) -> bytes:
    """The trial's digest with the place of its function, as a file may define one name twice, and what it is asked."""
    said = "\n".join((f"{trial.function.first_line} {trial.digest}", *trial.only))
    return hashlib.blake2b(said.encode(), digest_size=16).digest()


def _is_certain(outcome: TrialOutcome) -> bool:
    """Whether the same trial would end like this again: no accident of time, memory or a lost server."""
    match outcome.state:
        case TrialState.PASSED:
            return True
        case TrialState.FAILED:
            return outcome.failed is not None
        case TrialState.INVALID:
            return not needs_other(outcome.detail)
        case _:
            return False
