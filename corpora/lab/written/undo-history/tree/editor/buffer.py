from .commands import Delete, Insert, Replace
from .history import History


class Buffer:
    """A text with its history."""

    def __init__(self, text="", undo_limit=100):
        self.text = text
        self.history = History(self, undo_limit)

    def insert(self, pos, text):
        self.history.run(Insert(pos, text))

    def append(self, text):
        self.insert(len(self.text), text)

    def delete(self, pos, count=1):
        self.history.run(Delete(pos, count))

    def replace(self, old, new):
        self.history.run(Replace(old, new))

    def undo(self, times=1):
        """Undo up to ``times`` commands and say how many were undone."""
        return sum(1 for _ in range(times) if self.history.undo())

    def redo(self, times=1):
        return sum(1 for _ in range(times) if self.history.redo())
