"""Every fault that a network and a server can have, over real sockets, and what is asked again because of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import closing
from dataclasses import replace

import pytest
from fakes.model_server import Choosy, Fails, Raw, Says, Stops, model_server

from analysis.errors import ModelError
from repair.model.asking import ModelClient
from repair.model.backend import BackendFault, FaultKind, Message, ModelRequest, ReplyForm
from repair.model.endpoint import MOST_BYTES, OVER_LONG, Endpoint
from repair.model.meter import Meter, ModelLimits
from repair.model.reply import ModelReply

KEY = "sk-canary-6f1c0d7e42"
ASKED = ModelRequest((Message("user", "mend this"),), temperature=0.0, seed=3)
GOOD = Says("WHY: x\nEND.")
SECONDS = 1.0


class Session:
    """One client of a server, whose pauses are noted and not waited for."""

    def __init__(self, server, stream=False, seconds=30.0):
        self.endpoint = Endpoint("m", server.url, KEY, stream=stream)
        self.pauses, self.noted = [], []
        limits = ModelLimits(request_seconds=seconds)
        self.client = ModelClient(self.endpoint, Meter(limits), self.pauses.append, self.noted.append)

    def ask(self, request=ASKED):
        with closing(self.endpoint):
            return self.client.ask(request, lambda: 600.0)


@pytest.mark.parametrize("stream", [False, True])
def test_a_reply_whole_and_streamed(stream):
    with model_server(replace(GOOD, reasoning="hm")) as server:
        reply = Session(server, stream).ask()
    assert reply == ModelReply("WHY: x\nEND.", "stop", "", 700, 60, "hm")
    body = server.asked[0].body
    assert (body["temperature"], body["seed"], body.get("stream", False)) == (0.0, 3, stream)


def test_a_server_that_streams_unasked_is_read_too():
    with model_server(replace(GOOD, streamed=True)) as server:
        assert Session(server).ask().text == "WHY: x\nEND."


PASSING = {
    "rate": (Fails(429), FaultKind.RATE),
    "500": (Fails(500, b"oops"), FaultKind.SERVER),
    "503": (Fails(503), FaultKind.SERVER),
    "529": (Fails(529), FaultKind.SERVER),
    "no byte": (Stops(GOOD, 0), FaultKind.TIMEOUT),
    "half a head": (Stops(GOOD, 20), FaultKind.TIMEOUT),
    "half a body": (Stops(GOOD, -10), FaultKind.TIMEOUT),
    "closed at once": (Stops(GOOD, 0, "end"), FaultKind.NETWORK),
    "closed in the body": (Stops(GOOD, -10, "end"), FaultKind.NETWORK),
    "reset at once": (Stops(GOOD, 0, "reset"), FaultKind.NETWORK),
    "reset in the body": (Stops(GOOD, -10, "reset"), FaultKind.NETWORK),
    "no length, closed": (Stops(replace(GOOD, sized=False), -10, "end"), FaultKind.REPLY),
    "stream, closed": (Stops(replace(GOOD, sized=False, streamed=True), -120, "end"), FaultKind.NETWORK),
    "stream, stalled": (Stops(replace(GOOD, streamed=True), -120), FaultKind.TIMEOUT),
    "a page": (Raw(b"<html>gateway</html>", {"content-type": "text/html"}), FaultKind.REPLY),
    "an error as success": (Raw(b'{"error": {"code": 503, "message": "busy"}}'), FaultKind.SERVER),
}


@pytest.mark.parametrize(("step", "kind"), PASSING.values(), ids=PASSING.keys())
def test_a_passing_fault_is_tried_again(step, kind):
    with model_server(step, GOOD) as server:
        session = Session(server, seconds=SECONDS)
        assert session.ask().text == "WHY: x\nEND."
    assert len(server.asked) == 2
    assert session.pauses == [1.0]
    fault = session.noted[-1].tries[0].answer
    assert isinstance(fault, BackendFault)
    assert fault.kind is kind
    assert fault.detail


def test_time_outs_before_and_after_the_first_byte_are_told_apart():
    with model_server(Stops(GOOD, 0), Stops(GOOD, -10), GOOD) as server:
        session = Session(server, seconds=SECONDS)
        session.ask()
    said = [each.answer.detail for each in session.noted[-1].tries[:2]]
    assert said == ["not a byte of an answer came in 1 s", "an answer began, and did not end in 1 s"]


@pytest.mark.parametrize("wish", [{"retry-after": "7"}, {"retry-after-ms": "7000"}])
def test_the_server_s_wish_is_waited_for(wish):
    with model_server(Fails(429, headers=wish), GOOD) as server:
        session = Session(server)
        session.ask()
    assert session.pauses == [7.0]


def test_a_server_that_stays_down_is_unavailable_after_four_tries():
    with model_server(Fails(503, {"error": {"message": "no capacity"}})) as server:
        session = Session(server)
        with pytest.raises(ModelError, match=r"Model unavailable after 4 tries \(server\): HTTP 503: no capacity"):
            session.ask()
    assert session.pauses == [1.0, 2.0, 4.0]
    assert len(server.asked) == 4


@pytest.mark.parametrize(
    ("step", "words"),
    [
        (Fails(401, {"error": {"message": f"bad key {KEY}"}}), "authentication"),
        (Fails(404), "not found"),
        (Fails(402), "quota"),
        (Fails(429, {"error": {"code": "insufficient_quota", "message": "pay"}}), "quota"),
        (Fails(307, headers={"location": "http://127.0.0.1:9/v1"}), "redirect"),
    ],
)
def test_a_lasting_fault_is_told_at_once(step, words):
    with model_server(step) as server, pytest.raises(ModelError, match=words) as raised:
        Session(server).ask()
    assert len(server.asked) == 1
    assert KEY not in str(raised.value)


OUTCOMES = {
    "truncated": (Says("half", "length"), ("half", "length", "")),
    "refused": (Says(None, refusal="I will not"), ("", "stop", "I will not")),
    "filtered": (Says(None, "content_filter"), ("", "content_filter", "")),
    "filtered, as an error": (Fails(400, {"error": {"code": "content_filter"}}), ("", "content_filter", "")),
    "empty": (Says(""), ("", "stop", "")),
    "nothing": (Says(None), ("", "stop", "")),
    "over-long": (Says("x" * MOST_BYTES), ("", OVER_LONG, "")),
    "half a character": (Says("a\ud800"), ("a\ud800", "stop", "")),
    "tool": (Says(None, "tool_calls"), ("", "tool_calls", "")),
}


@pytest.mark.parametrize(("step", "expected"), OUTCOMES.values(), ids=OUTCOMES.keys())
def test_a_bad_reply_is_a_reply_and_is_not_asked_for_again(step, expected):
    with model_server(step) as server:
        reply = Session(server).ask()
    assert (reply.text, reply.finish, reply.refusal) == expected
    assert len(server.asked) == 1


def test_a_server_that_takes_neither_schema_nor_temperature_is_asked_without_them():
    form = ReplyForm("edit", {"type": "object"})
    with model_server(Choosy(GOOD, rejects=("response_format", "temperature"))) as server:
        session = Session(server)
        session.client.ask(replace(ASKED, form=form), lambda: 600.0)
        reply = session.ask(replace(ASKED, form=form))
    assert reply.without == ("response_format", "temperature")
    assert len(server.asked) == 4
    assert "seed" in server.asked[-1].body


SCRIPT = """\
import sys
from repair.model.asking import ModelClient
from repair.model.backend import Message, ModelRequest
from repair.model.endpoint import Endpoint
from repair.model.meter import Meter, ModelLimits
client = ModelClient(Endpoint("m", sys.argv[1], sys.argv[2]), Meter(ModelLimits()), lambda _: None, print)
print(client.ask(ModelRequest((Message("user", f"mend this, {sys.argv[2]}"),)), lambda: 60.0))
"""


def test_the_key_appears_nowhere_though_server_prompt_and_the_sdk_s_own_log_have_it():
    leak = {"error": {"message": f"key {KEY}", "code": KEY, "type": KEY, "param": KEY}}
    steps = (Fails(503, leak, {"x-key": KEY}), Says(f"it is {KEY}", KEY, KEY, KEY))
    with model_server(*steps) as server:
        env = {**os.environ, "OPENAI_LOG": "debug", "OPENAI_API_KEY": KEY}
        command = [sys.executable, "-c", SCRIPT, server.url, KEY]
        ran = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
    assert server.asked[0].key == KEY, "it is sent, where it belongs"
    assert KEY not in json.dumps(server.asked[0].body), "and not in what is asked"
    assert "[key]" in ran.stdout
    shown = ran.stderr + ran.stdout.replace(f"mend this, {KEY}", "")
    assert KEY not in shown
