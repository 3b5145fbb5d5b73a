"""Two column tables for terminals."""
from itertools import zip_longest

from .wrap import wrap


class TwoColumns:
    """Collects term/description pairs and prints them side by side."""

    def __init__(self, left=20, right=50, gap=2):
        self.left = left
        self.right = right
        self.gap = gap
        self._rows = []

    def add(self, term, description):
        self._rows.append((term, description))
        return self

    def _lines(self):
        for term, description in self._rows:
            terms = wrap(term, self.left)
            texts = wrap(description, self.right)
            for a, b in zip_longest(terms, texts, fillvalue=""):
                yield (a.ljust(self.left + self.gap) + b).rstrip()

    def render(self):
        return "\n".join(self._lines())

    def __len__(self):
        return len(self._rows)


def rule(width, char="-"):
    """A horizontal line exactly `width` characters long."""
    if not char:
        raise ValueError("no character to draw with")
    return (char * width)[:width]


def centre(text, width):
    """Each wrapped line of `text` in the middle of `width` characters."""
    return "\n".join(line.center(width).rstrip() for line in wrap(text, width))
