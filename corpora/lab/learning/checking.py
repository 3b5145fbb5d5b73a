"""What the counts are worth on histories that they were not made of, in lines for a reader."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import accumulate

from corpora.lab.learning.learn import Learned
from corpora.lab.learning.likelihood import held_out_likelihoods, tried_strengths
from corpora.lab.learning.ranking import held_out_ranks
from transforms.enumerate.order import FixCounts


def check_counts(each: Mapping[str, Learned], most: int, before: FixCounts) -> Iterator[str]:
    """How likely each history's fixes are by what the others and ``before`` count, and where so many of each stand."""
    rest = rest_of(each, before)
    yield "Mean log-likelihood, each history by the counts of the others"
    learned, *others = held_out_likelihoods(each, rest)
    yield f"  {learned}"
    for other in others:
        better, every = learned.better_than(other)
        yield f"  {other}; learned is likelier in {better} of {every} histories"
    yield "With other strengths: fixes, words"
    for part, value, found in tried_strengths(each, rest):
        yield f"  {part} {value:g}: {found.of_fixes:.3f}, {found.of_words:.3f}"
    if most:
        yield "Places in the stream, all lines equally suspicious"
        first, *more = held_out_ranks(each, rest, most)
        yield f"  {first}"
        for ranks in more:
            ahead, behind = first.ahead_of(ranks)
            yield f"  {ranks}; learned is ahead in {ahead}, behind in {behind}"


def rest_of(each: Mapping[str, Learned], before: FixCounts) -> Mapping[str, FixCounts]:
    """For each history the counts of all others, and those from before."""
    counts = [one.counts for one in each.values()]
    above = list(accumulate(counts, FixCounts.add, initial=before))
    below = list(accumulate(reversed(counts), FixCounts.add, initial=FixCounts()))[::-1]
    return {name: above[n].add(below[n + 1]) for n, name in enumerate(each)}
