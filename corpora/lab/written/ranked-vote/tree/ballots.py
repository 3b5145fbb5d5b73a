"""Reading ranked ballots."""


class BallotError(ValueError):
    pass


def parse_ballot(line, candidates):
    """Read 'ann > bob > cy' into a list of names.

    Names are case-insensitive.  A voter need not rank everybody.
    """
    ranking = []
    for part in line.split(">"):
        name = part.strip().lower()
        if not name:
            continue
        if name not in candidates:
            raise BallotError(f"unknown candidate: {name}")
        if name in ranking:
            raise BallotError(f"ranked twice: {name}")
        ranking.append(name)
    return ranking


def read_ballots(text, candidates):
    """One ballot a line; blank lines and lines starting with '#' are skipped."""
    ballots = []
    for line in text.splitlines():
        line = line.strip()
        if line and not line.startswith("#"):
            ballots.append(parse_ballot(line, candidates))
    return ballots
