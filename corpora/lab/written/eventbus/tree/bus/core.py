from .events import Event, matches


class Subscription:
    def __init__(self, bus, pattern, handler, priority, once):
        self.bus = bus
        self.pattern = pattern
        self.handler = handler
        self.priority = priority
        self.once = once
        self.active = True

    def cancel(self):
        self.bus.remove(self)


class EventBus:
    """Calls the handlers of an event, higher priority first."""

    def __init__(self):
        self.subscriptions = []
        self.errors = []

    def on(self, pattern, handler, priority=0, once=False):
        sub = Subscription(self, pattern, handler, priority, once)
        self.subscriptions.append(sub)
        self.subscriptions.sort(key=lambda s: -s.priority)
        return sub

    def once(self, pattern, handler, priority=0):
        return self.on(pattern, handler, priority, once=True)

    def remove(self, sub):
        """Take a subscription away; harmless when done twice."""
        sub.active = False
        if sub in self.subscriptions:
            self.subscriptions.remove(sub)

    def off(self, handler):
        """Remove every subscription of handler."""
        for sub in [s for s in self.subscriptions if s.handler == handler]:
            self.remove(sub)

    def emit(self, name, **data):
        """Send an event; returns the Event.

        Handlers added while an event is sent do not get that event, handlers
        removed while it is sent do not get it any more.  An error in a
        handler goes to ``errors`` and does not stop the others.
        """
        event = Event(name, data)
        for sub in self.subscriptions:
            if not matches(sub.pattern, name):
                continue
            if sub.once:
                self.remove(sub)
            try:
                sub.handler(event)
            except Exception as error:
                self.errors.append((name, error))
            if event.stopped:
                break
        return event
