from datetime import date

import pytest

from spans import Span


def test_days_are_counted_with_both_ends():
    assert Span(date(2024, 2, 28), date(2024, 3, 1)).days == 3


def test_contains():
    march = Span(date(2024, 3, 1), date(2024, 3, 31))
    assert date(2024, 3, 31) in march
    assert date(2024, 4, 1) not in march


def test_starting():
    assert Span.starting(date(2024, 1, 31), 2).last == date(2024, 2, 1)


def test_no_empty_spans():
    with pytest.raises(ValueError, match="at least one day, not 0"):
        Span.starting(date(2024, 1, 1), 0)


def test_backwards_spans_are_refused():
    with pytest.raises(ValueError, match="span ends"):
        Span(date(2024, 5, 2), date(2024, 5, 1))


def test_backwards_spans_say_which_end_is_which():
    with pytest.raises(ValueError, match="ends on 2024-05-01, before 2024-05-02"):
        Span(date(2024, 5, 2), date(2024, 5, 1))
