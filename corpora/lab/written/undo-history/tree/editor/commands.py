"""Commands that can be applied to a text and taken back."""


class Insert:
    def __init__(self, pos, text):
        self.pos, self.text = pos, text

    def apply(self, buffer):
        if not 0 <= self.pos <= len(buffer.text):
            raise IndexError(self.pos)
        buffer.text = buffer.text[:self.pos] + self.text + buffer.text[self.pos:]

    def revert(self, buffer):
        buffer.text = buffer.text[:self.pos] + buffer.text[self.pos + len(self.text):]


class Delete:
    def __init__(self, pos, count):
        self.pos, self.count = pos, count
        self.removed = ""

    def apply(self, buffer):
        self.removed = buffer.text[self.pos:self.pos + self.count]
        buffer.text = buffer.text[:self.pos] + buffer.text[self.pos + self.count:]

    def revert(self, buffer):
        buffer.text = buffer.text[:self.pos] + self.removed + buffer.text[self.pos:]


class Replace:
    """Swap every ``old`` for ``new``."""

    def __init__(self, old, new):
        self.old, self.new = old, new
        self.before = None

    def apply(self, buffer):
        self.before = buffer.text
        buffer.text = buffer.text.replace(self.old, self.new)

    def revert(self, buffer):
        buffer.text = self.before
