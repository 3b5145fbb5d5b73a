from .core import EventBus
from .events import Event

__all__ = ["EventBus", "Event"]
