"""What a search has found out: edits that nearly did."""

from __future__ import annotations

import difflib

from repair.model.facts.matter import Matter, one_line
from repair.records.task import NearMiss

MOST, MOST_LINES = 3, 8


def near_misses(matter: Matter) -> str:
    """Up to three edits that mend a part or break something, of different behaviour: what they change, what is left."""
    found: dict[tuple[int, str], NearMiss] = {}
    for each in matter.context.near():
        if each.function == matter.plan.function:
            found.setdefault((each.passed, each.reason), each)
    ranked = sorted(found.values(), key=lambda each: (-each.passed, len(each.text)))[:MOST]
    old = matter.context.scope.text.decode(matter.context.scope.encoding, "replace")
    return "\n".join(_describe(old, each) for each in ranked)


def _describe(old: str, near: NearMiss) -> str:
    changed = list(difflib.unified_diff(old.splitlines(), near.text.splitlines(), n=0, lineterm=""))[2:]
    lines = [f"    {one_line_kept(line)}" for line in changed if not line.startswith("@@")][:MOST_LINES]
    then = f"{near.passed} of {near.failing} failing tests pass, then: {one_line(near.reason, 240)}"
    return "\n".join([f"{near.label}: {then}", *lines])


def one_line_kept(line: str) -> str:
    """A line cut where it is long."""
    return line if len(line) <= 140 else line[:139] + "…"
