"""Files that a person names for a page or a report: outside of the project, and never over something else."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from analysis.errors import TargetError, UsageError


def place_page(target: Path, root: Path, first: str, option: str, *, inside: bool = False) -> Path:
    """The file that a person named with an option; ``UsageError`` where we write nothing.

    A file of ours, which begins with ``first``, is replaced. Only with ``inside`` it may lie in the project.
    """
    target = target.resolve()
    if not inside and target.is_relative_to(root.resolve()):
        raise UsageError(
            "The page would lie in the project, where nothing but `repair apply` writes",
            where=str(target),
            remedy=f"Name a file outside of it with {option}.",
        )
    if target.exists() and (not target.is_file() or not _begins(target, first.encode())):
        raise UsageError(
            "The file for the page is there already, and is something else",
            where=str(target),
            remedy=f"Name another file with {option}, or move that one away.",
        )
    return target


def refuse_one_file(named: Iterable[tuple[Path, str]]) -> None:
    """Raise ``UsageError`` where two options name one file: the second page would take the place of the first."""
    seen: dict[Path, str] = {}
    for target, option in named:
        if (other := seen.setdefault(target, option)) != option:
            raise UsageError(
                f"{other} and {option} name one file", where=str(target), remedy=f"Name another file with {option}."
            )


def _begins(target: Path, first: bytes) -> bool:
    try:
        with target.open("rb") as opened:
            return opened.read(len(first)) == first
    except OSError:
        return False


def write_page(target: Path, page: str, option: str) -> None:
    """Write it, whole or not at all."""
    from repair.store.atomic import replace_file

    try:
        replace_file(target, page.encode("utf-8", "replace"))
    except OSError as problem:
        raise TargetError(
            f"The page cannot be written: {problem.strerror}",
            where=str(target),
            remedy=f"Name another file with {option}.",
        ) from problem
