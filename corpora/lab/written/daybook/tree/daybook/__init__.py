from daybook.calendar import Calendar
from daybook.rangeset import DateRangeSet
from daybook.span import Span

__all__ = ["Calendar", "DateRangeSet", "Span"]
