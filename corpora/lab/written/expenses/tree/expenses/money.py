"""Amounts are whole cents."""


def parse_amount(text: str) -> int:
    """'12.5' or '12,50' or '12' to cents."""
    text = text.strip().replace(",", ".")
    sign = -1 if text.startswith("-") else 1
    whole, _, part = text.lstrip("-").partition(".")
    if len(part) > 2:
        raise ValueError(f"too many decimals: {text}")
    return sign * (int(whole or 0) * 100 + int(part.ljust(2, "0")))


def format_amount(cents: int) -> str:
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02d}"
