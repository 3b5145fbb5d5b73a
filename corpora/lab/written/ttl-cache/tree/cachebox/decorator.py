import functools

from .cache import TTLCache

_MISSING = object()


def cached(maxsize=128, ttl=None, **options):
    """Remember the results of a function by its (hashable) arguments.

    The cache is there as `func.cache`; func.refresh(*args) calls the
    function in any case and stores the new result.
    """
    def decorate(func):
        cache = TTLCache(maxsize, ttl, **options)

        def key_of(args, kwargs):
            return args + tuple(sorted(kwargs.items()))

        @functools.wraps(func)
        def wrapper(*args, **kwargs):
            key = key_of(args, kwargs)
            result = cache.get(key, _MISSING)
            if result is _MISSING:
                result = func(*args, **kwargs)
                cache.set(key, result)
            return result

        def refresh(*args, **kwargs):
            result = func(*args, **kwargs)
            cache.set(key_of(args, kwargs), result)
            return result

        wrapper.cache = cache
        wrapper.refresh = refresh
        return wrapper

    return decorate
