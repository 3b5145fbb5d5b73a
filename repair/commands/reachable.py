"""Next commands with the options that they need to find a run from where the last one was typed."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from repair.commands.paths import find_root

if TYPE_CHECKING:
    from repair.commands.context import CommandContext
    from repair.records.config import Options


def make_reachable(next_action: str, reach: str) -> str:
    """What to do next, with the options that its command needs here."""
    if not reach:
        return next_action
    if next_action.startswith("repair "):
        return f"{next_action} {reach}"
    return re.sub(
        r"`(repair (?:apply|review|show|undo|replay) [^`]+)`", lambda found: f"`{found[1]} {reach}`", next_action
    )


def find_reach(surroundings: CommandContext, options: Options) -> str:
    """The options without which a next command does not find the run from where this one was typed."""
    words = []
    if find_root(surroundings.cwd, None, anywhere=True) != Path(options.root):
        words += ["--root", options.root]
    if options.state_dir:
        words += ["--state-dir", options.state_dir]
    return shlex.join(words)


def as_next_action(remedy: str) -> str:
    """A remedy as it stands behind "Next: ": ``Give more time.`` as ``give more time``."""
    return f"{remedy[:1].lower()}{remedy[1:].rstrip('.')}"
