class PluginError(Exception):
    """Base class."""


class UnknownPlugin(PluginError, KeyError):
    pass


class MissingDependency(PluginError):
    def __init__(self, plugin, missing):
        super().__init__(f"{plugin} requires {missing}, which is not registered")
        self.plugin = plugin
        self.missing = missing


class DependencyCycle(PluginError):
    def __init__(self, path):
        super().__init__(" -> ".join(path))
        self.path = path
