import pytest

from quota.limiter import RateLimiter
from quota.limits import Limit


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


CASES = [
    # limits, times of earlier hits, now, wait
    ([(2, 60)], [], 0, 0),
    ([(2, 60)], [0], 10, 0),
    ([(2, 60)], [0, 10], 10, 50),
    ([(2, 60)], [0, 10], 59, 1),
    ([(2, 60)], [0, 10], 60, 0),
    ([(3, 60), (1, 1)], [0, 1, 2], 2.5, 57.5),
    ([(1, 1), (3, 60)], [0, 1, 2], 2.5, 57.5),
    ([(3, 60), (1, 1)], [0, 1, 59], 59.5, 0.5),
    ([(1, 1), (3, 60)], [0, 1, 59], 59.5, 0.5),
    ([(1, 10), (3, 25)], [0, 10, 20], 20, 10),
    ([(3, 25), (1, 10)], [0, 10, 20], 20, 10),
    ([(1, 10), (2, 20)], [9, 19], 19, 10),
    ([(2, 20), (1, 10)], [2, 19], 19.5, 9.5),
    ([(1, 10), (2, 20)], [2, 19], 19.5, 9.5),
    ([(2, 5), (4, 30), (5, 100)], [0, 10, 20, 31, 31], 31, 69),
    ([(5, 100), (4, 30), (2, 5)], [0, 10, 20, 31, 31], 31, 69),
    ([(4, 30), (5, 100), (2, 5)], [0, 10, 20, 31, 31], 31, 69),
    ([(2, 5), (4, 30), (9, 100)], [0, 10, 20, 29], 29.5, 0.5),
    ([(100, 60), (1, 1)], [0], 0.25, 0.75),
    ([(1, 1), (100, 60)], [0], 0.25, 0.75),
]


@pytest.mark.parametrize("limits, hits, now, wait", CASES)
def test_retry_after(limits, hits, now, wait):
    clock = Clock()
    lim = RateLimiter(*(Limit(*l) for l in limits), clock=clock)
    for t in hits:
        clock.now = float(t)
        assert lim.allow("k")
    clock.now = float(now)
    assert lim.retry_after("k") == pytest.approx(wait)
    assert lim.retry_after("stranger") == 0
    # and it is true: just before it is refused, then allowed
    if wait:
        clock.now = now + wait - 0.001
        assert lim.remaining("k") == 0
    clock.now = now + wait + 1e-9
    assert lim.remaining("k") > 0


def test_asking_does_not_count():
    clock = Clock()
    lim = RateLimiter("2/minute", "1/second", clock=clock)
    for _ in range(5):
        lim.retry_after("k")
    assert lim.remaining("k") == 1
    assert not lim._hits.get("k")
