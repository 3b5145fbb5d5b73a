from datetime import datetime, timedelta

import pytest

from analyse import bursts
from parse import Entry

START = datetime(2024, 1, 1, 23, 59)


def at(seconds):
    return [Entry(START + timedelta(seconds=s), "ERROR", "db", str(s)) for s in seconds]


@pytest.mark.parametrize("seconds, options, want", [
    ([], {}, []),
    ([0], {}, []),
    ([0], {"size": 1}, [[0]]),
    ([0, 100], {"size": 1}, [[0], [100]]),
    ([0, 1, 2], {}, [[0, 1, 2]]),
    ([0, 1], {}, []),
    ([0, 60, 120], {}, [[0, 60, 120]]),
    ([0, 61, 122], {}, []),
    ([0, 60, 121, 181], {"size": 2}, [[0, 60], [121, 181]]),
    ([0, 30, 60, 90, 120, 150], {}, [[0, 30, 60, 90, 120, 150]]),
    ([0, 50, 100, 400, 450, 500], {}, [[0, 50, 100], [400, 450, 500]]),
    ([0, 50, 100, 400, 450], {}, [[0, 50, 100]]),
    ([0, 1, 400, 450, 500], {}, [[400, 450, 500]]),
    ([0, 400, 800, 801, 802], {}, [[800, 801, 802]]),
    ([0, 1, 2, 400], {}, [[0, 1, 2]]),
    ([0, 5, 10, 20], {"gap": 5}, [[0, 5, 10]]),
    ([0, 5, 10, 20], {"gap": 5, "size": 4}, []),
    ([0, 0, 0], {"gap": 0}, [[0, 0, 0]]),
    ([0, 0, 1, 1, 1], {"gap": 0}, [[1, 1, 1]]),
    ([0, 90000, 90001, 90002], {}, [[90000, 90001, 90002]]),
    ([0, 86401, 172802], {}, []),
])
def test_bursts(seconds, options, want):
    entries = at(seconds)
    assert [[int(e.message) for e in group] for group in bursts(entries, **options)] == want
    assert entries == at(seconds)


def test_bursts_are_separate_lists():
    a, b = bursts(at([0, 1, 2, 400, 401, 402]))
    a.clear()
    assert len(b) == 3
