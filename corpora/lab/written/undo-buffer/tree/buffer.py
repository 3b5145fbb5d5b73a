from edits import Edit
from history import History


class Buffer:
    def __init__(self, text="", limit=100):
        self.text = text
        self.cursor = len(text)
        self.history = History(limit)

    def type(self, chars):
        """Insert at the cursor."""
        if not chars:
            return
        self._do(Edit(self.cursor, "", chars))

    def backspace(self, count=1):
        start = max(0, self.cursor - count)
        if start == self.cursor:
            return
        self._do(Edit(start, self.text[start:self.cursor], ""))

    def replace(self, start, end, new):
        if not 0 <= start <= end <= len(self.text):
            raise IndexError("range outside of the text")
        if self.text[start:end] != new:
            self._do(Edit(start, self.text[start:end], new))

    def move(self, pos):
        self.cursor = max(0, min(pos, len(self.text)))
        self.history.seal()

    def _do(self, edit):
        self.text = edit.apply(self.text)
        self.cursor = edit.pos + len(edit.new)
        self.history.record(edit)

    def undo(self):
        edit = self.history.undo()
        if edit is None:
            return False
        self.text = edit.revert(self.text)
        self.cursor = edit.pos + len(edit.old)
        return True

    def redo(self):
        edit = self.history.redo()
        if edit is None:
            return False
        self.text = edit.apply(self.text)
        self.cursor = edit.pos + len(edit.new)
        return True
