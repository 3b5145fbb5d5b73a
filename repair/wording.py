"""Small words of our sentences."""


def counted(number: int, noun: str, plural: str = "") -> str:
    """The number with its noun: ``1 suspect``, ``2 suspects``."""
    return f"{number} {noun}" if number == 1 else f"{number} {plural or noun + 's'}"
