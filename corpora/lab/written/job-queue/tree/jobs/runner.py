class Runner:
    """Runs the jobs of a queue with functions registered under their names."""

    def __init__(self, queue, retry_after=60):
        self.queue = queue
        self.retry_after = retry_after
        self._functions = {}
        self.failed = []

    def register(self, name, function, every=None):
        self._functions[name] = (function, every)

    def tick(self, now, limit=None):
        """Run what is due; returns the names that went well."""
        done = []
        for name in self.queue.pop_due(now, limit):
            function, every = self._functions.get(name, (None, None))
            if function is None:
                self.failed.append((name, "unknown"))
                continue
            try:
                function()
            except Exception as exc:
                self.failed.append((name, str(exc)))
                self.queue.add(name, now + self.retry_after)
            else:
                done.append(name)
                if every:
                    self.queue.add(name, now + every)
        return done
