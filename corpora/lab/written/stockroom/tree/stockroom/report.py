def low_stock(inventory, limits):
    """SKUs with less on hand than their limit, the worst first."""
    short = []
    for sku, limit in limits.items():
        gap = limit - inventory.on_hand(sku)
        if gap > 0:
            short.append((sku, gap))
    short.sort(key=lambda item: (-item[1], item[0]))
    return short


def pick_list(picks):
    """Text for the people with the trolleys, in walking order."""
    rows = sorted(picks, key=lambda p: (p[1], p[0]))
    return "\n".join(f"{bin_:<4}{sku:<10}{qty:>4}" for sku, bin_, qty in rows)
