class Subscription:
    """A handler that listens to an event; made by ``EventBus.subscribe``."""

    def __init__(self, event, handler, once=False, priority=0):
        self.event = event
        self.handler = handler
        self.once = once
        self.priority = priority
        self.active = True

    def __repr__(self):
        name = getattr(self.handler, "__name__", repr(self.handler))
        state = "" if self.active else " (ended)"
        return f"<Subscription {name} to {self.event!r}{state}>"
