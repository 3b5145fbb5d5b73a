"""The bench of forecasts: what repeats is foretold, what is drawn is not, and only what came before counts."""

from __future__ import annotations

import random
import statistics
import subprocess
from pathlib import Path

from analysis.facts import FailureClass
from corpora.lab.benchmarks import forecast
from corpora.lab.benchmarks.forecast import HistoryFix, draw, exchange, fixes_of, forecast_figures, forecasts
from repair.memory.prediction import LEAST
from repair.memory.signature import FailureSignature
from transforms.enumerate.order import HAND_SET

SHARES = HAND_SET.family_shares(FailureClass.LOGIC, "")
RARE, *_, USUAL, COMMON = sorted((each for each in SHARES if SHARES[each] > 0), key=lambda each: SHARES[each])


def fix(number: int, family: str, shape: str = "short", project: str = "a") -> HistoryFix:
    return HistoryFix(project, number, FailureSignature("logic", shape=shape), (family,))


TOLD_BY_SHAPE = [fix(n, *((USUAL, "short") if n % 2 else (COMMON, "long loop"))) for n in range(120)]


def mean(fixes: list[HistoryFix], *, of_all: bool = False) -> float:
    return statistics.fmean(each.gain for each in forecasts(fixes, HAND_SET, of_all=of_all))


def test_the_first_fixes_are_foretold_by_nothing() -> None:
    found = forecasts([fix(n, RARE) for n in range(20)], HAND_SET, of_all=False)
    assert [each.gain for each in found[: int(LEAST)]] == [0.0] * int(LEAST)
    assert found[-1].gain > 0


def test_what_belongs_to_a_failure_gains_more_than_the_same_dealt_out_anew() -> None:
    dealt = exchange(TOLD_BY_SHAPE, HAND_SET, random.Random(1))
    assert sorted(each.families for each in dealt) == sorted(each.families for each in TOLD_BY_SHAPE)
    assert [each.signature for each in dealt] == [each.signature for each in TOLD_BY_SHAPE]
    assert mean(TOLD_BY_SHAPE) > mean(dealt) > 0


def test_families_drawn_by_the_order_gain_nothing() -> None:
    drawn = [mean(draw(TOLD_BY_SHAPE, HAND_SET, random.Random(seed))) for seed in range(3)]
    assert statistics.fmean(drawn) < 0.02


def test_another_projects_fixes_count_where_all_are_asked_for() -> None:
    others = [fix(n, RARE, project="b") for n in range(60)]
    own = [fix(60 + n, RARE) for n in range(5)]
    assert forecasts([*others, *own], HAND_SET, of_all=False)[-1].gain == 0
    assert forecasts([*others, *own], HAND_SET, of_all=True)[-1].gain > 0


def test_a_history_is_read_by_date_with_its_families(tmp_path: Path, monkeypatch) -> None:
    def git(*words: str) -> None:
        named = ["-c", "user.name=a", "-c", "user.email=a@example.invalid"]
        subprocess.run(["git", "-C", str(tmp_path), *named, *words], check=True, capture_output=True)

    git("init", "--quiet")
    shop = "def one(n):\n    return n < 3\n\n\ndef two(n):\n    return n > 5\n"
    after = shop.replace("n < 3", "n <= 3")
    for subject, text in (("Begin", shop), ("Fix one", after), ("Fix two", after.replace("n > 5", "n >= 5"))):
        (tmp_path / "shop.py").write_text(text)
        git("add", "--all")
        git("commit", "--quiet", "--message", subject)
    found = fixes_of(tmp_path, None, HAND_SET, lambda line: None)
    assert len(found) == 2
    assert all(each.families and each.signature.shape == "short" for each in found)
    monkeypatch.setattr(forecast, "ROUNDS", 1)
    figures = forecast_figures([tmp_path], None, lambda line: None)
    assert figures[tmp_path.name]["fixes"] == 2
    assert figures["gaining, gain_own"] == 0
