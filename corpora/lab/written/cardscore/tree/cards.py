RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
SUITS = "CDHS"


def parse_card(text):
    """'10H' -> ('10', 'H')"""
    rank, suit = text[:-1], text[-1:]
    if rank not in RANKS or suit not in SUITS or not suit:
        raise ValueError(f"no such card: {text!r}")
    return rank, suit


def deck():
    return [(rank, suit) for suit in SUITS for rank in RANKS]
