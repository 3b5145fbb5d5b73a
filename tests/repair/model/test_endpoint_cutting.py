"""An endpoint that drips, redirects or never answers: real sockets on this machine."""

from __future__ import annotations

import contextlib
import threading
import time
from contextlib import closing

import openai
import pytest
from fakes.dripping import BODY, HEADERS, STATUS, endless, serving

from repair.model.backend import BackendFault, FaultKind, Message, ModelRequest
from repair.model.connections import Connections
from repair.model.endpoint import Endpoint
from repair.model.reply import ModelReply

ASKED = ModelRequest((Message("user", "the-secret-code"),))
KEY = "sk-canary-6f1c0d7e42"
SECONDS = 1.0
MARGIN = 10.0
"""A loaded machine; what is not cut goes on for ever."""


def slow_reply(seconds):
    """A whole reply, whose end comes after so long."""
    body = b'{"choices": [{"message": {"content": "done"}, "finish_reason": "stop"}]}'
    head = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n" % len(body)

    def pieces():
        yield head + body[:-1]
        time.sleep(seconds)
        yield body[-1:]

    return pieces


def redirecting(port):
    reply = f"HTTP/1.1 307 Temporary Redirect\r\nlocation: http://127.0.0.1:{port}/v1/x\r\ncontent-length: 0\r\n\r\n"
    return lambda: [reply.encode()]


@pytest.mark.parametrize("pieces", [HEADERS, BODY, STATUS], ids=["headers", "body", "status"])
def test_an_answer_that_drips_is_given_up_in_time_and_its_connection_ends(pieces):
    with serving(pieces) as server:
        began = time.monotonic()
        with closing(Endpoint("m", f"http://127.0.0.1:{server.port}/v1", KEY)) as endpoint:
            answer = endpoint.complete(ASKED, seconds=SECONDS, most_tokens=10)
            assert time.monotonic() - began < SECONDS + MARGIN
            assert isinstance(answer, BackendFault)
            assert answer.kind is FaultKind.TIMEOUT
            assert len(server.sent) == 1
            assert server.ended.wait(MARGIN), "the connection is cut, and not left to drip"


def test_a_redirect_is_not_followed_and_named():
    with serving(endless(b"", b"")) as other, serving(redirecting(other.port)) as first:
        with closing(Endpoint("m", f"http://127.0.0.1:{first.port}/v1", KEY)) as endpoint:
            answer = endpoint.complete(ASKED, seconds=30.0, most_tokens=10)
        assert isinstance(answer, BackendFault)
        assert answer.kind is FaultKind.REDIRECT
        assert f"127.0.0.1:{other.port}" in answer.detail
        assert "--base-url" in answer.kind.remedy
        assert len(first.sent) == 1
        assert other.sent == []


def test_a_client_that_follows_them_takes_the_prompt_to_the_other_host():
    """The control of the test before: the servers do redirect, and the SDK left to itself follows."""
    with serving(endless(b"", b"")) as other, serving(redirecting(other.port)) as first:
        address = f"http://127.0.0.1:{first.port}/v1"
        with (
            openai.OpenAI(api_key=KEY, base_url=address, max_retries=0, timeout=1.0) as client,
            contextlib.suppress(openai.OpenAIError),
        ):
            client.chat.completions.create(model="m", messages=[{"role": "user", "content": ASKED.messages[0].text}])
        assert b"the-secret-code" in b"".join(other.sent)


def test_the_model_and_its_host_are_told_once_before_the_first_request():
    heard = []
    with serving(lambda: [b"HTTP/1.1 401 No\r\ncontent-length: 0\r\n\r\n"]) as server:

        def tell(model, host):
            heard.append((model, host, len(server.sent)))

        with closing(Endpoint("some-model", f"http://127.0.0.1:{server.port}/v1", KEY, tell=tell)) as endpoint:
            assert heard == []
            for _ in range(2):
                endpoint.complete(ASKED, seconds=30.0, most_tokens=10)
        assert heard == [("some-model", f"127.0.0.1:{server.port}", 0)]


def test_work_in_time_gives_what_it_gives():
    assert Connections().run_within(60.0, lambda: 7) == 7


def test_what_work_raises_is_raised():
    with pytest.raises(KeyError):
        Connections().run_within(60.0, lambda: {}["missing"])


def test_work_that_takes_longer_is_not_waited_for():
    going = threading.Event()
    assert Connections().run_within(0.05, lambda: going.wait(60.0)) is None
    going.set()


def test_an_interruption_ends_the_connection(monkeypatch):
    with serving(BODY) as server, closing(Endpoint("m", f"http://127.0.0.1:{server.port}/v1", KEY)) as endpoint:

        def interrupted(futures, timeout):
            while not server.sent:
                time.sleep(0.01)
            raise KeyboardInterrupt

        monkeypatch.setattr("repair.model.connections.wait", interrupted)
        with pytest.raises(KeyboardInterrupt):
            endpoint.complete(ASKED, seconds=60.0, most_tokens=10)
        assert server.ended.wait(MARGIN)


def test_one_request_that_is_given_up_leaves_another_alone():
    """Both are on the way over one client: the connections of one are not those of the other."""
    answers: dict[str, object] = {}
    with (
        serving(slow_reply(2 * SECONDS), pause=0.0) as server,
        closing(Endpoint("m", f"http://127.0.0.1:{server.port}/v1", KEY)) as endpoint,
    ):

        def ask(name, seconds):
            answers[name] = endpoint.complete(ASKED, seconds=seconds, most_tokens=10)

        threads = [threading.Thread(target=ask, args=each) for each in (("short", SECONDS), ("long", 60.0))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert isinstance(answers["short"], BackendFault)
    assert answers["long"] == ModelReply("done", "stop")
