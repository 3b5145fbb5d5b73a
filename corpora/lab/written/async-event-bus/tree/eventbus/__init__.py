from .bus import EventBus
from .history import Recorder, wait_for
from .subscription import Subscription

__all__ = ["EventBus", "Recorder", "Subscription", "wait_for"]
