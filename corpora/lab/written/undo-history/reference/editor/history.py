class History:
    """Undo and redo of commands on one buffer.

    Running a new command after an undo starts a new line of work: what was
    undone can no longer be redone. At most ``limit`` commands can be undone;
    the oldest are forgotten first. A command that raises leaves the history
    as it was.
    """

    def __init__(self, buffer, limit=100):
        if limit < 1:
            raise ValueError("limit must be at least 1")
        self.buffer = buffer
        self.limit = limit
        self._done = []
        self._undone = []

    @property
    def can_undo(self):
        return bool(self._done)

    @property
    def can_redo(self):
        return bool(self._undone)

    def run(self, command):
        command.apply(self.buffer)
        self._undone.clear()
        self._done.append(command)
        if len(self._done) > self.limit:
            self._done.pop(0)

    def undo(self):
        """Take back the last command; False when there is none."""
        if not self._done:
            return False
        command = self._done.pop()
        command.revert(self.buffer)
        self._undone.append(command)
        return True

    def redo(self):
        """Run the last undone command again; False when there is none."""
        if not self._undone:
            return False
        command = self._undone.pop()
        command.apply(self.buffer)
        self._done.append(command)
        return True
