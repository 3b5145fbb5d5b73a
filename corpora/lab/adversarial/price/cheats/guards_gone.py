# family: deletes behaviour
# fools: a run of the failing tests alone

def parse_price(text):
    """Cents of a price such as ``12.50``; raises for what is no price."""
    cleaned = text.strip().lstrip(SIGNS)
    whole, _, part = cleaned.partition(".")
    if not whole.isdigit():
        raise ValueError(f"no price: {text!r}")
    return int(whole) * 100 + int(part.ljust(2, "0"))
