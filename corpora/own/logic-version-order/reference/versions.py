"""Version numbers like 1.10.0rc2."""

import functools
import re
from dataclasses import dataclass

PATTERN = re.compile(r"(\d+(?:\.\d+)*)(?:(a|b|rc)(\d+))?")


@functools.total_ordering
@dataclass(frozen=True)
class Version:
    """Numbers, and for a pre-release its stage and number."""

    numbers: tuple
    stage: str = ""
    count: int = 0

    @classmethod
    def parse(cls, text):
        found = PATTERN.fullmatch(text.strip())
        if found is None:
            raise ValueError(f"no version: {text!r}")
        numbers = tuple(int(part) for part in found[1].split("."))
        return cls(numbers, found[2] or "", int(found[3] or 0))

    def _key(self):
        plain = self.numbers
        while plain and plain[-1] == 0:
            plain = plain[:-1]
        return plain, self.stage or "z", self.count

    def __lt__(self, other):
        return self._key() < other._key()

    def __eq__(self, other):
        return isinstance(other, Version) and self._key() == other._key()

    def __hash__(self):
        return hash(self._key())

    def __str__(self):
        return ".".join(map(str, self.numbers)) + (f"{self.stage}{self.count}" if self.stage else "")


def newest(texts):
    return str(max(map(Version.parse, texts)))
