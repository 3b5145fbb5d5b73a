"""Which module names the project itself supplies, told from the paths of its files."""

from __future__ import annotations

from collections.abc import Sequence


def is_project_module(module: str, sources: Sequence[tuple[str, bytes]]) -> bool:
    """Whether the module's top-level package or file is among the project's files, at its root or below ``src``."""
    top = module.partition(".")[0]
    if not top:
        return False
    return any(_supplies(path, top) for path, _ in sources)


def _supplies(path: str, top: str) -> bool:
    parts = path.split("/")
    if parts[0] in ("src", "lib", "python") and len(parts) > 1:
        parts = parts[1:]
    return parts[0] in (top, f"{top}.py")
