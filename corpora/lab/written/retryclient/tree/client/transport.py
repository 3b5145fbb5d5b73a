from dataclasses import dataclass, field


class TransportError(Exception):
    """No answer at all (connection refused, timeout, ...)."""


@dataclass
class Response:
    status: int
    body: str = ""
    headers: dict = field(default_factory=dict)


class FakeTransport:
    """Gives prepared answers; exceptions among them are raised."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.requests = []

    def send(self, method, url, body=None):
        self.requests.append((method, url))
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        if isinstance(answer, int):
            return Response(answer)
        return answer
