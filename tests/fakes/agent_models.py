"""A model server for coding agents on loopback: it speaks the four protocols of the clients that tests start.

Each request is one turn. The server first does what the agent would have done with its tools (``turns`` are callables,
one a turn, the last one from then on), then says that it is done. ``heard`` has the text of each request. A turn that
gives a ``ToolCall`` asks the client to call that tool, in Claude's protocol alone.
"""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

DONE = "I am done."


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call that the model asks its client for."""

    name: str
    arguments: Mapping[str, Any]


class AgentModel:
    """What a scripted model hears and does."""

    def __init__(self, turns: Sequence[Callable[[], ToolCall | None]]) -> None:
        self.turns = list(turns)
        self.heard: list[str] = []
        self.paths: list[str] = []
        self._lock = threading.Lock()

    def take_turn(self, path: str, body: Any) -> ToolCall | None:
        """Do what the turn does; the call of a tool that it asks for."""
        with self._lock:
            self.paths.append(path)
            self.heard.append(json.dumps(body))
            number = min(len(self.heard), len(self.turns)) - 1
            return self.turns[number]()


def _claude(call: ToolCall | None) -> Iterator[tuple[str, Any]]:
    message = {
        "id": "m", "type": "message", "role": "assistant", "model": "fake", "content": [],
        "stop_reason": None, "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1},
    }  # fmt: skip
    yield "message_start", {"type": "message_start", "message": message}
    block: dict[str, Any] = {"type": "text", "text": ""}
    delta = {"type": "text_delta", "text": DONE}
    if call is not None:
        block = {"type": "tool_use", "id": "t", "name": call.name, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(dict(call.arguments))}
    yield "content_block_start", {"type": "content_block_start", "index": 0, "content_block": block}
    yield "content_block_delta", {"type": "content_block_delta", "index": 0, "delta": delta}
    yield "content_block_stop", {"type": "content_block_stop", "index": 0}
    ended = {"stop_reason": "end_turn" if call is None else "tool_use", "stop_sequence": None}
    yield "message_delta", {"type": "message_delta", "delta": ended, "usage": {"output_tokens": 1}}
    yield "message_stop", {"type": "message_stop"}


def _codex(_: ToolCall | None) -> Iterator[tuple[str, Any]]:
    item = {"type": "message", "role": "assistant", "id": "i", "content": [{"type": "output_text", "text": DONE}]}
    usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
    yield "response.created", {"type": "response.created", "response": {"id": "r"}}
    yield "response.output_item.done", {"type": "response.output_item.done", "item": item}
    yield "response.completed", {"type": "response.completed", "response": {"id": "r", "usage": usage}}


def _gemini(_: ToolCall | None) -> Iterator[tuple[str, Any]]:
    content = {"role": "model", "parts": [{"text": DONE}]}
    counts = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}
    yield "", {"candidates": [{"content": content, "finishReason": "STOP", "index": 0}], "usageMetadata": counts}


def _copilot(_: ToolCall | None) -> Iterator[tuple[str, Any]]:
    base = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "fake"}
    yield (
        "",
        {**base, "choices": [{"index": 0, "delta": {"role": "assistant", "content": DONE}, "finish_reason": None}]},
    )
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    yield "", {**base, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}], "usage": usage}


SPOKEN = {
    "/v1/messages": (_claude, "\n\n"),
    "/v1/responses": (_codex, "\n\n"),
    ":streamGenerateContent": (_gemini, "\r\n\r\n"),
    "/chat/completions": (_copilot, "\n\n"),
}


@contextlib.contextmanager
def serving(model: AgentModel) -> Iterator[str]:
    """The model behind a port of loopback; its address."""

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: Any) -> None:
            pass

        def do_GET(self) -> None:
            self._answer(b'{"data": [], "models": []}', "application/json")

        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            spoken = next((spoken for part, spoken in SPOKEN.items() if part in self.path.partition("?")[0]), None)
            if spoken is None:
                self._answer(b'{"input_tokens": 1, "totalTokens": 1}', "application/json")
                return
            call = model.take_turn(self.path, json.loads(raw))
            speak, end = spoken
            lines = [
                (f"event: {name}\n" if name else "") + f"data: {json.dumps(said)}{end}" for name, said in speak(call)
            ]
            if speak is _copilot:
                lines.append("data: [DONE]\n\n")
            self._answer("".join(lines).encode(), "text/event-stream")

        def _answer(self, body: bytes, kind: str) -> None:
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
