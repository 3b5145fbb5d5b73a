from __future__ import annotations

import re
from dataclasses import dataclass, field

from .version import Version

_HEADING = re.compile(r"##\s+\[?([^\]\s]+)\]?(?:\s+-\s+(\d{4}-\d\d-\d\d))?\s*$")
_SECTION = re.compile(r"###\s+(\w+)\s*$")


@dataclass
class Release:
    version: Version
    date: str | None = None
    sections: dict[str, list[str]] = field(default_factory=dict)

    def suggested_bump(self) -> str:
        if "Removed" in self.sections:
            return "major"
        if "Added" in self.sections:
            return "minor"
        return "patch"


def parse_changelog(text: str) -> list[Release]:
    """Releases in the order of the file; "Unreleased" is left out."""
    releases: list[Release] = []
    current: Release | None = None
    section: list[str] | None = None
    for line in text.splitlines():
        if match := _HEADING.match(line):
            section = None
            if match[1].lower() == "unreleased":
                current = None
                continue
            current = Release(Version.parse(match[1]), match[2])
            releases.append(current)
        elif (match := _SECTION.match(line)) and current is not None:
            section = current.sections.setdefault(match[1], [])
        elif line.startswith("- ") and section is not None:
            section.append(line[2:].strip())
        elif line.startswith("  ") and section:
            section[-1] += " " + line.strip()
    return releases


def latest(releases: list[Release], pre: bool = False) -> Release | None:
    """The release with the highest version; pre-releases only with ``pre``."""
    candidates = [r for r in releases if pre or not r.version.pre]
    return max(candidates, key=lambda r: r.version, default=None)


def out_of_order(releases: list[Release]) -> list[Version]:
    """Versions that are not below the one listed before them."""
    return [b.version for a, b in zip(releases, releases[1:]) if not b.version < a.version]
