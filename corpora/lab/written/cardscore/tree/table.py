from scoring import hand_value, is_blackjack, outcome


class Table:
    """Keeps the players' chips over several rounds."""

    def __init__(self, players, chips=100):
        self.chips = {name: chips for name in players}
        self.rounds = 0

    def settle(self, bets, hands, dealer):
        self.rounds += 1
        results = {}
        for name, bet in bets.items():
            if bet <= 0 or bet > self.chips[name]:
                raise ValueError(f"bad bet of {name}: {bet}")
        for name, bet in bets.items():
            result = outcome(hands[name], dealer)
            results[name] = result
            if result == "win":
                self.chips[name] += bet * 3 // 2 if is_blackjack(hands[name]) else bet
            elif result == "lose":
                self.chips[name] -= bet
        return results

    def ranking(self):
        return sorted(self.chips, key=lambda name: (-self.chips[name], name))


def dealer_draws(cards):
    return hand_value(cards) < 17
