from datetime import date

import pytest

from workdays import workdays


@pytest.mark.parametrize(("first", "last", "expected"), [
    (date(2024, 4, 6), date(2024, 4, 7), 0), (date(2024, 4, 5), date(2024, 4, 8), 2),
    (date(2024, 1, 1), date(2024, 12, 31), 262), (date(2024, 4, 13), date(2024, 4, 13), 0),
])
def test_counts(first, last, expected):
    assert workdays(first, last) == expected
