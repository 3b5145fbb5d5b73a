import pytest

from client import Backoff, Client, FakeTransport, Response, TransportError
from client.http import retry_after


class Setup:
    def __init__(self, *answers, **options):
        self.transport = FakeTransport(*answers)
        self.pauses = []
        self.client = Client(self.transport, sleep=self.pauses.append, **options)

    @property
    def sent(self):
        return len(self.transport.requests)


@pytest.mark.parametrize("attempt, expected", [(1, 1), (2, 2), (3, 4), (10, 60)])
def test_backoff(attempt, expected):
    assert Backoff().delay(attempt) == expected


def test_backoff_counts_from_one():
    with pytest.raises(ValueError):
        Backoff().delay(0)


def test_attempts_at_least_one():
    with pytest.raises(ValueError):
        Client(FakeTransport(), attempts=0)


@pytest.mark.parametrize("headers, expected", [
    ({}, None),
    ({"Retry-After": "7"}, 7),
    ({"retry-after": "0.5"}, 0.5),
    ({"Retry-After": "-3"}, 0),
    ({"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"}, None),
])
def test_retry_after(headers, expected):
    assert retry_after(Response(503, headers=headers)) == expected


@pytest.mark.parametrize("status", [200, 201, 304, 400, 404, 500])
def test_no_retry(status):
    s = Setup(status)
    assert s.client.get("/a").status == status
    assert s.sent == 1
    assert s.pauses == []


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_retry_status(status):
    s = Setup(status, status, 200)
    assert s.client.get("/a").status == 200
    assert s.pauses == [1, 2]


def test_last_response_is_returned():
    s = Setup(503, 503, Response(503, "third"))
    assert s.client.get("/a").body == "third"
    assert s.sent == 3
    assert s.pauses == [1, 2]


def test_transport_error_then_good():
    s = Setup(TransportError("refused"), 200)
    assert s.client.get("/a").status == 200
    assert s.pauses == [1]


def test_transport_error_to_the_end():
    s = Setup(TransportError("a"), TransportError("b"), TransportError("c"))
    with pytest.raises(TransportError, match="c"):
        s.client.get("/a")
    assert s.sent == 3
    assert s.pauses == [1, 2]


def test_other_errors_pass():
    s = Setup(KeyError("x"))
    with pytest.raises(KeyError):
        s.client.get("/a")
    assert s.sent == 1


def test_header_is_used_for_the_pause():
    s = Setup(Response(429, headers={"Retry-After": "9"}), 200)
    s.client.get("/a")
    assert s.pauses == [9]


def test_header_counts_for_one_pause_only():
    s = Setup(Response(503, headers={"Retry-After": "9"}), TransportError("x"), 200)
    assert s.client.get("/a").status == 200
    assert s.pauses == [9, 2]


def test_post_is_not_sent_twice():
    s = Setup(503)
    assert s.client.post("/a", "x").status == 503
    s = Setup(TransportError("x"))
    with pytest.raises(TransportError):
        s.client.post("/a", "x")
    assert s.sent == 1


def test_post_after_429():
    s = Setup(429, 201)
    assert s.client.post("/a", "x").status == 201
    assert s.pauses == [1]


def test_one_attempt():
    s = Setup(503, attempts=1)
    assert s.client.get("/a").status == 503
    assert s.pauses == []
