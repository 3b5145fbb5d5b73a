from .definition import Transition, WorkflowDefinition
from .errors import GuardRejected, UnknownEvent, WorkflowError
from .machine import Machine

__all__ = [
    "GuardRejected",
    "Machine",
    "Transition",
    "UnknownEvent",
    "WorkflowDefinition",
    "WorkflowError",
]
