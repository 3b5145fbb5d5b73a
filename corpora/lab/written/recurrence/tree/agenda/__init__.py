from .events import Event
from .rules import Daily, Monthly, Weekly

__all__ = ["Event", "Daily", "Weekly", "Monthly"]
