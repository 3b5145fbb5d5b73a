"""The order of the search that a run was asked for: the table that comes with the engine, or a user's own."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

from analysis.errors import UsageError
from repair.records.json_records import from_plain
from transforms.enumerate.order import HAND_SET, UNIFORM, UNIFORM_ORDER, FixCounts, Order, learn_order

LEARNED, HAND = "learned", "hand"
NAMES = (LEARNED, HAND, UNIFORM)


def order_named(name: str, root: Path) -> Order:
    """The order of that name, or what is learned from the counts in that file, whose path starts at the root."""
    if name == HAND:
        return HAND_SET
    if name == UNIFORM:
        return UNIFORM_ORDER
    return learn_order(own_counts() if name == LEARNED else read_counts(root / name))


def own_counts() -> FixCounts:
    """The counts that come with the engine."""
    return _counts(files("transforms.operators").joinpath("counts.json").read_bytes())


def read_counts(path: Path) -> FixCounts:
    """The counts in a file; raises ``UsageError`` where it holds none."""
    try:
        return _counts(path.read_bytes())
    except OSError as problem:
        raise UsageError(
            f"The counts cannot be read: {problem.strerror}",
            where=str(path),
            remedy="Name learned, hand, uniform, or a file of learned counts.",
        ) from problem
    except (ValueError, RecursionError) as problem:
        raise UsageError(
            f"The file holds no counts: {problem}",
            where=str(path),
            remedy="Write it with `make learn` in a checkout of the engine.",
        ) from problem


def _counts(content: bytes) -> FixCounts:
    counts: FixCounts = from_plain(FixCounts, json.loads(content), "counts")
    return counts
