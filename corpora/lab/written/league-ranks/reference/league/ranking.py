"""Places and prize money."""
from decimal import ROUND_DOWN, Decimal

CENT = Decimal("0.01")


def competition_ranks(scores):
    """The place of each score, highest score first, in "1224" ranking.

    The list returned goes parallel to `scores`, which may come in any order.
    Equal scores share a place, and the places they take up are skipped: a
    score's place is one more than the number of better scores.
    """
    order = sorted(scores, reverse=True)
    ranks = {}
    rank = 0
    for score in order:
        rank += 1
        if score not in ranks:
            ranks[score] = rank
    return [ranks[score] for score in scores]


def ordinal(n):
    """1 -> "1st", 2 -> "2nd", 11 -> "11th"."""
    if 10 <= n % 100 <= 20:
        suffix = "th"
    else:
        suffix = {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n}{suffix}"


def split_prizes(scores, prizes):
    """Prize money for each score; `prizes` is [first, second, ...].

    Players who tie share the prizes of all the places they take up, rounded
    down to the cent.
    """
    ranks = competition_ranks(scores)
    money = []
    for rank in ranks:
        sharers = ranks.count(rank)
        pot = sum(prizes[rank - 1:rank - 1 + sharers], Decimal(0))
        money.append((pot / sharers).quantize(CENT, rounding=ROUND_DOWN))
    return money
