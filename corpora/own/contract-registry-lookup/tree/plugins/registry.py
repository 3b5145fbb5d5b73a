"""The registry."""

from plugins.errors import PluginError, UnknownPlugin


class Registry:
    """Plugins under their names and aliases."""

    def __init__(self):
        self._plugins = {}
        self._aliases = {}

    def register(self, name, plugin, aliases=()):
        if name in self._plugins:
            raise PluginError(f"{name} is registered already")
        self._plugins[name] = plugin
        for alias in aliases:
            self._aliases[alias] = name

    def resolve(self, name):
        """The plugin of that name or alias."""
        real = self._aliases.get(name, name)
        return self._plugins[real]

    def names(self):
        return sorted(self._plugins)
