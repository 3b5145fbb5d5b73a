"""States of an issue and the ways between them."""
from enum import Enum


class State(str, Enum):
    OPEN = "open"
    IN_PROGRESS = "in_progress"
    RESOLVED = "resolved"
    CLOSED = "closed"


# States in which nothing is left to do.
DONE_STATES = frozenset({State.RESOLVED, State.CLOSED})

TRANSITIONS = {
    State.OPEN: {State.IN_PROGRESS, State.RESOLVED},
    State.IN_PROGRESS: {State.OPEN, State.RESOLVED},
    State.RESOLVED: {State.CLOSED, State.OPEN, State.IN_PROGRESS},
    State.CLOSED: {State.OPEN},
}


class WorkflowError(Exception):
    """A move the workflow does not allow."""


def check_move(old, new, resolution):
    """Raise WorkflowError unless an issue may go from `old` to `new`."""
    if new not in TRANSITIONS[old]:
        raise WorkflowError(f"cannot go from {old.value} to {new.value}")
    if new is State.RESOLVED and not resolution:
        raise WorkflowError("say how the issue was resolved")
