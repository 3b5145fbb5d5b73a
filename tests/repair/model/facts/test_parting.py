"""Where the failing call parts from a passing one, as a model is told it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from fakes.matters import CHEAP, TEST, matter

from analysis.courses import CallPair, Course, CourseStep, Glance
from analysis.errors import OutOfTimeError
from analysis.facts import FunctionId, TestId
from analysis.synthesis import Forced, Query, Settled, WantedValue
from repair.model.facts.values import first_parting

FUNCTION = matter().plan.function
LINES = matter().lines_of(FUNCTION.path)


def line_of(text: str) -> int:
    return next(number for number, line in enumerate(LINES, 1) if text in line)


class Following:
    """Conforms to ``Values``: knows one pair of calls."""

    def __init__(self, pair: CallPair | None, fails: Exception | None = None) -> None:
        self._pair, self._fails = pair, fails

    def force(self, ask: Query) -> Callable[[], Forced]:
        raise AssertionError("nothing is forced for this fact")

    def settle(self, ask: Query, wanted: Sequence[WantedValue]) -> Callable[[], Settled]:
        raise AssertionError("nothing is settled for a packet")

    def follow(self, function: FunctionId, test: TestId) -> CallPair | None:
        assert (function, test) == (FUNCTION, TEST)
        if self._fails is not None:
            raise self._fails
        return self._pair


def price(test: TestId, count: str, total: Glance, *lines: str, ending: tuple[str, str, str], **held: str) -> Course:
    given = [Glance("self", "Shop"), Glance("count", "positive int", count)]
    given += [Glance(f"self.{name}", "str", text) for name, text in held.items()]
    steps = [CourseStep(line_of("total = count"), (total,)), *(CourseStep(line_of(line)) for line in lines)]
    return Course(test, tuple(given), tuple(steps), ending)


FAILING = price(
    TEST, "3", Glance("total", "zero int", "0"), "if total > LIMIT", "return self.rounded",
    ending=("returned", "zero int", "0"), name="'x'", password="'hunter2-canary'",
)  # fmt: skip
PASSING = price(
    CHEAP, "9", Glance("total", "positive int", "11"), "if total > LIMIT", "total = math.floor", "return self.rounded",
    ending=("raised", "TypeError", "bad  thing"), name="'x'", password="'other'",
)  # fmt: skip


def test_both_calls_are_told_and_what_first_parts_them() -> None:
    assert first_parting(matter(values=Following(CallPair(FAILING, PASSING)))).splitlines() == [
        f"the failing call, of {TEST}: price(count=3), where self.password is '[hidden]', returns 0",
        f"a call like it that passes, of {CHEAP}: price(count=9), where self.password is '[hidden]',"
        " raises TypeError: bad  thing",
        "- behind s2: `total` is 0 here, 11 in the passing call",
        "- behind s3: the failing call goes on with s5, the passing call goes on with s4",
    ]


def test_nothing_is_told_where_they_do_not_part_or_nobody_knows() -> None:
    assert first_parting(matter(values=Following(CallPair(FAILING, FAILING)))) == ""
    assert first_parting(matter(values=Following(None))) == ""
    assert first_parting(matter()) == ""
    assert first_parting(matter(values=Following(None, OutOfTimeError("the search is over")))) == ""


def test_nothing_is_asked_when_there_is_no_time() -> None:
    values = Following(None, AssertionError("it was asked"))
    assert first_parting(matter(values=values, seconds_left=lambda: 2.0)) == ""
