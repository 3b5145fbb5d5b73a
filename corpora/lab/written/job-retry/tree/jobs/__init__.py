from .backoff import Backoff
from .job import FatalError, Job, State
from .scheduler import Scheduler

__all__ = ["Backoff", "FatalError", "Job", "Scheduler", "State"]
