import pytest

from client import Backoff, Client, FakeTransport, Response, TransportError


def wait(seconds, status=503):
    return Response(status, headers={"Retry-After": seconds})


def run(*answers, method="GET", **options):
    """(status or error text, number of requests, pauses)"""
    transport, pauses = FakeTransport(*answers), []
    client = Client(transport, sleep=pauses.append, **options)
    try:
        result = client.request(method, "/a").status
    except TransportError as error:
        result = str(error)
    return result, len(transport.requests), pauses


ERR = TransportError("down")


@pytest.mark.parametrize("answers, expected", [
    ([wait("9"), ERR, 200], (200, 3, [9, 2])),
    ([wait("9"), ERR, ERR, 200], (200, 4, [9, 2, 4])),
    ([ERR, wait("9"), ERR, 200], (200, 4, [1, 9, 4])),
    ([wait("9"), 503, 200], (200, 3, [9, 2])),
    ([wait("9"), 503, ERR, 200], (200, 4, [9, 2, 4])),
    ([wait("9"), wait("3"), ERR, 200], (200, 4, [9, 3, 4])),
    ([wait("9"), wait("soon"), 200], (200, 3, [9, 2])),
    ([wait("0"), 200], (200, 2, [0])),
    ([wait("0"), ERR, 200], (200, 3, [0, 2])),
    ([wait("0"), wait("0"), 200], (200, 3, [0, 0])),
    ([wait("-1"), 200], (200, 2, [0])),
    ([wait("100"), 200], (200, 2, [100])),
    ([ERR, ERR, ERR, ERR, 200], (200, 5, [1, 2, 4, 8])),
    ([503, ERR, 503, ERR, 404], (404, 5, [1, 2, 4, 8])),
    ([ERR, ERR, ERR, ERR, wait("9")], (503, 5, [1, 2, 4, 8])),
    ([wait("9"), ERR, ERR, ERR, ERR], ("down", 5, [9, 2, 4, 8])),
    ([wait("9"), 404], (404, 2, [9])),
    ([wait("9", 200)], (200, 1, [])),
    ([wait("9", 500)], (500, 1, [])),
])
def test_get(answers, expected):
    assert run(*answers, attempts=5) == expected


@pytest.mark.parametrize("answers, expected", [
    ([429, 429, 201], (201, 3, [1, 2])),
    ([wait("9", 429), 503], (503, 2, [9])),
    ([wait("9", 429), ERR], ("down", 2, [9])),
    ([wait("9", 429), 429, 201], (201, 3, [9, 2])),
    ([429, 429, 429], (429, 3, [1, 2])),
    ([502], (502, 1, [])),
])
def test_post(answers, expected):
    assert run(*answers, method="POST") == expected


@pytest.mark.parametrize("method", ["HEAD", "PUT", "DELETE"])
def test_safe_methods(method):
    assert run(ERR, 503, 200, method=method) == (200, 3, [1, 2])


def test_limit_of_the_backoff_is_not_for_the_header():
    backoff = Backoff(base=1, limit=3)
    assert run(503, wait("8"), 503, 200, attempts=4, backoff=backoff) == (200, 4, [1, 8, 3])


def test_two_requests_of_one_client():
    transport, pauses = FakeTransport(wait("9"), 200, ERR, 200), []
    client = Client(transport, sleep=pauses.append)
    client.get("/a")
    client.get("/b")
    assert pauses == [9, 1]


def test_one_attempt_error():
    assert run(ERR, attempts=1) == ("down", 1, [])
