"""Questions that a person has put to rest."""

from dataclasses import replace

import pytest

from analysis.errors import UsageError
from repair.agents.hook_words import words_of
from repair.records.result import AskedView, EvidenceView, PatchView, Result, RiskView, Status
from repair.store.rested import FILE, list_questions, name_question, put_to_rest, read_rested, rest_question


class Run:
    """A recorded run with one answer."""

    id = "20260101-000000-a"
    is_foreign = False

    def __init__(self, result):
        self._result = result

    def result(self):
        return self._result


def patch(function, call, risk):
    asked = AskedView("which?", call, "returns 1", "returns 2")
    found = (EvidenceView("behaviour", "unknown", "", asked=asked), EvidenceView("fixes", "accept", ""))
    return PatchView(
        1, Status.PLAUSIBLE, "shop.py", function, "", "d", evidence=found, risk=RiskView(risk, 0.3, 1, 1, 0.02)
    )


RESULT = Result(Status.PLAUSIBLE, patches=(patch("price", "price(1)", 0.1), patch("cost", "cost(2)", 0.3)))


def test_the_question_of_the_riskiest_patch_is_put_to_rest(tmp_path):
    rest_question(tmp_path, Run(RESULT), " nobody asks for two ")
    assert read_rested(tmp_path) == {"shop.py:cost: cost(2)": "nobody asks for two"}
    assert [name_question(*pair) for pair in list_questions(RESULT)] == [
        "shop.py:cost: cost(2)",
        "shop.py:price: price(1)",
    ]


def test_it_is_the_question_that_an_agent_is_asked(tmp_path):
    """A hook passes over what weighs nothing, and asks what no test runs; resting goes by the same order."""
    weighty = EvidenceView("callers", "unknown", "", asked=AskedView("which?", "price(9)", doubt="callers"))
    line = EvidenceView("coverage", "unknown", "No test runs line 9", asked=AskedView("What should line 9 do?"))
    light = patch("price", "price(1)", 0.1)
    shares = {"callers": 1.0}
    asking = replace(light, evidence=(*light.evidence, line, weighty), risk=replace(light.risk, shares=shares))
    run = Run(Result(Status.PLAUSIBLE, patches=(asking,)))
    rested = []
    for _ in range(3):
        said = words_of(run.result(), read_rested(tmp_path))
        rested.append(said.goes_on)
        rest_question(tmp_path, run, "so it is")
    assert rested == [True, True, False]
    assert list(read_rested(tmp_path)) == ["shop.py:price: What should line 9 do?", "shop.py:price: price(9)"]


def test_without_a_reason_nothing_is_put_to_rest(tmp_path):
    with pytest.raises(UsageError, match="not said why"):
        rest_question(tmp_path, Run(RESULT), "  ")
    assert read_rested(tmp_path) == {}


@pytest.mark.parametrize("result", [None, Result(Status.CERTIFIED)])
def test_a_run_that_asks_nothing_has_nothing_to_rest(tmp_path, result):
    with pytest.raises(UsageError, match="asks no question"):
        rest_question(tmp_path, Run(result), "why")


def test_a_later_reason_replaces_an_earlier_one(tmp_path):
    put_to_rest(tmp_path, "q", "one")
    put_to_rest(tmp_path, "other", "x")
    put_to_rest(tmp_path, "q", "two")
    assert read_rested(tmp_path) == {"other": "x", "q": "two"}


def test_the_oldest_are_forgotten(tmp_path, monkeypatch):
    monkeypatch.setattr("repair.store.rested.MOST_RESTED", 2)
    for number in range(4):
        put_to_rest(tmp_path, f"q{number}", "x")
    assert list(read_rested(tmp_path)) == ["q2", "q3"]


@pytest.mark.parametrize("content", [b"\xff", b"[]", b"{"])
def test_a_damaged_file_holds_none_and_is_written_anew(tmp_path, content):
    (tmp_path / FILE).write_bytes(content)
    assert read_rested(tmp_path) == {}
    put_to_rest(tmp_path, "q", "one")
    assert read_rested(tmp_path) == {"q": "one"}
