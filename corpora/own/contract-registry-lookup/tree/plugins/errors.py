"""Errors that users of plugins see."""


class PluginError(Exception):
    """Something is wrong with a plugin."""


class UnknownPlugin(PluginError):
    """No plugin has that name."""

    def __init__(self, name, known):
        self.name = name
        self.known = tuple(known)
        super().__init__(f"no plugin {name!r}; known are {', '.join(known) or 'none'}")
