"""Glue between the limiter and request handlers."""
import math
from functools import wraps


class TooManyRequests(Exception):
    def __init__(self, retry_after):
        super().__init__(f"retry in {retry_after}s")
        self.retry_after = retry_after


def limited(limiter, key=lambda request: request["user"]):
    """Decorator for a handler that takes a request."""

    def decorate(handler):
        @wraps(handler)
        def wrapper(request):
            who = key(request)
            if not limiter.allow(who):
                raise TooManyRequests(math.ceil(limiter.retry_after(who)))
            return handler(request)

        return wrapper

    return decorate


def headers(limiter, who):
    out = {"X-RateLimit-Remaining": str(limiter.remaining(who))}
    wait = limiter.retry_after(who)
    if wait > 0:
        out["Retry-After"] = str(math.ceil(wait))
    return out
