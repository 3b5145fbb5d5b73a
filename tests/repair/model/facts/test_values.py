"""Values that would mend, near-misses of a search, suspects, and what is ours to say."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from fakes.matters import PATH, SHOP, diagnosis, frame_of, matter

from analysis.courses import CallPair
from analysis.errors import OutOfTimeError
from analysis.facts import FailureClass, FunctionId, Suspect, TestId
from analysis.synthesis import Forced, PlaceKind, Query, Settled, WantedValue
from repair.model.facts.advice import pattern, policy, steps
from repair.model.facts.search_finds import near_misses
from repair.model.facts.suspects import ranked_suspects
from repair.model.facts.values import angelic_values
from repair.records.task import NearMiss

LINE = next(n for n, text in enumerate(SHOP.splitlines(), 1) if "total = count" in text)
SCORES = ((LINE, 1.0), (LINE + 1, 0.9), (LINE + 3, 0.8))


class Forcing:
    """Conforms to ``Values``: at places with these texts the pair of values mends."""

    def __init__(self, pairs: dict[str, tuple[str, str]], fails: Exception | None = None) -> None:
        self._pairs, self._fails = pairs, fails

    def force(self, ask: Query) -> Callable[[], Forced]:
        if self._fails is not None:
            raise self._fails
        found = [p for p in ask.places if p.kind in (PlaceKind.VALUE, PlaceKind.CONDITION) and p.text in self._pairs]
        return lambda: Forced(tuple(WantedValue(p.number, "x", (self._pairs[p.text],)) for p in found), 9)

    def settle(self, ask: Query, wanted: Sequence[WantedValue]) -> Callable[[], Settled]:
        raise AssertionError("nothing is settled for a packet")

    def follow(self, function: FunctionId, test: TestId) -> CallPair | None:
        return None


def test_values_that_would_mend_are_told_with_their_place() -> None:
    values = Forcing({"count + rate_of(kind)": ("5", "6"), "total > LIMIT": ("False", "True")})
    assert angelic_values(matter(values=values, scores=SCORES)).splitlines() == [
        "- were `total > LIMIT` in s3 True instead of False, 1 failing test of 1 pass",
        "- were `count + rate_of(kind)` in s2 6 instead of 5, 1 failing test of 1 pass",
    ]


def test_a_value_without_a_text_is_another_one() -> None:
    values = Forcing({"count + rate_of(kind)": ("", "")})
    text = angelic_values(matter(values=values, scores=SCORES))
    assert text == "- were `count + rate_of(kind)` in s2 another value, 1 failing test of 1 pass"


def test_nothing_is_asked_where_nobody_can_tell_or_there_is_no_time() -> None:
    assert angelic_values(matter(scores=SCORES)) == ""
    values = Forcing({}, AssertionError("it was asked"))
    assert angelic_values(matter(values=values, scores=SCORES, seconds_left=lambda: 2.0)) == ""
    assert angelic_values(matter("f", "def f():\n    pass\n", values=values)) == ""


def test_a_search_that_is_over_leaves_the_fact_out() -> None:
    values = Forcing({}, OutOfTimeError("the search is over"))
    assert angelic_values(matter(values=values, scores=SCORES)) == ""


FUNCTION = FunctionId(PATH, "Shop.price", 28)


def near(text: str, passed: int, reason: str, qualname: str = "Shop.price") -> NearMiss:
    own = matter().plan.function
    function = own if qualname == "Shop.price" else FunctionId(PATH, qualname, 1)
    return NearMiss(function, "arithmetic", text, passed, 3, reason)


def test_three_near_misses_of_different_behaviour_are_told_the_best_first() -> None:
    old = matter().context.scope.text.decode()
    edits = [
        near(old.replace("count +", "count -"), 1, "failed test_b"),
        near(old.replace("count +", "count %"), 1, "failed test_b"),
        near(old.replace("count +", "count *"), 2, "failed test_c"),
        near(old.replace("count +", "count /"), 1, "failed test_d"),
        near(old.replace("count +", "count //"), 1, "failed test_e"),
        near(old, 3, "failed test_f", "Shop.rounded"),
    ]
    text = near_misses(matter(near=lambda: edits))
    assert text.startswith("arithmetic: 2 of 3 failing tests pass, then: failed test_c\n    -        total = count +")
    assert "\n    +        total = count * rate_of(kind)" in text
    assert text.count("failing tests pass") == 3
    assert "count %" not in text
    assert "test_f" not in text
    assert near_misses(matter()) == ""


def test_suspects_have_place_head_first_sentence_and_the_lines_that_ran() -> None:
    given = matter(scores=SCORES)
    report = Suspect(FunctionId(PATH, "report", SHOP.splitlines().index("def report(shop):") + 1), 0.5, (), ())
    gone = Suspect(FunctionId("gone.py", "f", 3), 0.1, ())
    text = ranked_suspects(matter(scores=SCORES, suspects=(given.plan.suspect, report, gone)))
    first, second, third = text.split("\n\n")
    assert first.startswith(
        "1. shop.py:Shop.price (run by 1 of 1 failing tests)\n   def price(self, count, kind='a')\n"
    )
    assert '   """What so many things cost."""' in first
    assert f"   {LINE}: total = count + rate_of(kind)" in first
    assert second.startswith("2. shop.py:report\n")
    assert third == "3. gone.py:f"


def test_of_many_lines_the_most_suspicious_are_told() -> None:
    scores = tuple((line, line / 100) for line in range(LINE, LINE + 4))
    body = "def f():\n" + "".join(f"    x{n} = {n}\n" for n in range(40))
    text = ranked_suspects(matter("f", body, scores=tuple((n, 0.5) for n in range(2, 42)) + scores[:0]))
    assert "… and 36 more lines" in text


@pytest.mark.parametrize(
    ("failure_class", "subclass", "first"),
    [
        (FailureClass.LOGIC, "wrong_value", "1. Follow the failing call"),
        (FailureClass.LOGIC, "text", "1. Find which statement makes the part"),
        (FailureClass.RUNTIME_SAFETY, "none", "1. Say whether None is legal"),
        (FailureClass.RUNTIME_SAFETY, "division", "1. Say which value has not"),
        (FailureClass.CONTRACT, "message", "1. Say which inputs"),
        (FailureClass.ENVIRONMENT, "network", ""),
    ],
)
def test_steps_follow_the_subclass_or_the_class(failure_class: FailureClass, subclass: str, first: str) -> None:
    text = steps(matter(diagnoses=(diagnosis(failure_class=failure_class, subclass=subclass),)))
    assert text.startswith(first)
    assert bool(text) == bool(first)


def test_the_policy_says_what_is_refused_and_that_the_rest_is_allowed() -> None:
    text = policy(matter())
    assert "Refused: another name, parameter, default" in text
    assert "Everything else inside the function is allowed" in text
    assert "may go" not in text
    assert "may become `None`" not in text


RAISING = "def f(x, seen=[]):\n    if x < 0:\n        raise ValueError('no')\n    return x\n"


def test_a_raise_that_the_failure_is_about_may_go_and_a_shared_default_may_change() -> None:
    frames = (frame_of(PATH, 3, "f", 1),)
    contract = diagnosis("no", "ValueError", FailureClass.CONTRACT, "unexpected_raise", frames)
    text = policy(matter("f", RAISING, diagnoses=(contract,)))
    assert "The guard or raise at line 3, where the traceback ends, may go." in text
    assert "may become `None`" in text
    unsafe = diagnosis("no", "ValueError", FailureClass.RUNTIME_SAFETY, "conversion", frames)
    assert "may go" not in policy(matter("f", RAISING, diagnoses=(unsafe,)))


def test_only_the_pattern_of_this_exception_is_told() -> None:
    key = diagnosis("'a'", "KeyError", FailureClass.RUNTIME_SAFETY, "key")
    text = pattern(matter(diagnoses=(key,)))
    assert "has no such key" in text
    assert text.count("An example, before:") == 1
    strange = diagnosis("odd", "OddError", FailureClass.ENVIRONMENT, "unknown", test=TestId("t.py::t"), frames=())
    assert pattern(matter(diagnoses=(strange,))) == ""
