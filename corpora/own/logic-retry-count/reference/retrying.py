"""Try again what fails now and then."""

import functools


class GaveUp(Exception):
    """The last attempt failed too; the cause is its error."""


def retry(times, on=Exception, between=None):
    """Decorator: call up to ``times`` times while ``on`` is raised; ``between`` is told the number of each failure."""
    if times < 1:
        raise ValueError("at least one attempt is needed")

    def decorate(function):
        @functools.wraps(function)
        def attempt(*args, **kwargs):
            for number in range(1, times + 1):
                try:
                    return function(*args, **kwargs)
                except on as problem:
                    last = problem
                    if between is not None and number < times:
                        between(number)
            raise GaveUp(f"{function.__name__} failed {times} times") from last

        return attempt

    return decorate
