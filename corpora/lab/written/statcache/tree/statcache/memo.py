import functools

from .cache import Cache

_MISSING = object()


def memoize(max_size=128, ttl=None, **options):
    """Decorator: remember the results of a function of hashable arguments."""

    def decorate(func):
        cache = Cache(max_size, ttl, **options)

        @functools.wraps(func)
        def wrapper(*args, **kwargs):
            key = (args, tuple(sorted(kwargs.items())))
            value = cache.get(key, _MISSING)
            if value is _MISSING:
                value = func(*args, **kwargs)
                cache.put(key, value)
            return value

        wrapper.cache = cache
        return wrapper

    return decorate
