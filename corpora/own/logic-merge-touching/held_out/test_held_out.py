import random

from intervals import gaps, merge, total


def test_against_a_set():
    rng = random.Random(4)
    for _ in range(200):
        intervals = [(a, a + rng.randint(-1, 6)) for a in (rng.randint(0, 30) for _ in range(rng.randint(0, 8)))]
        numbers = {n for start, end in intervals for n in range(start, end)}
        merged = merge(intervals)
        assert {n for start, end in merged for n in range(start, end)} == numbers
        assert all(before[1] < after[0] for before, after in zip(merged, merged[1:]))
        assert total(intervals) == len(numbers)
        assert len(gaps(intervals)) == max(0, len(merged) - 1)
