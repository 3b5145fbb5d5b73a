"""How often functions were changed, by the differences of git's latest commits: bounded in number and time."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from analysis.change_history import CommittedChange, History, Owned, count_changes, read_commits
from analysis.errors import UsageError
from analysis.users import Place
from repair.store.git import reader

MOST_COMMITS = 300
"""The latest commits that are looked at."""

MOST_SECONDS = 5.0

_LARGEST_FILE = "256k"
"""Files above it are not compared."""

_MOST_NAMED = 500
"""Paths that are named to git; of more, their topmost folders."""

_PLAIN = ("-U0", "--no-color", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all", "--relative", "-M")
_PREFIXES = ("--src-prefix=a/", "--dst-prefix=b/")


def latest_commits(root: Path, paths: Collection[str], most: int = MOST_COMMITS) -> tuple[CommittedChange, ...] | None:
    """The latest commits that changed these files, the newest first, as the first parents of merges have them.

    In front stands what is not committed, without a subject. ``None`` where git cannot say, or not in time.
    """
    named = sorted(paths) if len(paths) <= _MOST_NAMED else sorted({path.split("/")[0] for path in paths})
    try:
        git = replace(reader(root), seconds=MOST_SECONDS)
        settings = ("-c", f"core.bigFileThreshold={_LARGEST_FILE}", "-c", "core.quotePath=false")
        git = replace(git, aside=(*git.aside, *settings))
        now = git("diff", *_PLAIN, *_PREFIXES, "HEAD", "--", *named)
        listed = git(
            "log", f"--max-count={most}", "--first-parent", "-m", "--format=%x00%s", *_PLAIN, *_PREFIXES, "--", *named
        )
    except UsageError:
        return None
    if now.returncode or listed.returncode:
        return None
    log = listed.stdout.decode("utf-8", "replace")
    return (*read_commits("\0\n" + now.stdout.decode("utf-8", "replace")), *read_commits(log))


def histories(root: Path, functions: Mapping[str, Sequence[Owned]]) -> dict[Place, History] | None:
    """How often each function of these files was changed; ``None`` where git cannot say."""
    commits = latest_commits(root, functions.keys()) if functions else ()
    return None if commits is None else count_changes(functions, commits)
