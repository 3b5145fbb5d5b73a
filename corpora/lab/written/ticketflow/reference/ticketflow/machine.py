"""A running instance of a workflow."""
from .definition import WorkflowDefinition
from .errors import GuardRejected, NothingToUndo, UnknownEvent


class Machine:
    """Walks through a WorkflowDefinition.

    ``history`` is the list of (event, from_state, to_state) that really happened,
    oldest first.  Listeners are called as ``listener(machine, event, old, new)``
    after the state has changed.
    """

    def __init__(self, definition: WorkflowDefinition, context=None):
        self.definition = definition
        self.state = definition.initial
        self.context = {} if context is None else context
        self.history = []
        self._listeners = []

    def on_change(self, listener):
        self._listeners.append(listener)
        return listener

    def can(self, event: str) -> bool:
        """True if fire(event) would succeed right now."""
        transition = self.definition.find(self.state, event)
        if transition is None:
            return False
        return all(guard(self.context) is True for guard in transition.guards)

    def fire(self, event: str, **data) -> str:
        """Perform *event* and return the new state.

        ``data`` is put into the context for the guards to see.  When the event is
        not possible here (UnknownEvent) or one of the guards rejects it
        (GuardRejected), the machine is left exactly as it was: same state, same
        history, same context.
        """
        transition = self.definition.find(self.state, event)
        if transition is None:
            raise UnknownEvent(self.state, event)
        candidate = {**self.context, **data}
        for guard in transition.guards:
            verdict = guard(candidate)
            if verdict is not True:
                raise GuardRejected(event, verdict or "not allowed")
        self.context.update(data)
        old = self.state
        self.state = transition.target
        self.history.append((event, old, self.state))
        for listener in self._listeners:
            listener(self, event, old, self.state)
        return self.state

    def undo(self) -> str:
        """Go back to the state before the last event. Listeners are not told."""
        if not self.history:
            raise NothingToUndo("no event to undo")
        _event, old, _new = self.history.pop()
        self.state = old
        return self.state

    @property
    def finished(self) -> bool:
        return self.state in self.definition.final

    def available(self) -> list:
        """Names of the events whose guards would let them happen now."""
        return [e for e in self.definition.events_from(self.state) if self.can(e)]
