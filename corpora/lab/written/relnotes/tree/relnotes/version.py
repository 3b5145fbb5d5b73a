from __future__ import annotations

import re
from dataclasses import dataclass
from functools import total_ordering

_PATTERN = re.compile(r"v?(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?$")


@total_ordering
@dataclass(frozen=True, eq=True)
class Version:
    """MAJOR.MINOR.PATCH with an optional pre-release part (``1.4.0-rc.1``)."""

    major: int
    minor: int
    patch: int
    pre: tuple[str, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Version:
        match = _PATTERN.match(text.strip())
        if match is None:
            raise ValueError(f"not a version: {text!r}")
        major, minor, patch, pre = match.groups()
        parts = tuple(pre.split(".")) if pre else ()
        if pre and "" in parts:
            raise ValueError(f"not a version: {text!r}")
        return cls(int(major), int(minor), int(patch), parts)

    def __str__(self) -> str:
        text = f"{self.major}.{self.minor}.{self.patch}"
        return f"{text}-{'.'.join(self.pre)}" if self.pre else text

    @property
    def core(self) -> tuple[int, int, int]:
        return self.major, self.minor, self.patch

    def __lt__(self, other: Version) -> bool:
        """Order as in semantic versioning.

        The numbers decide first. A pre-release comes before the release
        itself. Pre-release parts are compared one by one: numeric parts as
        numbers, others as text, a numeric part before a textual one; when all
        are equal the shorter list comes first.

        >>> Version.parse("1.0.0-rc.1") < Version.parse("1.0.0")
        True
        """
        if not isinstance(other, Version):
            return NotImplemented
        if self.core != other.core:
            return self.core < other.core
        if not self.pre or not other.pre:
            return bool(self.pre) and not other.pre
        return self.pre < other.pre

    def bump(self, part: str) -> Version:
        """The next release; a pre-release of that very release loses its suffix."""
        if part == "major":
            if self.pre and self.minor == self.patch == 0:
                return Version(*self.core)
            return Version(self.major + 1, 0, 0)
        if part == "minor":
            if self.pre and self.patch == 0:
                return Version(*self.core)
            return Version(self.major, self.minor + 1, 0)
        if part == "patch":
            if self.pre:
                return Version(*self.core)
            return Version(self.major, self.minor, self.patch + 1)
        raise ValueError(f"unknown part {part!r}")
