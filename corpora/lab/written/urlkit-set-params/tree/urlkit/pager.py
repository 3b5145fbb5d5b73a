"""Links for lists that are shown page by page."""

from .url import get_param, set_params


class Pager:
    def __init__(self, url, total, size=20):
        if size < 1:
            raise ValueError("size must be positive")
        self.url = url
        self.pages = max(1, -(-total // size))
        self.current = self._read_page()

    def _read_page(self):
        try:
            page = int(get_param(self.url, "page", "1"))
        except ValueError:
            return 1
        return min(max(page, 1), self.pages)

    def link(self, page):
        """Link to a page; the first page has no page parameter."""
        return set_params(self.url, {"page": None if page == 1 else page})

    @property
    def next(self):
        return self.link(self.current + 1) if self.current < self.pages else None

    @property
    def previous(self):
        return self.link(self.current - 1) if self.current > 1 else None

    def all(self):
        return [self.link(page) for page in range(1, self.pages + 1)]


def sort_link(url, column):
    """Link that sorts by column, or the other way round if it does already.

    Always goes back to the first page.
    """
    descending = (
        get_param(url, "sort") == column and get_param(url, "desc", "0") == "0"
    )
    return set_params(url, {"sort": column, "desc": int(descending), "page": None})
