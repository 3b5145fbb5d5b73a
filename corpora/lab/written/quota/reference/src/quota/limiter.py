"""Sliding window rate limiter.

A limiter may have several limits at once, for instance 5/second and
100/minute. A request is let through only if it's within all of them.
"""
import time
from collections import defaultdict, deque

from .limits import Limit, parse_limit


class RateLimiter:
    def __init__(self, *limits, clock=time.monotonic):
        if not limits:
            raise ValueError("no limits given")
        self.limits = [l if isinstance(l, Limit) else parse_limit(l) for l in limits]
        self.clock = clock
        self._hits = defaultdict(deque)

    def _trim(self, hits, now):
        """Forget hits that are out of every window."""
        longest = max(limit.seconds for limit in self.limits)
        while hits and hits[0] <= now - longest:
            hits.popleft()

    def allow(self, key):
        """Count a request of ``key``; False if it has to be refused.

        Refused requests don't count against the limits.
        """
        now = self.clock()
        hits = self._hits[key]
        self._trim(hits, now)
        for limit in self.limits:
            recent = sum(1 for t in hits if t > now - limit.seconds)
            if recent >= limit.count:
                return False
        hits.append(now)
        return True

    def remaining(self, key):
        """How many more requests would be allowed right now."""
        now = self.clock()
        hits = self._hits.get(key, ())
        left = []
        for limit in self.limits:
            recent = sum(1 for t in hits if t > now - limit.seconds)
            left.append(max(0, limit.count - recent))
        return min(left)

    def retry_after(self, key):
        """Seconds until the next request of ``key`` would be allowed."""
        now = self.clock()
        hits = self._hits.get(key, ())
        wait = 0.0
        for limit in self.limits:
            recent = [t for t in hits if t > now - limit.seconds]
            if len(recent) >= limit.count:
                wait = max(wait, recent[0] + limit.seconds - now)
        return wait

    def reset(self, key=None):
        if key is None:
            self._hits.clear()
        else:
            self._hits.pop(key, None)
