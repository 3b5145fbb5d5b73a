from dataclasses import dataclass


@dataclass
class Edit:
    """At `pos` the text `old` was replaced by `new`."""

    pos: int
    old: str
    new: str

    def apply(self, text):
        return text[: self.pos] + self.new + text[self.pos + len(self.old):]

    def revert(self, text):
        return text[: self.pos] + self.old + text[self.pos + len(self.new):]

    @property
    def is_insertion(self):
        return not self.old and bool(self.new)
