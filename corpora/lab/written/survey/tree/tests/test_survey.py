import pytest

from survey.histogram import (
    bin_counts,
    bin_labels,
    even_edges,
    mean,
    median,
    percentile_rank,
)
from survey.report import bar, histogram_lines, summary
from survey.responses import Survey, parse_number


@pytest.fixture
def lunch():
    survey = Survey("Canteen", ["taste", "price"])
    survey.add("ann", taste=7, price=3)
    survey.add("bob", taste=10)
    survey.add("cid", taste=2, price="")
    return survey


def test_values_skip_blanks(lunch):
    assert lunch.values("price") == [3]


def test_unknown_question(lunch):
    with pytest.raises(KeyError):
        lunch.add("dot", colour="red")


def test_response_rate(lunch):
    assert lunch.response_rate("taste") == 1.0
    assert lunch.response_rate("price") == pytest.approx(1 / 3)


def test_parse_number():
    assert parse_number(" 7.5 ") == 7.5
    assert parse_number("7") == 7
    assert parse_number("") is None


def test_even_edges():
    assert even_edges(0, 10, 2) == [0, 5, 10]


def test_bin_counts():
    assert bin_counts([1, 2, 7], [0, 5, 10]) == [2, 1]


def test_histogram_of_taste(lunch):
    lines = histogram_lines(lunch.values("taste"), even_edges(0, 10, 2), width=4)
    assert lines == ["0-5 ## 1", "5-10 #### 2"]


def test_labels():
    assert bin_labels([0, 2.5, 5]) == ["0-2.5", "2.5-5"]


def test_averages():
    assert mean([1, 2, 6]) == 3
    assert median([5, 1, 3, 2]) == 2.5


def test_bar():
    assert bar(1, 2, 10) == "#####"
    assert bar(0, 0) == ""


def test_summary(lunch):
    assert summary(lunch, "taste") == "taste: n=3 mean=6.33 median=7"


def test_percentile_rank():
    assert percentile_rank([1, 2, 2, 3], 2) == 25.0
