import re
from typing import Iterator, NamedTuple

WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
SKIP = re.compile(r"https?://\S+|\S+@\S+\.\S+|`[^`]*`")


class Token(NamedTuple):
    text: str
    start: int

    @property
    def end(self):
        return self.start + len(self.text)


def tokenize(text: str) -> Iterator[Token]:
    """Yield the words of a text with their offsets.

    Apostrophes inside a word belong to it ("don't"). Web addresses, mail
    addresses and `code` in backticks are skipped.
    """
    skipped = [m.span() for m in SKIP.finditer(text)]
    for match in WORD.finditer(text):
        if any(a <= match.start() < b for a, b in skipped):
            continue
        yield Token(match.group(), match.start())
