"""What a run has come to so far, kept where it can be told when the time of the run is up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from repair.records.events import Event
from repair.records.outcome import Judged, RunOutcome
from repair.records.ports import Submission
from repair.records.result import Status
from repair.records.verdict import TIME_WAS_UP, Decision, Evidence, Verdict

PLAUSIBLE = ("test_quality", "fixes", "regressions")
"""Gates that show a candidate plausible."""

TIME_UP = "the time of the run was up"

MORE_TIME = "give more time with --max-seconds, or name fewer tests"


@dataclass(frozen=True, slots=True)
class Asking:
    """A candidate whose gates are being asked: ``names`` are these gates, ``evidence`` gives what they said so far."""

    submission: Submission
    names: tuple[str, ...]
    required: tuple[str, ...]
    evidence: Callable[[], tuple[Evidence, ...]]
    doubt: Evidence | None = None

    def judge_so_far(self) -> Judged | None:
        """The verdict as far as it goes, with the other gates unknown; ``None`` where it was not shown plausible."""
        said = self.evidence()
        seen = {evidence.gate for evidence in said}
        if any(evidence.decision is Decision.REJECT for evidence in said):
            return Judged(self.submission, Verdict(said, self.required))
        if not {name for name in self.names if name in PLAUSIBLE} <= seen or "fixes" not in seen:
            return None
        cut = tuple(Evidence(name, Decision.UNKNOWN, TIME_WAS_UP) for name in self.names if name not in seen)
        doubts = (self.doubt,) if self.doubt is not None else ()
        return Judged(self.submission, Verdict((*said, *cut, *doubts), self.required))


@dataclass(slots=True)
class Reached:
    """Changes while a run goes on. ``make`` gives its answer as of now; whoever gets further puts in a better one."""

    make: Callable[[], RunOutcome] = lambda: RunOutcome(Status.UNREPAIRED)
    phase: str = ""
    asking: Asking | None = None
    finished: list[Judged] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def hear(self, happened: Event) -> None:
        """Take note of the phase that begins, and of warnings while it goes on. A listener."""
        if happened.type == "phase":
            self.phase = str(dict(happened.fields).get("name", ""))
        elif happened.type == "warning" and self.phase:
            self.warnings.append(str(dict(happened.fields).get("message", "")))

    def list_judged(self) -> tuple[Judged, ...]:
        """The candidates that were judged, and the one under way as far as it goes."""
        last = self.asking.judge_so_far() if self.asking is not None else None
        return (*self.finished, *((last,) if last is not None else ()))

    def settle(self, judged: Judged) -> Judged:
        """A candidate is judged; nobody is asked about it any more."""
        self.asking = None
        self.finished.append(judged)
        return judged

    def forget(self) -> None:
        """Nothing is judged any more: what it was judged by is known to be otherwise."""
        self.asking = None
        self.finished.clear()

    def make_ending(self, why: str = TIME_UP) -> RunOutcome:
        """How the run ends now, and why it does."""
        made = self.make()
        where = f" (during: {self.phase})" if self.phase else ""
        said = f"{why}{where}: this is what was known by then"
        return replace(
            made,
            messages=(*made.messages, said),
            warnings=tuple(dict.fromkeys((*made.warnings, *self.warnings))),
            next_action=made.next_action or MORE_TIME,
        )
