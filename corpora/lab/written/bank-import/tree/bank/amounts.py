from decimal import Decimal, InvalidOperation


def parse_amount(text):
    """Read '1,234.50', '-12.00', '12.00-' or '(12.00)' as a Decimal."""
    cleaned = text.strip().replace(",", "")
    negative = False
    if cleaned.startswith("(") and cleaned.endswith(")"):
        negative, cleaned = True, cleaned[1:-1]
    elif cleaned.endswith("-"):
        negative, cleaned = True, cleaned[:-1]
    try:
        value = Decimal(cleaned)
    except InvalidOperation:
        raise ValueError(f"not an amount: {text!r}") from None
    return -value if negative else value
