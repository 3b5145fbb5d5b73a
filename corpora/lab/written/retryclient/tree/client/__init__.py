from .backoff import Backoff
from .http import Client
from .transport import FakeTransport, Response, TransportError

__all__ = ["Backoff", "Client", "FakeTransport", "Response", "TransportError"]
