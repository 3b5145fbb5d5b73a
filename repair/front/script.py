"""The edits of a file that a person wrote, for the scripted proposer."""

from __future__ import annotations

import json
from pathlib import Path

from analysis.errors import UsageError


def read_script(path: Path) -> list[tuple[str, str, str]]:
    """The edits of a file: a JSON list of [kind, target, replacement]."""
    try:
        listed = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError) as problem:
        raise UsageError(f"The script cannot be read: {problem}", where=str(path)) from problem
    if not isinstance(listed, list) or not all(
        isinstance(edit, list) and len(edit) == 3 and all(isinstance(text, str) for text in edit) for edit in listed
    ):
        raise UsageError(
            "The script is no list of edits", where=str(path), remedy='Write [["update", "old text", "new text"], …].'
        )
    return [(kind, target, replacement) for kind, target, replacement in listed]
