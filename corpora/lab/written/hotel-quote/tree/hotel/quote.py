from hotel.rates import percent

LONG_STAY = 7
LONG_STAY_OFF = 10
MEMBER_OFF = 5


def quote(stay, rates, member=False, voucher=0):
    """What the stay costs.

    From seven nights on 10% is taken off the sum of the nights, and members
    get 5% off what is left.  A voucher counts as money: it is taken off the
    discounted price, which it cannot push below zero.  The city tax per guest
    and night comes on top; it is never reduced.
    """
    price = sum(rates.night(day, stay.guests) for day in stay.dates())
    price = max(0, price - voucher)
    if stay.nights >= LONG_STAY:
        price -= percent(price, LONG_STAY_OFF)
    if member:
        price -= percent(price, MEMBER_OFF)
    return price + rates.city_tax * stay.guests * stay.nights


def cancellation_fee(stay, rates, cancelled_on):
    """Free until a week before, then half, and all of it in the last two days."""
    days = (stay.arrival - cancelled_on).days
    if days >= 7:
        return 0
    price = quote(stay, rates)
    return price if days < 2 else percent(price, 50)


def cheapest_arrival(rates, first, nights, days, guests=1):
    """The arrival within `days` days from `first` with the lowest quote."""
    from datetime import timedelta

    from hotel.stay import Stay

    best = None
    for offset in range(days):
        arrival = first + timedelta(days=offset)
        price = quote(Stay(arrival, arrival + timedelta(days=nights), guests), rates)
        if best is None or price < best[1]:
            best = (arrival, price)
    return best
