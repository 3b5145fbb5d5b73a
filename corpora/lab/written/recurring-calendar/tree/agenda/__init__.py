from .calendar import Calendar, Event
from .rule import Freq, Rule, add_months

__all__ = ["Calendar", "Event", "Freq", "Rule", "add_months"]
