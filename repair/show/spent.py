"""What a run has cost, and how its candidates were run: the last lines of a result for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.text import Text

from repair.records.result import Counts, Result, TierLeft
from repair.records.wording import count_noun

TIERS = {
    "batch": "several to a fork",
    "warm": "in a fork of the loaded program",
    "zygote": "in a fork that imports the project anew",
    "cold": "in a cold run",
}
"""Where candidates are run, in words, the quickest first."""


def closing_lines(result: Result, verbosity: int) -> Iterator[Text]:
    """Time, counts, cost and isolation; how candidates were run; and what to do next."""
    counts, seconds = result.counts, result.seconds
    spent = [f"{seconds.total:.1f} s"] if seconds.total else []
    if counts.executed + counts.remembered > len(result.patches):  # a search; ``check`` runs what it was given
        drawn = count_noun(counts.candidates, "candidate")
        known = f", {counts.remembered} known from before" if counts.remembered else ""
        spent.append(f"{drawn}, {counts.executed} run{known}, {counts.plausible} plausible")
    if result.cost.requests:
        tokens = result.cost.input_tokens + result.cost.output_tokens
        price = f" (${result.cost.usd:.4f})" if result.cost.usd else ""  # without prices nobody knows
        spent.append(f"{count_noun(result.cost.requests, 'model request')}, {tokens} tokens{price}")
    if result.isolation:
        spent.append(f"isolation {result.isolation}")
    if result.run:
        spent.append(f"run {result.run}")
    if spent:
        yield Text("; ".join(spent), "dim")
    yield from (Text(line, "dim") for line in _tiers(counts, verbosity))
    if result.isolation_opens and verbosity > 0:
        yield Text(f"isolation {result.isolation} leaves open: {'; '.join(result.isolation_opens)}", "dim")
    if result.next_action:
        yield Text.assemble(("Next: ", "bold"), result.next_action)


def _tiers(counts: Counts, verbosity: int) -> Iterator[str]:
    """How the candidates were run, the quickest way first, and why not all that way; every reason with ``-v``."""
    if counts.tiers:
        ways = (f"{counts.tiers[tier]} {way}" for tier, way in TIERS.items() if counts.tiers.get(tier))
        yield f"run {', '.join(ways)}{_sum_up(counts.left)}"
    if verbosity > 0:
        for left in counts.left:
            whose = ", ".join(left.functions) or count_noun(left.candidates, "candidate")
            yield f"  not {TIERS.get(left.tier, left.tier)}: {whose}{append_reason(left.reason)}"


def _sum_up(left: Sequence[TierLeft]) -> str:
    """The one reason, or how many there are."""
    if len(left) > 1:
        return f" ({len(left)} reasons for slower ones: -v)"
    return "".join(f" ({', '.join(each.functions)}{': ' if each.functions else ''}{each.reason})" for each in left)


def append_reason(reason: str) -> str:
    """The reason behind a colon, where there is one."""
    return f": {reason}" if reason else ""
