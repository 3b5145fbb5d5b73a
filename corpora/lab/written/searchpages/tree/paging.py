from dataclasses import dataclass


@dataclass
class Page:
    items: list
    number: int
    size: int
    total: int

    @property
    def pages(self):
        return max(1, -(-self.total // self.size))

    @property
    def has_next(self):
        return self.number < self.pages

    @property
    def has_previous(self):
        return self.number > 1

    def label(self):
        if not self.total:
            return "no results"
        first = (self.number - 1) * self.size + 1
        return f"{first}-{first + len(self.items) - 1} of {self.total}"


def paginate(results, number=1, size=10):
    """Page ``number`` (from 1); numbers out of range give the nearest page."""
    if size < 1:
        raise ValueError("size must be at least 1")
    page = Page([], number, size, len(results))
    page.number = min(max(number, 1), page.pages)
    start = (page.number - 1) * size
    page.items = list(results[start:start + size])
    return page
