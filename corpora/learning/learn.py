"""Counts of whole histories, repository after repository, written down after each."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from analysis.errors import TargetError
from corpora.learning.changes import MENDING_WORDS, SmallChange, small_changes
from corpora.learning.counting import Counted, counted
from corpora.learning.ranking import Ranks, held_out_ranks
from corpora.mining.repository import Commit, Repository
from repair.atomic import replace_file
from repair.plain import to_plain
from transforms.order import Counts, Source

DIGITS = 3
Listener = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Learning:
    """What to look at: how many commits of each history, how many small fixes, and whether other changes as well."""

    revision: str = "HEAD"
    commits: int | None = None
    fixes: int | None = None
    since: str = ""
    others: bool = False


@dataclass(frozen=True, slots=True)
class Learned:
    """What one history gave: its counts, and the fixes that an operator of ours can make."""

    counts: Counts
    fixes: tuple[SmallChange, ...]


def learn(
    repositories: Sequence[Path],
    how: Learning,
    listen: Listener,
    out: Path | None = None,
    start: Counts | None = None,
) -> tuple[Counts, Mapping[str, Learned]]:
    """The counts of all the histories, added to those of ``start``, and each history's own by name.

    ``out`` holds what there is after each of them.
    """
    total = start or Counts()
    each: dict[str, Learned] = {}
    for path in repositories:
        found = _of_one(path, how, listen)
        total = total.plus(found.counts)
        each[found.counts.sources[0].name] = found
        if out is not None:
            write_counts(out, total)
    return total, each


def check(each: Mapping[str, Learned], most: int) -> tuple[Ranks, ...]:
    """Where so many fixes of each history stand by the counts of the others, by hand, and in no order at all."""
    fixes = {name: found.fixes[:most] for name, found in each.items()}
    return held_out_ranks(fixes, {name: found.counts for name, found in each.items()})


def _of_one(path: Path, how: Learning, listen: Listener) -> Learned:
    found, made = Counts(), []
    small = fixes = 0
    with Repository(path) as repository:
        commits = repository.commits(how.revision, how.commits, how.since, "" if how.others else MENDING_WORDS)
        name, last = repository_name(repository, path), commits[-1].id if commits else ""
        for change, each in examined(repository, commits, how):
            small += 1
            fixes += change.is_fix
            if each is not None:
                found = found.plus(each.counts)
                made += [change] if change.is_fix and each.ways else []
            if fixes == how.fixes:
                last = change.commit
                break
    counted_so = f"{small} small changes of one function, {fixes} of them fixes, {len(made)} of those one edit of ours"
    listen(f"{name}: {counted_so}")
    first = commits[0].id if commits else ""
    looked = next((n for n, commit in enumerate(commits, 1) if commit.id == last), 0)
    source = Source(name, first, last, looked, small, fixes, len(made))
    return Learned(replace(found, sources=(source,)), tuple(made))


def examined(
    repository: Repository, commits: Sequence[Commit], how: Learning
) -> Iterator[tuple[SmallChange, Counted | None]]:
    """Each small change with its counts, where it can be counted."""
    for change in small_changes(repository, commits, others=how.others):
        yield change, counted(change)


def repository_name(repository: Repository, path: Path) -> str:
    """The owner's and the repository's name, as far as its origin tells; else the folder's."""
    parts = [part for part in repository.origin().removesuffix(".git").replace(":", "/").split("/") if part]
    return "/".join(parts[-2:]) if len(parts) > 1 else path.absolute().name


def write_counts(path: Path, counts: Counts) -> None:
    """Write the counts as JSON, over an older file."""
    try:
        replace_file(path, (json.dumps(_rounded(to_plain(counts)), indent=1) + "\n").encode())
    except OSError as problem:
        raise TargetError(
            f"The counts cannot be written: {problem.strerror}", where=str(path), remedy="Name another --out."
        ) from problem


def _rounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_rounded(item) for item in value]
    return round(value, DIGITS) if isinstance(value, float) else value
