"""Texts that are cut, so that they fit into a line."""

from __future__ import annotations

from dataclasses import replace

import pytest

from repair.records.result import STILL_FAILING, Counts, FindingView, Result, RiskView, Status
from repair.show.lines import brief_call, counted_unseen, headline, rated_like, risk_in_words, shorten, shorten_both


@pytest.mark.parametrize(
    ("one", "other", "shown"),
    [
        ("short", "shorter", ("short", "shorter")),
        ("1" * 30, "2" * 30, ("1" * 20 + "…", "2" * 20 + "…")),
        ("a" * 50 + "1", "a" * 50 + "2", ("…" + "a" * 10 + "1", "…" + "a" * 10 + "2")),
        ("a" * 50, "a" * 60, ("…" + "a" * 10, "…" + "a" * 19 + "…")),
        ("", "a" * 30, ("", "a" * 20 + "…")),
    ],
)
def test_two_texts_are_cut_where_it_is_seen_how_they_differ(one, other, shown):
    assert shorten_both(one, other, 20) == shown
    assert one == other or shown[0] != shown[1]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("price(10, discount=6)", "price(10,…"),
        ("price(10) on Cart(a)", "price(10)…"),
        ("a word that is long", "a word that…"),
        ("[1, 2], [3, 4]", "[1, 2], [3,…"),
        ("a" * 20, "aaaaaaaaaaaa…"),
        ("f(aaaaaaaaaaaaaaa", "f(aaaaaaaaaa…"),
        ("f(1, aaaaaaaaaaaaaa", "f(1, aaaaaaa…"),
        ("price(10)", "price(10)"),
    ],
)
def test_a_text_is_cut_behind_a_word_or_a_bracket_where_one_is_near(text: str, shown: str) -> None:
    assert shorten(text, 12) == shown


def test_a_risk_is_told_with_what_was_counted_of_patches_rated_like_it() -> None:
    """The number is a model's: patches by people at 99.9 % were wrong far less often."""
    risk = RiskView(0.999, 0.999, 90, 21, 0.02, like=90, like_upper=0.3896)
    assert rated_like(risk) == "at most 39 of 100 rated like it were wrong, by 90 judged ones"
    said = risk_in_words(risk)
    assert said.startswith("Risk 99.9 %: what all doubts and measures come to")
    for part in ("90 patches of 21 projects", rated_like(risk), "one patch in five", "2.0 % at most", "cannot say"):
        assert part in said


def test_a_certificate_is_told_with_those_that_were_wrong_in_programs_that_no_rule_knew() -> None:
    risk = RiskView(0.011, 0.381, 341, 57, 0.02, unseen=36, unseen_wrong=8)
    assert counted_unseen(risk) == "8 of 36 certificates for programs that no rule knew were wrong"
    assert counted_unseen(risk) in risk_in_words(risk)
    assert counted_unseen(replace(risk, unseen=0)) == ""


def test_of_an_older_record_nothing_is_told_as_counted() -> None:
    risk = RiskView(0.269, 0.41, 341, 57, 0.02)
    assert rated_like(risk) == ""
    assert "Counted" not in risk_in_words(risk)


STATE = "draw() on Table(_max_width=80, _precision=3, _deco=15, _rows=[], _valign=['t', 'b'])"


@pytest.mark.parametrize(
    ("call", "diff", "most", "shown"),
    [
        (STATE, "+        if not self._rows:", 60, "draw() on Table(_rows=[], …)"),
        (STATE, "+ return None", 40, "draw() on Table(…)"),
        (STATE, "+        if not self._rows:", 100, STATE),
        (STATE, "_max_width _precision _deco _rows _valign", 40, "draw() on Table(_max_width=80,…"),
        ("price(1, 2, 3, 4)", "price", 12, "price(1, 2,…"),
        ("draw() on <Table object>, with 0 rows and more", "rows", 20, "draw() on <Table…"),
        ("draw() on Table(_rows=" + "[" * 3000, "_rows", 30, "draw() on Table(_rows=[[[[[[[[…"),
        ("f('a on b', 33333333333333333)", "b", 20, "f('a on b',…"),
    ],
)
def test_of_a_long_instance_what_the_change_names_stays(call: str, diff: str, most: int, shown: str) -> None:
    assert brief_call(call, most, diff) == shown


def test_of_a_long_instance_what_tells_it_from_others_stays() -> None:
    """Two calls that end otherwise must not look the same."""
    other = STATE.replace("_max_width=80", "_max_width=-80")
    assert brief_call(STATE, 60, "_rows", (STATE, other)) == "draw() on Table(_max_width=80, _rows=[], …)"
    assert brief_call(other, 60, "_rows", (STATE, other)) == "draw() on Table(_max_width=-80, _rows=[], …)"


def test_who_had_no_time_to_judge_what_passes_does_not_say_that_nothing_was_found() -> None:
    late = Result(Status.UNREPAIRED, counts=Counts(candidates=9, plausible=8))
    assert headline(late) == "Nothing that passes the failing tests was judged in the time that there was."
    assert headline(replace(late, counts=Counts(candidates=9))) == "No plausible patch was found."


def test_tests_that_fail_still_are_said_first() -> None:
    found = Result(Status.PLAUSIBLE, findings=(FindingView(STILL_FAILING, "t fails still", "a.py", 1),))
    assert headline(found) == "No failing test is mended, and tests that run what it changes fail still."
