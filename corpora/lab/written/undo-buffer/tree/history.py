class History:
    """Done and undone edits.

    Insertions that continue each other directly are joined into one step, so
    that typing a word is undone at once.  A step is closed by a line break,
    by seal() and by any undo or redo: what is typed after that is a step of
    its own.
    """

    def __init__(self, limit=100):
        self.limit = limit
        self._done = []
        self._undone = []
        self._open = False

    def record(self, edit):
        self._undone.clear()
        last = self._done[-1] if self._done else None
        if (
            self._open
            and last is not None
            and edit.is_insertion
            and last.is_insertion
            and edit.pos == last.pos + len(last.new)
        ):
            last.new += edit.new
        else:
            self._done.append(edit)
            del self._done[: -self.limit]
        self._open = edit.is_insertion and not edit.new.endswith("\n")

    def seal(self):
        """Close the current step (the cursor was moved, the file saved...)."""
        self._open = False

    def undo(self):
        """Take back the last step and return it; None if there is none."""
        if not self._done:
            return None
        edit = self._done.pop()
        self._undone.append(edit)
        return edit

    def redo(self):
        """Do the last undone step again and return it; None if there is none."""
        if not self._undone:
            return None
        self._open = False
        edit = self._undone.pop()
        self._done.append(edit)
        return edit

    @property
    def steps(self):
        return len(self._done)

    @property
    def can_redo(self):
        return bool(self._undone)
