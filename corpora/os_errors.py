"""What the system's refusals mean to the one who waits."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from analysis.errors import RepairError, TargetError


@contextlib.contextmanager
def explained(found: str, where: object, remedy: str = "", kind: type[RepairError] = TargetError) -> Iterator[None]:
    """Have an ``OSError`` in the block say what could not be done, where, and what to do next."""
    try:
        yield
    except OSError as problem:
        raise kind(f"{found}: {problem.strerror}", where=str(where), remedy=remedy) from problem
