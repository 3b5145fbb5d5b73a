"""Voting methods."""

from collections import Counter
from dataclasses import dataclass, field

from voting.ballots import first_choices


@dataclass
class Result:
    winner: str | None
    rounds: list[Counter] = field(default_factory=list)


def plurality(ballots: list[list[str]], candidates: list[str]) -> Result:
    """Most first choices; no winner if there is a tie."""
    tally = first_choices(ballots, candidates)
    (name, votes), *others = tally.most_common()
    if votes == 0 or (others and others[0][1] == votes):
        return Result(None, [tally])
    return Result(name, [tally])


def instant_runoff(ballots: list[list[str]], candidates: list[str]) -> Result:
    """Eliminate the weakest candidate until one has a majority.

    A majority is more than half of the ballots that count in the round;
    ballots with no candidate left do not count any more. Of equally weak
    candidates the one listed last is eliminated. All the rounds that were
    counted are in the result; without any votes nobody wins.
    """
    remaining = list(candidates)
    rounds = []
    while remaining:
        tally = first_choices(ballots, remaining)
        rounds.append(tally)
        leader = max(remaining, key=lambda name: tally[name])
        if tally[leader] * 2 > len(ballots):
            return Result(leader, rounds)
        weakest = min(reversed(remaining), key=lambda name: tally[name])
        remaining.remove(weakest)
    return Result(None, rounds)


def borda(ballots: list[list[str]], candidates: list[str]) -> Counter:
    """Points: the first of n candidates gets n - 1, the next n - 2, ..."""
    points = Counter({name: 0 for name in candidates})
    for ballot in ballots:
        for place, name in enumerate(ballot):
            points[name] += len(candidates) - 1 - place
    return points


def motion_passes(yes: int, no: int, abstain: int, members: int) -> bool:
    """More yes than no, and at least half of the members took part."""
    if (yes + no + abstain) * 2 < members:
        return False
    return yes > no
