"""Counting methods. A ballot is a list of names, best first."""


def plurality(ballots, candidates):
    counts = {name: 0 for name in candidates}
    for ballot in ballots:
        if ballot:
            counts[ballot[0]] += 1
    return counts


def borda(ballots, candidates):
    """n-1 points for a first place, n-2 for a second ... none if unranked."""
    top = len(candidates) - 1
    points = {name: 0 for name in candidates}
    for ballot in ballots:
        for place, name in enumerate(ballot):
            points[name] += top - place
    return points


def instant_runoff(ballots, candidates):
    """Return (winner, rounds).

    Every round counts each ballot for its best candidate still in the race;
    a ballot with none left is exhausted and drops out of the count.  Who has
    more than half of the ballots counted in a round wins.  Otherwise the
    candidate with the fewest votes leaves, on equal votes the one listed last
    in `candidates`.  With no votes to count the winner is None.

    `rounds` holds one dict of votes for each round.
    """
    standing = list(candidates)
    rounds = []
    while standing:
        votes = {name: 0 for name in standing}
        for ballot in ballots:
            for name in ballot:
                if name in votes:
                    votes[name] += 1
                    break
        rounds.append(votes)
        if not any(votes.values()):
            return None, rounds
        leader = max(standing, key=lambda name: votes[name])
        if votes[leader] * 2 > len(ballots):
            return leader, rounds
        fewest = min(votes.values())
        standing.remove([n for n in standing if votes[n] == fewest][-1])
    return None, rounds
