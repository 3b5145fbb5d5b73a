"""Declaring hooks and marking their implementations."""
from dataclasses import dataclass


class HookError(Exception):
    pass


@dataclass(frozen=True)
class HookSpec:
    name: str
    first_only: bool = False


def hook(function=None, *, name=None, priority=0):
    """Decorator for methods of plugins that implement a hook.

    The hook's name is that of the method unless *name* is given. Higher
    priorities are called earlier.
    """

    def mark(func):
        func._hook = (name or func.__name__, priority)
        return func

    return mark if function is None else mark(function)


def implementations(plugin):
    """[(hook name, priority, bound method)] of the plugin."""
    found = []
    for attribute in dir(plugin):
        if attribute.startswith("__"):
            continue
        method = getattr(plugin, attribute)
        marked = getattr(method, "_hook", None)
        if marked is not None:
            found.append((*marked, method))
    return found
