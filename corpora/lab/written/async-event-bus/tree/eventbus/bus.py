"""An event bus for asyncio programs."""
import inspect
import logging

from .subscription import Subscription

log = logging.getLogger(__name__)


def log_error(event, subscription, error):
    log.error("handler %r of %s failed: %s", subscription, event, error)


class EventBus:
    """Brings events to their handlers.

    Handlers are functions or coroutine functions with one argument, the
    payload.  ``on_error`` is called with (event, subscription, exception) when
    a handler fails.
    """

    def __init__(self, on_error=log_error):
        self._subscriptions = {}
        self._on_error = on_error

    def subscribe(self, event, handler, once=False, priority=0):
        """Call ``handler`` for every ``event``, or for the next one only.

        The same handler may be subscribed more than once.
        """
        subscription = Subscription(event, handler, once, priority)
        subscriptions = self._subscriptions.setdefault(event, [])
        subscriptions.append(subscription)
        subscriptions.sort(key=lambda s: -s.priority)
        return subscription

    def on(self, event, **options):
        """Decorator form of ``subscribe``."""
        def decorate(handler):
            self.subscribe(event, handler, **options)
            return handler
        return decorate

    def unsubscribe(self, subscription):
        """End a subscription; False if it has ended before."""
        if not subscription.active:
            return False
        subscription.active = False
        subscriptions = self._subscriptions[subscription.event]
        subscriptions.remove(subscription)
        if not subscriptions:
            del self._subscriptions[subscription.event]
        return True

    def handlers(self, event):
        return [s.handler for s in self._subscriptions.get(event, ())]

    def events(self):
        """Names of the events somebody listens to."""
        return sorted(self._subscriptions)

    async def publish(self, event, payload=None):
        """Call the handlers of ``event`` and return their results.

        One handler after the other, each finished before the next begins:
        those with high priority first, those with the same priority in the order of
        subscription.  Every handler that listens at the moment of publishing
        gets the event once, unless its subscription is ended before its turn
        comes.  Handlers that are subscribed meanwhile get the next event.

        A subscription with ``once`` ends before its handler is called.  When
        a handler fails, ``on_error`` is told, its result is left out and
        the others are called nevertheless.
        """
        results = []
        for subscription in self._subscriptions.get(event, []):
            if subscription.once:
                self.unsubscribe(subscription)
            try:
                result = subscription.handler(payload)
                if inspect.isawaitable(result):
                    result = await result
            except Exception as error:
                self._on_error(event, subscription, error)
            else:
                results.append(result)
        return results
