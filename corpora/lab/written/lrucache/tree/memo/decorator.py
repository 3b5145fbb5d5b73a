import functools

from .cache import Cache, _MISSING


def cached(capacity=128, ttl=None, **options):
    """Remember what a function returned, by its arguments."""
    def wrap(func):
        cache = Cache(capacity, ttl, **options)

        @functools.wraps(func)
        def inner(*args, **kwargs):
            key = (args, tuple(sorted(kwargs.items())))
            value = cache.get(key, _MISSING)
            if value is _MISSING:
                value = func(*args, **kwargs)
                cache.put(key, value)
            return value

        inner.cache = cache
        return inner
    return wrap
