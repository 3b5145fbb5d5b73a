"""Walk through answers that come page by page."""


class Service:
    """A service with so many entries; a page may be shorter than asked for, even empty."""

    def __init__(self, entries, holes=()):
        self.entries = list(entries)
        self.holes = set(holes)
        self.calls = 0

    def page(self, offset, limit):
        """The entries from the offset on that may be seen, and where the next page starts (None at the end)."""
        self.calls += 1
        part = self.entries[offset : offset + limit]
        seen = [entry for n, entry in enumerate(part, offset) if n not in self.holes]
        following = offset + limit
        return seen, following if following < len(self.entries) else None


def walk(service, limit=10, most=None):
    """All entries, lazily; at most so many where a bound is given."""
    offset = 0
    given = 0
    while offset is not None and (most is None or given < most):
        entries, following = service.page(offset, limit)
        for entry in entries:
            if most is not None and given == most:
                return
            yield entry
            given += 1
            offset = following


def count(service, limit=10):
    return sum(1 for _ in walk(service, limit))
