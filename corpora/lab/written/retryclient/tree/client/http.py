import time

from .backoff import Backoff
from .transport import Response, TransportError

RETRY_STATUS = {429, 502, 503, 504}
SAFE_METHODS = {"GET", "HEAD", "PUT", "DELETE"}


class Client:
    """Sends requests and tries again when that may help.

    ``attempts`` is the number of times a request is sent at most.
    """

    def __init__(self, transport, attempts: int = 3, backoff: Backoff | None = None,
                 sleep=time.sleep):
        if attempts < 1:
            raise ValueError("attempts must be at least 1")
        self.transport = transport
        self.attempts = attempts
        self.backoff = backoff or Backoff()
        self.sleep = sleep

    def get(self, url: str) -> Response:
        return self.request("GET", url)

    def post(self, url: str, body: str) -> Response:
        return self.request("POST", url, body)

    def request(self, method: str, url: str, body: str | None = None) -> Response:
        """Send a request and return the last response.

        Safe methods are sent again after a TransportError or a status in
        RETRY_STATUS; other methods only after 429, as then nothing was done.
        There is a pause before every new attempt: the number in a
        Retry-After header if there is one, else the backoff delay.  When the
        last attempt has no answer its TransportError is raised.
        """
        safe = method in SAFE_METHODS
        attempt = 1
        wait = None
        while True:
            last = attempt == self.attempts
            try:
                response = self.transport.send(method, url, body)
            except TransportError:
                if last or not safe:
                    raise
            else:
                status = response.status
                again = status in RETRY_STATUS if safe else status == 429
                if last or not again:
                    return response
                wait = retry_after(response)
            if wait is None:
                wait = self.backoff.delay(attempt)
            self.sleep(wait)
            attempt += 1


def retry_after(response: Response) -> float | None:
    """Seconds of the Retry-After header; None without a usable number."""
    for name, value in response.headers.items():
        if name.lower() == "retry-after":
            try:
                return max(0.0, float(value))
            except ValueError:
                return None
    return None
