"""Amounts of money, whole and in hundredths."""


def padded(part, digits=2):
    """The digits behind the point, so many of them at least."""
    return part + "0" * (digits - len(part))
