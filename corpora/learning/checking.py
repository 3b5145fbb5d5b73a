"""What the counts are worth on histories that they were not made of, in lines for a reader."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from corpora.learning.learn import Learned
from corpora.learning.likelihood import held_out_likelihoods, tried_strengths
from corpora.learning.ranking import held_out_ranks
from transforms.order import Strength


def checked(each: Mapping[str, Learned], most: int, strength: Strength = Strength()) -> Iterator[str]:  # noqa: B008 # it is frozen
    """How likely the fixes of each history are by the others' counts, with other strengths, and where some stand."""
    yield "Mean log-likelihood, each history by the counts of the others"
    learned, *rest = held_out_likelihoods(each, strength)
    yield f"  {learned}"
    for other in rest:
        better, every = learned.better_than(other)
        yield f"  {other}; learned is likelier in {better} of {every} histories"
    yield "With other strengths: fixes, words"
    for part, value, found in tried_strengths(each, strength):
        yield f"  {part} {value:g}: {found.of_fixes:.3f}, {found.of_words:.3f}"
    if most:
        yield "Places in the stream, all lines equally suspicious"
        first, *others = held_out_ranks(each, most, strength)
        yield f"  {first}"
        for ranks in others:
            ahead, behind = first.ahead_of(ranks)
            yield f"  {ranks}; learned is ahead in {ahead}, behind in {behind}"
