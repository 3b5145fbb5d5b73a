from dataclasses import dataclass
from typing import Any, Callable

from .spec import HookError, HookSpec, implementations


@dataclass
class _Entry:
    priority: int
    plugin: str
    call: Callable


class PluginManager:
    """Keeps plugins by name and calls their hooks."""

    def __init__(self):
        self._specs = {}
        self._plugins = {}
        self._entries = {}

    def declare(self, name: str, first_only: bool = False) -> HookSpec:
        if name in self._specs:
            raise HookError(f"hook {name} is declared twice")
        spec = self._specs[name] = HookSpec(name, first_only)
        self._entries[name] = []
        return spec

    def register(self, plugin: Any, name: str = "") -> str:
        """Add a plugin; all hooks it implements must have been declared."""
        name = name or type(plugin).__name__.lower()
        if name in self._plugins:
            raise HookError(f"plugin {name} is registered already")
        found = implementations(plugin)
        for hook_name, _, _ in found:
            if hook_name not in self._specs:
                raise HookError(f"{name} implements unknown hook {hook_name}")
        self._plugins[name] = plugin
        for hook_name, priority, method in found:
            entries = self._entries[hook_name]
            entries.append(_Entry(priority, name, method))
            entries.sort(key=lambda entry: -entry.priority)
        return name

    def unregister(self, name: str) -> Any:
        try:
            plugin = self._plugins.pop(name)
        except KeyError:
            raise HookError(f"no plugin {name}") from None
        for hook_name, entries in self._entries.items():
            self._entries[hook_name] = [e for e in entries if e.plugin != name]
        return plugin

    def plugins(self) -> list:
        return list(self._plugins)

    def call(self, hook_name: str, **kwargs) -> Any:
        """Call the implementations of a hook, by priority, then in order of registration.

        Returns the list of results. None means "nothing to say" and is left out.
        For a hook declared with first_only the result is the first one that is
        not None, and later implementations are not called any more; None if
        nobody had anything to say.
        """
        spec = self._specs.get(hook_name)
        if spec is None:
            raise HookError(f"unknown hook {hook_name}")
        results = []
        for entry in self._entries[hook_name]:
            result = entry.call(**kwargs)
            if result:
                if spec.first_only:
                    return result
                results.append(result)
        return None if spec.first_only else results
