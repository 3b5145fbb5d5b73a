"""A sandbox that runs the unpatched program once for all patches of a bug: only the observation before the gates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from analysis.facts import Files, FunctionId, InvalidRun, Limits, TestId, TestRun
from repair.compare.patched_server import Lend
from repair.engine.choosing import RivalsOfChange, find_rivals_of_change
from repair.engine.diagnosing import Diagnosed
from repair.engine.ranking import is_rival
from repair.engine.second_opinion import CLOSING_SECONDS, Asked, AskingTime, Given, ask_second
from repair.hunt.search_parts import SearchParts
from repair.records.events import Event
from repair.records.ports import Sandbox, Submission
from repair.trials.layered import LayeredSandbox


class SharedBaseline(LayeredSandbox):
    """Until the gates of a patch begin, a run that was made before is not made again.

    The gates run everything themselves: their verdict and their seconds are those of ``repair check``.
    """

    def __init__(self, sandbox: Sandbox) -> None:
        super().__init__(sandbox, ())
        self._known: dict[Any, TestRun | InvalidRun] = {}
        self._observing = True

    def hear(self, happened: Event) -> None:
        """Learn from the engine's events when the observation begins and ends."""
        if happened.type == "phase":
            self._observing = dict(happened.fields)["name"] != "gates"

    def for_purpose(self, purpose: str) -> SharedBaseline:
        """The same one: what is known stays known, whoever asks."""
        return self

    def run(
        self,
        tests: Sequence[TestId],
        files: Files = (),
        *,
        limits: Limits | None = None,
        trace: bool | str = False,
        shuffle: int | None = None,
        steady: bool = True,
    ) -> TestRun | InvalidRun:
        """One cold run, or what the same one gave."""
        if not self._observing:
            return super().run(tests, files, limits=limits, trace=trace, shuffle=shuffle, steady=steady)
        key = (tuple(tests), files, limits, trace, shuffle, steady)
        if key not in self._known:
            self._known[key] = super().run(tests, files, limits=limits, trace=trace, shuffle=shuffle, steady=steady)
        return self._known[key]


class SharedOpinion:
    """Asks a model for a second opinion once for all patches of one bug that edit the same function.

    It does not see any of them, so the answer to the first is that to all.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[FunctionId, tuple[TestId, ...]], Asked | None] = {}

    def __call__(
        self, parts: SearchParts, seen: Diagnosed, sources: Files, function: FunctionId, time: AskingTime
    ) -> Asked | None:
        """As ``ask_second``."""
        key = function, seen.baseline.failing
        if key not in self._known:
            asked = ask_second(parts, seen, sources, function, time)
            self._known[key] = asked and Given(asked.wait())
            if asked is not None:
                asked.drop()
                asked.close(CLOSING_SECONDS)
        return self._known[key]


class SharedRivals:
    """Searches for rivals once for all patches of one bug that edit the same function, around the first of them."""

    def __init__(self) -> None:
        self._known: dict[tuple[FunctionId, tuple[TestId, ...]], RivalsOfChange] = {}

    def __call__(
        self,
        parts: SearchParts,
        submission: Submission,
        seen: Diagnosed,
        seconds: float,
        lend: Lend | None = None,
    ) -> RivalsOfChange:
        """As ``find_rivals_of_change``."""
        candidate = submission.candidate
        key = candidate.function, seen.baseline.failing
        if key not in self._known:
            self._known[key] = find_rivals_of_change(parts, submission, seen, seconds, lend)
        known = self._known[key]
        return replace(known, found=tuple(each for each in known.found if is_rival(each, candidate)))
