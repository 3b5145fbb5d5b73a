"""The copy of a project that an agent works in, and what it has left there."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from analysis.facts import Files
from sandbox.workspace import Snapshot, copy_snapshot

SETTINGS = frozenset(
    (
        *(".aider.conf.yml", ".amazonq", ".amp", ".augment", ".claude", ".clinerules", ".codex", ".continue"),
        *(".crush.json", ".cursor", ".cursorrules", ".devcontainer", ".direnv", ".env", ".envrc", ".gemini", ".goose"),
        *(".goosehints", ".junie", ".kiro", ".mcp.json", ".opencode", ".qwen", ".roo", ".roomodes", ".vscode"),
        *(".windsurf", ".windsurfrules", "agents.md", "claude.md", "claude.local.md", "conventions.md"),
        *("copilot-instructions.md", "crush.json", "gemini.md", "mise.toml", "opencode.json", "opencode.jsonc"),
    )
)
"""Files and folders, in lower case, from which agents take settings, hooks and instructions. Who wrote the project
wrote them, and an agent has the rights of the user: it does not get them."""

LITTER = frozenset(
    {"__pycache__", ".pytest_cache", ".repair", ".git", ".hypothesis", ".venv", ".mypy_cache", ".ruff_cache"}
)
"""Folders that hold nothing that anybody wrote."""

LARGEST = 2 << 20
"""Bytes of a source that is read back; larger ones are not parsed either."""

Stamps = dict[str, tuple[int, int, int]]


@dataclass(frozen=True, slots=True)
class LeftTree:
    """What differs in the copy: sources as they are now, and names of other files. ``gone`` are those deleted."""

    sources: Files
    gone: tuple[str, ...]
    others: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Every path that differs, sorted."""
        return tuple(sorted({*(path for path, _ in self.sources), *self.gone, *self.others}))


def is_setting(path: str) -> bool:
    """Whether the path is one from which some agent takes settings or instructions."""
    return any(part.lower() in SETTINGS for part in path.split("/"))


def copy_for_agent(snapshot: Snapshot, to: Path, sources: Files) -> tuple[str, ...]:
    """Copy the project for an agent, with the sources laid over it. The paths that were left out."""
    left_out = tuple(entry.path for entry in snapshot.entries if is_setting(entry.path))
    kept = replace(snapshot, entries=tuple(entry for entry in snapshot.entries if not is_setting(entry.path)))
    copy_snapshot(kept, to, tuple((path, text) for path, text in sources if not is_setting(path)))
    return left_out


def stamps_of(root: Path) -> Stamps:
    """Size, time and number of every regular file. Links are not followed: what they lead to was not copied."""
    return dict(_stamps(root))


def left_tree(root: Path, before: Stamps, sources: Files) -> LeftTree:
    """What differs from before, where nobody writes any more. Only known sources are read, and none that is too large.

    ``sources`` are those that the copy was made with.
    """
    now, known = stamps_of(root), dict(sources)
    changed = [path for path, stamp in now.items() if before.get(path) != stamp]
    read = [path for path in changed if path in known and path in before and now[path][0] <= LARGEST]
    texts = ((path, (root / path).read_bytes()) for path in sorted(read))
    return LeftTree(
        sources=tuple((path, text) for path, text in texts if text != known[path]),
        gone=tuple(sorted(path for path in before if path not in now)),
        others=tuple(sorted({*changed} - {*read})),
    )


def _stamps(root: Path) -> Iterator[tuple[str, tuple[int, int, int]]]:
    for folder, folders, names in os.walk(root):
        folders[:] = [
            name for name in folders if name not in LITTER and not os.path.exists(f"{folder}/{name}/pyvenv.cfg")
        ]
        for name in names:
            found = os.lstat(f"{folder}/{name}")
            if stat.S_ISREG(found.st_mode):
                yield os.path.relpath(f"{folder}/{name}", root), (found.st_size, found.st_mtime_ns, found.st_ino)


Copy = Callable[[Path, Files], tuple[str, ...]]
"""Makes the copy at a path, with these sources in it, and says what it leaves out."""
