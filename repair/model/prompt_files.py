"""Prompts as data: files of named parts, whose lines are sentences with addresses, and one digest of all of them.

A file has parts under headings of the second level; what stands above the first is for people. ``rules/task:2`` is the
second line of the part ``task`` of `rules.md`. ``{word}`` in a line is filled in by who uses it.
"""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from types import MappingProxyType

from analysis.errors import UsageError
from analysis.facts import Digest, digest
from repair.records.config import PROMPTS

FOLDER = "prompts"
_HEADING = re.compile(r"## (?P<name>[a-z_]+)")
_HOLE = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Prompts:
    """The parts by their names, ``file/part``, each a tuple of lines; ``digest`` changes with any byte of any file."""

    parts: Mapping[str, tuple[str, ...]]
    digest: Digest

    def has(self, part: str) -> bool:
        """Whether there is such a part."""
        return part in self.parts

    def text(self, part: str, **values: object) -> str:
        """The lines of one part, its holes filled. Raises ``KeyError`` for a part or a hole that nobody knows."""
        return (
            _HOLE.sub(lambda hole: str(values[hole[1]]), "\n".join(self.parts[part])) if values else self._plain(part)
        )

    def _plain(self, part: str) -> str:
        return "\n".join(self.parts[part])

    def sentence(self, address: str) -> str:
        """One line by its address, ``rules/task:2``. Raises ``KeyError`` where there is none."""
        part, _, number = address.rpartition(":")
        lines = self.parts.get(part, ())
        if not number.isdigit() or not 1 <= int(number) <= len(lines):
            raise KeyError(address)
        return lines[int(number) - 1]


def read_prompts(files: Mapping[str, str]) -> Prompts:
    """The prompts of these texts, by the names of their files without an ending.

    Raises ``ValueError`` where a part has no name, no line, or stands twice.
    """
    parts: dict[str, tuple[str, ...]] = {}
    for name, text in sorted(files.items()):
        for heading, *lines in (block.split("\n") for block in re.split(r"^(?=## )", text, flags=re.MULTILINE)[1:]):
            found = _HEADING.fullmatch(heading.rstrip())
            part = f"{name}/{found['name']}" if found else ""
            told = tuple("\n".join(lines).strip("\n").split("\n"))
            if not part or part in parts or told == ("",):
                raise ValueError(f"{name}.md: the part {heading.strip()!r} has no name, no line, or stands twice")
            parts[part] = told
    return Prompts(MappingProxyType(parts), digest(*(piece for pair in sorted(files.items()) for piece in pair)))


@functools.cache
def packaged_files() -> Mapping[str, str]:
    """The texts of the prompts that the package has, patterns and all, by the names of their files.

    A folder that ``REPAIR_PROMPTS`` names has files of the same names in place of them: so a tuned prompt is tried.
    """
    folder = resources.files(__package__).joinpath(FOLDER)
    if own := os.environ.get(PROMPTS):
        if not Path(own).is_dir():
            raise UsageError("The folder of prompts is not there", where=own, remedy="Mend or unset REPAIR_PROMPTS.")
        texts = {each.name: each.read_text("utf-8") for each in folder.iterdir() if each.is_file()}
        return MappingProxyType({name: _own_text(Path(own, name), text) for name, text in texts.items()})
    return MappingProxyType({each.name: each.read_text("utf-8") for each in folder.iterdir() if each.is_file()})


def _own_text(file: Path, packaged: str) -> str:
    """The text of the user's file; the packaged one where there is none.

    Raises ``UsageError`` for no text, and where a part of the packaged one is not there, or wants what nobody fills in.
    """
    try:
        text = file.read_text("utf-8")
        own, known = (read_prompts({file.stem: each}).parts for each in (text, packaged))
        for part, lines in known.items():
            wanted, filled = (set(_HOLE.findall("\n".join(each))) for each in (own.get(part, ()), lines))
            if part not in own or not wanted <= filled:
                raise ValueError(f"{part} {'is not there' if part not in own else 'has other places to fill in'}")
    except FileNotFoundError:
        return packaged
    except (OSError, ValueError) as problem:
        raise UsageError(
            f"A prompt cannot be read: {problem}", where=str(file), remedy="Mend it, or unset REPAIR_PROMPTS."
        ) from problem
    return text


@functools.cache
def packaged_prompts() -> Prompts:
    """The prompts that the package has; the digest covers the patterns and the table of facts, too."""
    files = packaged_files()
    read = read_prompts({name.removesuffix(".md"): text for name, text in files.items() if name.endswith(".md")})
    return Prompts(read.parts, digest(*(piece for pair in sorted(files.items()) for piece in pair)))
