class WorkflowError(Exception):
    """Base class for everything the engine raises."""


class UnknownEvent(WorkflowError):
    """The event cannot happen in the current state."""

    def __init__(self, state, event):
        super().__init__(f"event {event!r} is not possible in state {state!r}")
        self.state = state
        self.event = event


class GuardRejected(WorkflowError):
    """A guard said no."""

    def __init__(self, event, reason):
        super().__init__(f"{event}: {reason}")
        self.event = event
        self.reason = reason


class NothingToUndo(WorkflowError):
    """undo() was called on a machine that is still in its first state."""
