from tally import borda, instant_runoff, plurality


def percent(part, whole):
    return round(100 * part / whole, 1) if whole else 0.0


def ranking(scores):
    """Names by falling score, equal scores by name."""
    return sorted(scores, key=lambda name: (-scores[name], name))


def summary(ballots, candidates):
    first = plurality(ballots, candidates)
    total = sum(first.values())
    lines = []
    for name in ranking(first):
        lines.append(f"{name}: {first[name]} ({percent(first[name], total)}%)")
    winner, rounds = instant_runoff(ballots, candidates)
    lines.append(f"winner: {winner or 'nobody'} after {len(rounds)} round(s)")
    lines.append(f"borda: {', '.join(ranking(borda(ballots, candidates)))}")
    return lines
