"""Tickets with running numbers."""

_issued = []


def issue(name):
    """A new ticket: number and name."""
    _issued.append(name)
    return len(_issued), name


def issued():
    return list(_issued)
