"""Cutting result lists into pages and drawing the bar below them."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Page:
    items: tuple
    number: int
    total_pages: int
    total_items: int

    @property
    def has_next(self):
        return self.number < self.total_pages

    @property
    def has_previous(self):
        return self.number > 1


def count_pages(total_items, per_page):
    if per_page < 1:
        raise ValueError("per_page must be at least 1")
    return -(-total_items // per_page)


def paginate(items, number=1, per_page=10):
    """The page with that number; numbers out of range give the nearest page."""
    items = list(items)
    total = count_pages(len(items), per_page)
    number = max(1, min(number, total))
    start = (number - 1) * per_page
    return Page(tuple(items[start : start + per_page]), number, total, len(items))


def page_numbers(current, total, around=2):
    """The entries of the navigation bar, e.g. ``[1, None, 5, 6, 7, None, 20]``.

    The first and the last page are always there, and so are the current page
    and ``around`` pages on either side of it. Pages left out between two
    entries are shown as a single None (the template draws dots for it). Dots
    in place of one single page would be silly, there the page itself is
    shown. A current page out of range counts as the nearest page.
    """
    if total < 1:
        return []
    current = max(1, min(current, total))
    wanted = {1, total}
    wanted.update(range(max(1, current - around), min(total, current + around) + 1))
    result = []
    last = 0
    for number in sorted(wanted):
        if number - last > 1:
            result.append(None)
        result.append(number)
        last = number
    return result


def render_bar(current, total, around=2):
    """Text version of the bar for mails: ``1 .. 5 [6] 7 .. 20``."""
    current = max(1, min(current, total))
    words = []
    for number in page_numbers(current, total, around):
        if number is None:
            words.append("..")
        elif number == current:
            words.append(f"[{number}]")
        else:
            words.append(str(number))
    return " ".join(words)
