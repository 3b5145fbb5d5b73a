from .store import Tracker
from .workflow import State, WorkflowError

__all__ = ["State", "Tracker", "WorkflowError"]
