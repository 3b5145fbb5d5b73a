"""What published corpora share: how one looks on disk, what to say of another, and how a tree is laid out."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from analysis.errors import TargetError
from analysis.facts import Files
from corpora.bug import Fault
from sandbox.workspace import overlay
from transforms.patch.foreign_change import split_change


@dataclass(frozen=True, slots=True)
class Layout:
    """How a corpus looks on disk, and the command that gets it where there is a network."""

    name: str
    expects: str
    fetch: str

    def refusal(self, found: str, where: Path) -> TargetError:
        """The error for a place that looks otherwise."""
        return TargetError(
            f"This is not laid out as {self.name}: {found}",
            where=str(where),
            remedy=f"Expected is {self.expects}. To get it: {self.fetch}",
        )


def lay_out(files: Files, root: Path) -> None:
    """Write the files as a new folder; one that is there already is an error."""
    root.mkdir(parents=True)
    for path, content in files:
        overlay(root, path, content)


def single_fault(before: Files, after: Files) -> Fault | None:
    """The one function outside tests that differs, as deep inside others as it stands; ``None`` for none or several."""
    functions = split_change(before, after, lambda path: False).functions
    return Fault(functions[0].function.path, functions[0].function.qualname) if len(functions) == 1 else None


def file_name(text: str) -> str:
    """The text with all but letters, digits and ``._-`` replaced, so that it can name a file."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip("-.") or "bug"
