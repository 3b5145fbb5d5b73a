from __future__ import annotations

from typing import Iterable, Iterator

from daybook.span import DAY, Span


def merged(spans: Iterable[Span]) -> list[Span]:
    """The same days as few spans as possible, in order.

    Spans that overlap or follow each other without a day between are joined.
    """
    result: list[Span] = []
    for span in sorted(spans):
        if result and span.first <= result[-1].last + DAY:
            result[-1] = Span(result[-1].first, max(result[-1].last, span.last))
        else:
            result.append(span)
    return result


class DateRangeSet:
    """A set of days, kept as spans with gaps between them."""

    def __init__(self, spans: Iterable[Span] = ()):
        self._spans = merged(spans)

    @classmethod
    def parse(cls, text: str) -> DateRangeSet:
        """Spans separated by commas."""
        return cls(Span.parse(part.strip()) for part in text.split(",") if part.strip())

    def __iter__(self) -> Iterator[Span]:
        return iter(self._spans)

    def __contains__(self, day) -> bool:
        return any(day in span for span in self._spans)

    def __eq__(self, other) -> bool:
        if not isinstance(other, DateRangeSet):
            return NotImplemented
        return self._spans == other._spans

    def __str__(self) -> str:
        return ", ".join(map(str, self._spans))

    def days(self) -> int:
        return sum(len(span) for span in self._spans)

    def union(self, other: DateRangeSet) -> DateRangeSet:
        return DateRangeSet([*self._spans, *other._spans])

    def intersection(self, other: DateRangeSet) -> DateRangeSet:
        common = []
        for a in self._spans:
            for b in other._spans:
                if a.overlaps(b):
                    common.append(Span(max(a.first, b.first), min(a.last, b.last)))
        return DateRangeSet(common)

    def gaps(self, within: Span) -> list[Span]:
        """The spans of *within* that have no day of the set."""
        free = []
        start = within.first
        for span in self._spans:
            if span.last < start:
                continue
            if span.first > within.last:
                break
            if span.first > start:
                free.append(Span(start, span.first - DAY))
            start = span.last + DAY
        if start <= within.last:
            free.append(Span(start, within.last))
        return free
