"""Invoices in cents."""


def net_total(lines):
    """The sum of all lines: (name, count, price)."""
    return sum(count * price for _, count, price in lines)


def discount(total, rates):
    """The discount in cents: the rate of the highest threshold that the total reaches.

    ``rates`` maps thresholds in cents to per cent.
    """
    reached = [threshold for threshold in rates if total >= threshold]
    if not reached:
        return 0
    rate = rates[max(reached)]
    return total * rate // 100


def summary(lines, rates):
    total = net_total(lines)
    less = discount(total, rates)
    text = f"{total / 100:.2f}"
    if less:
        text += f" - {less / 100:.2f} = {(total - less) / 100:.2f}"
    return text
