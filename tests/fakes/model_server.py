"""A model's endpoint on this machine, scripted request by request: both protocols, whole and streamed, and every fault.

    with model_server(Fails(503), Says("WHY: …")) as server:
        Endpoint("m", server.url, "")

The steps are taken in order, and the last one for ever. ``server.asked`` is what came.
"""

from __future__ import annotations

import contextlib
import json
import re
import socket
import struct
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

from fakes.accepting import Accepting

WAIT = 60.0
"""Seconds after which a step that waits for its client to leave gives up."""


@dataclass(frozen=True)
class Asked:
    """One request as it came. ``body`` is its JSON, empty where there is none."""

    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]

    @property
    def text(self) -> str:
        """All messages, one after the other."""
        turns = self.body.get("messages", self.body.get("input", ()))
        return "\n".join(str(turn["content"]) for turn in turns)

    @property
    def key(self) -> str:
        """The key that came with it."""
        return self.headers.get("authorization", "").removeprefix("Bearer ")


class Step(Protocol):
    """What one request is answered with."""

    def response(self, asked: Asked) -> bytes:
        """The whole answer on the wire."""

    def play(self, client: socket.socket, response: bytes) -> None:
        """Send it, or what is made of it."""


class _Plain:
    """Sends all of it."""

    def play(self, client: socket.socket, response: bytes) -> None:
        client.sendall(response)


def http(status: int, content: bytes, headers: Mapping[str, str] | None = None, *, sized: bool = True) -> bytes:
    """An answer on the wire; one that is not ``sized`` ends when its connection does."""
    more = {"content-type": "application/json", "connection": "close", **(headers or {})}
    if sized:
        more["content-length"] = str(len(content))
    lines = [f"HTTP/1.1 {status} Said", *(f"{name}: {value}" for name, value in more.items())]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + content


@dataclass(frozen=True)
class Says(_Plain):
    """A reply in the protocol that was asked for, streamed where that was asked for, or where ``streamed`` says so.

    ``reasoning`` comes in the field ``trace`` of a chat completion, or as an item of a Response.
    """

    text: str | None
    finish: str | None = "stop"
    refusal: str = ""
    reasoning: str = ""
    trace: str = "reasoning_content"
    tokens: tuple[int, int] = (700, 60)
    streamed: bool | None = None
    sized: bool = True

    def response(self, asked: Asked) -> bytes:
        streamed = bool(asked.body.get("stream")) if self.streamed is None else self.streamed
        of_responses = asked.path.endswith("/responses")
        whole = self._response() if of_responses else self._chat()
        if not streamed:
            return http(200, json.dumps(whole).encode(), sized=self.sized)
        events = self._response_events(whole) if of_responses else self._chunks()
        content = "".join(events).encode()
        return http(200, content, {"content-type": "text/event-stream"}, sized=self.sized)

    def _chat(self) -> dict[str, Any]:
        message: dict[str, Any] = {"role": "assistant", "content": self.text}
        message |= {"refusal": self.refusal} if self.refusal else {}
        message |= {self.trace: self.reasoning} if self.reasoning else {}
        usage = {"prompt_tokens": self.tokens[0], "completion_tokens": self.tokens[1]}
        choice = {"index": 0, "message": message, "finish_reason": self.finish}
        return {"id": "1", "object": "chat.completion", "choices": [choice], "usage": usage}

    def _chunks(self) -> Iterator[str]:
        pieces = [(self.trace, self.reasoning), ("content", self.text or ""), ("refusal", self.refusal)]
        for name, text in pieces:
            for start in range(0, len(text), 7):
                yield _event({"choices": [{"index": 0, "delta": {name: text[start : start + 7]}}]})
        yield _event({"choices": [{"index": 0, "delta": {}, "finish_reason": self.finish}]})
        yield _event({"choices": [], "usage": self._chat()["usage"]})
        yield "data: [DONE]\n\n"

    def _response(self) -> dict[str, Any]:
        parts: list[dict[str, Any]] = [{"type": "output_text", "text": self.text or ""}]
        if self.refusal:
            parts = [{"type": "refusal", "refusal": self.refusal}]
        thoughts = [{"type": "summary_text", "text": self.reasoning}] if self.reasoning else []
        output = [{"type": "reasoning", "summary": thoughts}, {"type": "message", "content": parts}]
        usage = {"input_tokens": self.tokens[0], "output_tokens": self.tokens[1]}
        ended = {"status": "completed"}
        if self.finish not in ("stop", None):
            reason = {"length": "max_output_tokens"}.get(self.finish, self.finish)
            ended = {"status": "incomplete", "incomplete_details": {"reason": reason}}
        return {"id": "1", "object": "response", **ended, "output": output, "usage": usage}

    def _response_events(self, whole: Mapping[str, Any]) -> Iterator[str]:
        yield _event({"type": "response.created", "response": {**whole, "status": "in_progress", "output": []}})
        for start in range(0, len(self.text or ""), 7):
            yield _event({"type": "response.output_text.delta", "delta": (self.text or "")[start : start + 7]})
        yield from (_event({"type": "response.output_item.done", "item": item}) for item in whole["output"])
        kind = f"response.{whole['status']}"
        yield _event({"type": kind, "response": whole})


def _event(data: Mapping[str, Any]) -> str:
    kind = f"event: {data['type']}\n" if "type" in data else ""
    return f"{kind}data: {json.dumps(data)}\n\n"


@dataclass(frozen=True)
class Fails(_Plain):
    """An error of the server."""

    status: int
    body: Mapping[str, Any] | bytes = field(default_factory=lambda: {"error": {"message": "as scripted"}})
    headers: Mapping[str, str] = field(default_factory=dict)

    def response(self, asked: Asked) -> bytes:
        content = self.body if isinstance(self.body, bytes) else json.dumps(self.body).encode()
        return http(self.status, content, self.headers)


@dataclass(frozen=True)
class Raw(_Plain):
    """A success with any content."""

    content: bytes
    headers: Mapping[str, str] = field(default_factory=dict)

    def response(self, asked: Asked) -> bytes:
        return http(200, self.content, self.headers)


@dataclass(frozen=True)
class Stops:
    """So many bytes of another step, and then ``then``: nothing more (``stall``), an end, or a reset.

    Negative numbers count from the end of the answer, as in a slice.
    """

    step: Step
    after: int
    then: str = "stall"

    def response(self, asked: Asked) -> bytes:
        return self.step.response(asked)

    def play(self, client: socket.socket, response: bytes) -> None:
        client.sendall(response[: self.after])
        if self.then == "reset":
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        elif self.then == "stall":
            client.settimeout(WAIT)
            client.recv(1)


class Choosy(_Plain):
    """A server that knows one model and one key, and rejects some fields, before it says what another step says."""

    def __init__(self, step: Step, model: str = "", key: str = "", rejects: Sequence[str] = ()) -> None:
        self.step, self.model, self.key, self.rejects = step, model, key, rejects

    def response(self, asked: Asked) -> bytes:
        name = asked.body.get("model")
        found = next((each for each in self.rejects if each in asked.body), None)
        if self.key and asked.key != self.key:
            return Fails(401, {"error": {"message": f"Incorrect API key provided: {asked.key}"}}).response(asked)
        if self.model and name is not None and name != self.model:
            return Fails(404, {"error": {"message": f"The model `{name}` does not exist"}}).response(asked)
        if found:
            return Fails(400, {"error": {"message": f"Unsupported parameter: '{found}'"}}).response(asked)
        return self.step.response(asked)

    def play(self, client: socket.socket, response: bytes) -> None:
        self.step.play(client, response)


class ModelServer:
    """The listening socket with its script."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self.asked: list[Asked] = []
        self._steps, self._lock = steps, threading.Lock()
        self._accepting = Accepting(self._answer)
        self.port, self.close = self._accepting.port, self._accepting.close

    @property
    def url(self) -> str:
        """What ``--base-url`` takes."""
        return f"http://127.0.0.1:{self.port}/v1"

    def _answer(self, client: socket.socket) -> None:
        with client, contextlib.suppress(OSError):
            asked = _read_request(client)
            if asked is None:
                return
            with self._lock:
                step = self._steps[min(len(self.asked), len(self._steps) - 1)]
                self.asked.append(asked)
            step.play(client, step.response(asked))


def _read_request(client: socket.socket) -> Asked | None:
    """``None`` where the client leaves before it has asked, as one does whose time is up on a busy machine."""
    taken = b""
    while True:
        piece = client.recv(1 << 16)
        if not piece:
            return None
        taken += piece
        head, blank, body = taken.partition(b"\r\n\r\n")
        length = re.search(rb"(?i)content-length: *(\d+)", head)
        if blank and len(body) >= (int(length[1]) if length else 0):
            break
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    return Asked(first.split(" ")[1], headers, json.loads(body) if body else {})


@contextmanager
def model_server(*steps: Step) -> Iterator[ModelServer]:
    """A server with its script, closed at the end."""
    server = ModelServer(steps)
    try:
        yield server
    finally:
        server.close()
