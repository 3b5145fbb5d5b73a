"""Steps that are recorded, whether they end well or not."""


class Journal:
    """What was begun and how it ended."""

    def __init__(self):
        self.lines = []

    def step(self, name):
        return _Step(self, name)

    def failed(self):
        return [name for name, state in self.lines if state == "failed"]


class _Step:
    """A context manager. Errors are noted and go on; only ``Skip`` ends here."""

    def __init__(self, journal, name):
        self.journal = journal
        self.name = name

    def __enter__(self):
        self.journal.lines.append((self.name, "begun"))
        return self

    def __exit__(self, kind, problem, trace):
        if kind is None:
            state = "done"
        elif issubclass(kind, Skip):
            state = "skipped"
        else:
            state = "failed"
        self.journal.lines.append((self.name, state))
        return state != "done"


class Skip(Exception):
    """Raised in a step that has nothing to do."""
