from cards import parse_card

FACES = {"J", "Q", "K"}


def card_points(rank):
    if rank == "A":
        return 11
    if rank in FACES:
        return 10
    return int(rank)


def hand_value(cards):
    """Best value of a blackjack hand.

    An ace counts 11, or 1 where 11 would bring the hand above 21. Each ace
    is looked at on its own.
    """
    ranks = [parse_card(card)[0] for card in cards]
    value = sum(card_points(rank) for rank in ranks)
    aces = ranks.count("A")
    while value > 21 and aces:
        value -= 10
        aces -= 1
    return value


def is_blackjack(cards):
    return len(cards) == 2 and hand_value(cards) == 21


def is_bust(cards):
    return hand_value(cards) > 21


def outcome(player, dealer):
    """'win', 'lose' or 'push' as the player sees it."""
    if is_bust(player):
        return "lose"
    if is_bust(dealer):
        return "win"
    if is_blackjack(player) != is_blackjack(dealer):
        return "win" if is_blackjack(player) else "lose"
    a, b = hand_value(player), hand_value(dealer)
    if a == b:
        return "push"
    return "win" if a > b else "lose"
