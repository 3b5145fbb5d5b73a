"""Ranked ballots."""

from collections import Counter


class BallotError(ValueError):
    pass


def parse_ballot(text: str, candidates: list[str]) -> list[str]:
    """'ann > bob' to a ranking; nothing at all is a blank ballot."""
    ranking = [name.strip() for name in text.split(">") if name.strip()]
    if len(set(ranking)) != len(ranking):
        raise BallotError(f"a name occurs twice: {text!r}")
    for name in ranking:
        if name not in candidates:
            raise BallotError(f"unknown candidate: {name}")
    return ranking


def parse_ballots(text: str, candidates: list[str]) -> list[list[str]]:
    """Ballots, one a line, such as '3: ann > bob' for three equal ones."""
    ballots = []
    for line in text.strip().splitlines():
        head, colon, tail = line.partition(":")
        count = int(head) if colon else 1
        ranking = parse_ballot(tail if colon else head, candidates)
        ballots.extend(list(ranking) for _ in range(count))
    return ballots


def first_choices(ballots: list[list[str]], remaining: list[str]) -> Counter:
    """Votes per remaining candidate, zeros included.

    Every ballot counts for the first of its candidates that remains.
    """
    tally = Counter({name: 0 for name in remaining})
    for ballot in ballots:
        for name in ballot:
            if name in tally:
                tally[name] += 1
                break
    return tally
