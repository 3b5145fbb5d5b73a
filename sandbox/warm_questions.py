"""Questions about the program that a warm server's tests run: recorded calls, comparisons, work, values at places.

Each question is answered in forks of the server. What comes back is untrusted, and bounded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol, TypeGuard

from analysis.calls import CallInput, Calls, Comparison
from analysis.courses import Followed, FollowQuery
from analysis.facts import FunctionId, TestId
from analysis.line_counts import LineCounts, LineCountsPair, WorkReport
from analysis.synthesis import Forced, Query, Settled, WantedValue
from analysis.trials import Trial
from sandbox.warm_answer import calls_of, follow_request, followed_of, spread_calls
from sandbox.warm_comparison import RECORDED, Ask, Differences
from sandbox.warm_queue import GRACE, WarmQueue

_GRACE, _PATIENCE = 3.0, 8.0
"""Seconds, and times what the server may work, for which its answer about values is waited for."""

_LONGEST_TOLD, _LONGEST_TEXT = 800_000, 400
"""Characters of a server's own picture of a value, and of an expression."""

_MOST_FOUND = 8
"""Expressions that are kept for a place."""

CALLS, SERIES, LINES, SECONDS = 12, 10, 600_000, 6.0
"""Calls of tests, series of larger ones, counted lines, and seconds at most, for the usual effort."""

_CALL_SECONDS = 2.0
"""What one counted call may take."""

_SHARE = 3
"""Calls that each test may give, for the usual effort."""

_MOST_FAILURES = 20
"""Reasons that are kept why no work was counted."""


class Send(Protocol):
    """Queues a request about a function, and gives the number that its answer will have."""

    def __call__(self, task: str, function: FunctionId, **more: object) -> int: ...


class WarmQuestions:
    """Conforms to ``ProgramQuestions``: asks the server behind the queue."""

    def __init__(self, queue: WarmQueue, send: Send) -> None:
        self._queue = queue
        self._send = send
        self._callers: dict[FunctionId, int] = {}

    def record(self, function: FunctionId, most: int, text: bytes = b"") -> Calls:
        """Up to ``most`` distinct calls of the function while the tests run with this text of it; none: as it is."""
        seconds, given = self._queue.seconds + GRACE, text.decode("latin-1")
        answer = self._queue.take(self._send("record", function, seconds=seconds, most=most, text=given))
        calls = calls_of(answer)
        self._callers[function] = len({call.test for call in calls.seen})
        kept = spread_calls(calls.seen, most)
        known = {(call.test, call.input) for call in kept}
        alike = tuple(dict.fromkeys(each for each in calls.plain if each not in known))
        whole = calls.whole and len(spread_calls(calls.seen, most + 1)) == len(kept)
        return Calls(kept, whole, alike)

    def compare(
        self,
        mine: Trial,
        rivals: Sequence[Trial],
        inputs: Sequence[CallInput],
        old: Trial,
        changed_lines: Sequence[int],
        *,
        looser: bool = False,
        against_old: bool = True,
        ends: bool = False,
        asked: Sequence[TestId] = (),
    ) -> Comparison:
        """Run candidate, old function and rivals on copies of the arguments of recorded calls and on the inputs.

        Of tests that are ``asked`` about, more calls are compared than of others.

        With ``ends`` a test goes on with a rival that its call tells apart, and it is told how it ends there.
        """
        if mine.function not in self._callers:
            self.record(mine.function, RECORDED, mine.text)
        share = max(2, -(-RECORDED // max(1, self._callers[mine.function])))
        lines, seconds = tuple(changed_lines), self._queue.seconds
        ask = Ask(mine, old, tuple(inputs), lines, seconds, share, looser, against_old, ends, tuple(asked))
        found = Differences(ask, rivals)
        while groups := found.groups():
            numbers = [self._send("compare", mine.function, **ask.request(group, found.programs)) for group in groups]
            for group, number in zip(groups, numbers, strict=True):
                found.take(group, *self._queue.take(number))
        return found.comparison()

    def work(self, mine: Trial, old: Trial, effort: int = 1) -> WorkReport:
        """Lines that both programs execute on recorded calls and on larger ones."""
        number = self._send(
            "work",
            mine.function,
            mine=mine.text.decode("latin-1"),
            old=old.text.decode("latin-1"),
            most=CALLS * effort,
            share=_SHARE * effort,
            series=SERIES * effort,
            most_lines=LINES * effort,
            call_seconds=_CALL_SECONDS,
            working_seconds=SECONDS * effort,
            seconds=self._queue.seconds + SECONDS * effort + 5.0,
        )
        return report_of(*self._queue.take(number))

    def force(self, ask: Query) -> Callable[[], Forced]:
        """What has to stand at places of the function so that these tests pass; begun at once, and waited for."""
        number = self._send("force", ask.function, **force_request(ask), only=list(ask.only))
        self._queue.flush()
        return lambda: forced_of(ask, *self._queue.take(number))

    def settle(self, ask: Query, wanted: Sequence[WantedValue], *, record: bool) -> Callable[[], Settled]:
        """Expressions that give what is wanted and, with ``record``, in these tests what the program gives now.

        Without ``record`` the tests, which pass, are not run.
        """
        known = [[each.place, each.told] for each in wanted]
        number = self._send("settle", ask.function, **force_request(ask), wanted=known, record=record)
        self._queue.flush()
        return lambda: settled_of(wanted, *self._queue.take(number))

    def follow(self, ask: FollowQuery) -> Followed:
        """The courses of calls of a failing test, or of the passing calls that are nearest to these."""
        number = self._send("follow", ask.function, **follow_request(ask))
        return followed_of(ask, *self._queue.take(number))


def force_request(ask: Query) -> dict[str, object]:
    """What a server is told of the function and its places."""
    return {
        "text": ask.text.decode("latin-1"),
        "places": [[place.number, place.kind.value, place.text, place.level] for place in ask.places],
        "names": list(ask.names),
        "literals": list(ask.literals),
        "working_seconds": ask.seconds,
        "seconds": _PATIENCE * ask.seconds + _GRACE,
    }


def forced_of(ask: Query, state: str, ending: str, lines: Iterable[dict[str, Any]]) -> Forced:
    """What the lines of one fork say."""
    known = {place.number for place in ask.places}
    wanted: dict[int, WantedValue] = {}
    runs, cut, said = 0, False, "" if state == "done" else f"it ended early: {ending}"
    for line in lines:
        place, picture = line.get("place"), line.get("wanted")
        if isinstance(place, int) and place in known and isinstance(picture, str) and len(picture) <= _LONGEST_TOLD:
            wanted.setdefault(place, WantedValue(place, picture, _pairs(line.get("shown"))))
        elif isinstance(line.get("runs"), int):
            runs, cut = line["runs"], line.get("cut") is True
        said = said or _problem(line)
    if cut and not wanted:  # of what was not tried nothing is known
        said = said or f"of the values at one place the time let {runs} be tried, and none mends the failing tests"
    return Forced(tuple(wanted.values()), runs, said)


def _pairs(told: object) -> tuple[tuple[str, str], ...]:
    """Pairs of short texts; none where it is anything else."""
    pairs = [tuple(pair) for pair in told if _are(pair, str, 2)] if isinstance(told, list) else []
    short = (pair for pair in pairs[:_MOST_FOUND] if all(len(text) <= _LONGEST_TEXT for text in pair))
    return tuple((own, given) for own, given in short)


def settled_of(wanted: Sequence[WantedValue], state: str, ending: str, lines: Iterable[dict[str, Any]]) -> Settled:
    """What the lines of one fork say."""
    known = {each.place for each in wanted}
    found: dict[int, tuple[str, ...]] = {}
    said = "" if state == "done" else f"it ended early: {ending}"
    for line in lines:
        place, texts = line.get("place"), line.get("found")
        if isinstance(place, int) and place in known and isinstance(texts, list):
            short = [text for text in texts if isinstance(text, str) and len(text) <= _LONGEST_TEXT]
            found.setdefault(place, tuple(short[:_MOST_FOUND]))
        said = said or _problem(line)
    return Settled(tuple(found.items()), said)


def _problem(line: dict[str, Any]) -> str:
    said = line.get("problem") or line.get("invalid")
    return str(said)[:300] if said else ""


def report_of(state: str, ending: str, lines: Iterable[dict[str, Any]]) -> WorkReport:
    """What the lines of one fork say."""
    calls: list[LineCountsPair] = []
    series: dict[int, list[LineCountsPair]] = {}
    failures: dict[str, None] = {}
    for line in lines:
        weighed = _weighed(line)
        if weighed is not None:
            number = line.get("series")
            (series.setdefault(number, []) if isinstance(number, int) and number else calls).append(weighed)
        elif "failed" in line or "problem" in line or "invalid" in line:
            failures.setdefault(str(next(iter(line.values()))))
    if state != "done":
        failures.setdefault(f"counting ended early: {ending}")
    kept = tuple(failures)[:_MOST_FAILURES]
    return WorkReport(tuple(calls), tuple(tuple(row) for _, row in sorted(series.items())), kept)


def _weighed(line: dict[str, Any]) -> LineCountsPair | None:
    counts, ended, factor = line.get("work"), line.get("ended"), line.get("factor")
    if not (isinstance(factor, int) and _are(counts, int, 4) and _are(ended, bool, 2)):
        return None
    old, new = LineCounts(counts[0], counts[1], ended[0]), LineCounts(counts[2], counts[3], ended[1])
    place, test = str(line.get("place", "")), str(line.get("test", ""))
    return LineCountsPair(str(line.get("call")), old, new, line.get("agree") is True, place, factor, test)


def _are(values: Any, kind: type, count: int) -> TypeGuard[list[Any]]:
    return isinstance(values, list) and len(values) == count and all(type(value) is kind for value in values)
