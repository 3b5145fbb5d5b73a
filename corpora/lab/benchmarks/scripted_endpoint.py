"""An endpoint of this machine that speaks Chat Completions, and answers what a function of ours says."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

LONGEST_QUESTION = 8 << 20

Answering = Callable[[str, Mapping[str, Any]], str | None]
"""The text that answers a request, from the first part of its path and its JSON body; ``None`` for "not found"."""


@contextmanager
def serve_answers(answer: Answering) -> Iterator[str]:
    """Serve until the block ends, and hand out the address. One request is answered at a time."""
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers.get("content-length", 0))
            body = self.rfile.read(min(length, LONGEST_QUESTION))
            with lock:
                text = answer(self.path.split("/")[1], json.loads(body))
            if text is None:
                self.send_error(404)
                return
            content = json.dumps(_completion(text, len(body) // 4)).encode()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *arguments: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True, name="endpoint").start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def words_of(asked: Mapping[str, Any], role: str) -> str:
    """All that a request says in that role."""
    return "\n".join(str(turn["content"]) for turn in asked["messages"] if turn["role"] == role)


def _completion(text: str, asked: int) -> dict[str, Any]:
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    return {"choices": [choice], "usage": {"prompt_tokens": asked, "completion_tokens": len(text) // 4}}
