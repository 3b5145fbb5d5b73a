"""Counts of whole histories, repository after repository, written down after each."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from analysis.errors import TargetError
from corpora.lab.learning.changes import MENDING_WORDS, added_to_tests, may_be_small, small_change
from corpora.lab.learning.counting import see_change
from corpora.lab.learning.seen import Ledger, Seen
from corpora.mining.repository import Commit, Repository
from repair.records.json_records import to_plain
from repair.store.atomic import replace_file
from transforms.enumerate.order import CountedHistory, FixCounts

DIGITS = 3
Listener = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Learning:
    """What to look at: how many commits of each history, how many small fixes, and whether other changes as well.

    ``keep`` is a folder for what was seen of each history: nothing in it is looked at again.
    """

    revision: str = "HEAD"
    commits: int | None = None
    fixes: int | None = None
    since: str = ""
    others: bool = False
    keep: Path | None = None


@dataclass(frozen=True, slots=True)
class Learned:
    """What one history gave: its counts, and its small changes, newest first."""

    path: Path
    counts: FixCounts
    seen: tuple[Seen, ...]

    @property
    def made(self) -> tuple[Seen, ...]:
        """The fixes that an operator of ours can make."""
        return tuple(each for each in self.seen if each.fix and each.ways)


def learn(
    repositories: Sequence[Path],
    how: Learning,
    listen: Listener,
    out: Path | None = None,
    start: FixCounts | None = None,
) -> tuple[FixCounts, Mapping[str, Learned]]:
    """The counts of all the histories, added to those of ``start``, and each history's own by name.

    ``out`` holds what there is after each of them.
    """
    total = start or FixCounts()
    each: dict[str, Learned] = {}
    for path in repositories:
        found = _learn_one(path, how, listen)
        total = total.add(found.counts)
        each[found.counts.sources[0].name] = found
        if out is not None:
            write_counts(out, total)
    return total, each


def _learn_one(path: Path, how: Learning, listen: Listener) -> Learned:
    found: list[Seen] = []
    fixes = 0
    with Repository(path) as repository:
        commits = repository.commits(how.revision, how.commits, how.since, "" if how.others else MENDING_WORDS)
        name, last = repository_name(repository, path), commits[-1].id if commits else ""
        for each in _look_at(repository, commits, how, name):
            found += [each] if each.small else []
            fixes += each.fix
            if fixes == how.fixes:
                last = each.commit
                break
    made = sum(bool(each.ways) for each in found if each.fix)
    listen(
        f"{name}: {len(found)} small changes of one function, {fixes} of them fixes, {made} of those one edit of ours"
    )
    first = commits[0].id if commits else ""
    looked = next((n for n, commit in enumerate(commits, 1) if commit.id == last), 0)
    source = CountedHistory(name, first, last, looked, len(found), fixes, made)
    return Learned(path, replace(add_up(found), sources=(source,)), tuple(found))


def _look_at(repository: Repository, commits: Sequence[Commit], how: Learning, name: str) -> Iterator[Seen]:
    """What is seen of each commit that may be a small change."""
    ledger = Ledger(how.keep / f"{name.replace('/', '+')}.jsonl") if how.keep is not None else None
    for commit in commits:
        if not may_be_small(commit, others=how.others):
            continue
        known = ledger.known.get(commit.id) if ledger is not None else None
        if known is None:
            change = small_change(repository, commit)
            known = Seen(commit.id) if change is None else see_change(change, added_to_tests(repository, commit))
            if ledger is not None:
                ledger.add(known)
        yield known


def add_up(each: Sequence[Seen]) -> FixCounts:
    """The counts of all of them."""
    found = FixCounts()
    for one in each:
        found = found.add(one.counts())
    return found


def repository_name(repository: Repository, path: Path) -> str:
    """The owner's and the repository's name, as far as its origin tells; else the folder's."""
    parts = [part for part in repository.origin().removesuffix(".git").replace(":", "/").split("/") if part]
    return "/".join(parts[-2:]) if len(parts) > 1 else path.absolute().name


def write_counts(path: Path, counts: FixCounts) -> None:
    """Write the counts as JSON, over an older file."""
    try:
        replace_file(path, (json.dumps(_round_values(to_plain(counts)), indent=1) + "\n").encode())
    except OSError as problem:
        raise TargetError(
            f"The counts cannot be written: {problem.strerror}", where=str(path), remedy="Name another --out."
        ) from problem


def _round_values(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _round_values(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_round_values(item) for item in value]
    return round(value, DIGITS) if isinstance(value, float) else value
