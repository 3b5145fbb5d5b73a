from .errors import DependencyCycle, MissingDependency, PluginError, UnknownPlugin


class Registry:
    """Registers plugins, starts and stops them together with what they need.

    A plugin is only enabled while all plugins it requires are enabled.
    """

    def __init__(self):
        self._specs = {}
        self._enabled = []      # in the order in which they were started
        self.errors = {}        # name -> exception of its stop hook

    def register(self, spec):
        if spec.name in self._specs:
            raise PluginError(f"{spec.name} is already registered")
        self._specs[spec.name] = spec

    def is_enabled(self, name):
        self._get(name)
        return name in self._enabled

    def enabled(self):
        return list(self._enabled)

    def enable(self, name):
        """Start a plugin, and before it everything it requires.

        Optional dependencies are not started for it. Returns the names of those
        that were started now, in order.
        """
        started = []
        self._enable(name, (), started)
        return started

    def _enable(self, name, path, started):
        if name in self._enabled:
            return
        if name in path:
            raise DependencyCycle(path[path.index(name):] + (name,))
        spec = self._get(name)
        for needed in spec.requires:
            if needed not in self._specs:
                raise MissingDependency(name, needed)
            self._enable(needed, path + (name,), started)
        if spec.start is not None:
            spec.start()
        self._enabled.append(name)
        started.append(name)

    def disable(self, name):
        """Stop a plugin, and before it all enabled plugins that cannot run without it.

        That is every plugin that requires it, directly or by way of others. Each
        is stopped once, and none while a plugin that requires it is still
        running. Returns the names of those that were stopped now, in order: an
        empty list if the plugin is not enabled.
        """
        self._get(name)
        if name not in self._enabled:
            return []
        order = []
        for other in self.enabled():
            if name in self._specs[other].requires:
                order += self.disable(other)
        self._stop(name)
        order.append(name)
        return order

    def shutdown(self):
        """Stop everything, the last started first."""
        order = self._enabled[::-1]
        for name in order:
            self._stop(name)
        return order

    def _stop(self, name):
        """Run the stop hook; if it fails the plugin counts as stopped all the same."""
        try:
            hook = self._specs[name].stop
            if hook is not None:
                hook()
        except Exception as exc:
            self.errors[name] = exc
        self._enabled.remove(name)

    def _get(self, name):
        try:
            return self._specs[name]
        except KeyError:
            raise UnknownPlugin(name) from None
