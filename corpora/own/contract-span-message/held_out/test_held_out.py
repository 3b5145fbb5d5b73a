from datetime import date

import pytest

from spans import Span


def test_message():
    with pytest.raises(ValueError) as caught:
        Span(date(2020, 12, 31), date(2019, 1, 1))
    assert str(caught.value) == "span ends on 2019-01-01, before 2020-12-31"


def test_one_day():
    assert Span(date(2020, 1, 1), date(2020, 1, 1)).days == 1
