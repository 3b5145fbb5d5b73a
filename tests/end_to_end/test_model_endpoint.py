"""`repair fix` with a model: a local endpoint answers; what it costs is counted, and the key stays where it belongs."""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from textwrap import dedent

import pytest

KEY = "sk-canary-51d0a7b3e9"

FILES = {
    "shop.py": """\
        def total(prices, discount=0):
            result = 0
            for price in prices:
                result += price
            return result - result * discount * 100


        def label(name):
            return name.title()
        """,
    "test_shop.py": """\
        from shop import label, total


        def test_discount_is_a_percentage():
            assert total([100, 300], 25) == 300
            assert total([10], 50) == 5
            assert total([8, 8, 8], 75) == 6


        def test_without_discount_prices_add_up():
            assert total([]) == 0
            assert total([1, 2, 3]) == 6
            assert total([5], 0) == 5


        def test_labels_are_titles():
            assert label("red tea") == "Red Tea"
        """,
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A small project with one failing test."""
    root = tmp_path / "project"
    root.mkdir()
    for name, text in FILES.items():
        (root / name).write_text(dedent(text))
    return root


Asked = list[dict[str, str]]


@pytest.fixture
def serve() -> Iterator[Callable[[int, str], tuple[str, Asked]]]:
    """Starts an endpoint that gives one answer for ever; its address, and what it is asked."""
    servers: list[ThreadingHTTPServer] = []

    def started(status: int, content: str) -> tuple[str, Asked]:
        asked: Asked = []

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                asked.append({"key": self.headers.get("authorization", ""), "body": body.decode()})
                answer = content.encode()
                self.send_response(status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *arguments: object) -> None:
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        servers.append(server)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{server.server_port}/v1", asked

    yield started
    for server in servers:
        server.shutdown()
        server.server_close()


def completion(replacement: str) -> str:
    edit = {"kind": "update", "place": "", "old": "result * discount * 100", "text": replacement}
    why = "a percentage is divided by 100"
    reply = {"why": why, "edits": [edit], "imports": [], "words": [], "elsewhere": None}
    choice = {"message": {"role": "assistant", "content": json.dumps(reply)}, "finish_reason": "stop"}
    return json.dumps({"choices": [choice], "usage": {"prompt_tokens": 700, "completion_tokens": 60}})


def arguments(project: Path, url: str) -> list[str]:
    asked = ["fix", "test_shop.py::test_discount_is_a_percentage", "--root", str(project), "--json"]
    return [*asked, "--proposer", "model", "--model", "some-model", "--base-url", url, "--max-seconds", "240"]


def test_a_model_s_edit_is_judged_like_any_other(project, serve, repair):
    url, asked = serve(200, completion("result * discount / 100"))
    answer = repair(*arguments(project, url), env={"REPAIR_API_KEY": KEY})
    result = answer.result
    assert result["status"] in ("certified", "plausible"), answer.messages
    patch = result["patches"][0]
    assert patch["proposer"] == "model"
    assert patch["explanation"] == "a percentage is divided by 100"
    assert result["cost"]["requests"] == len(asked) > 0
    assert result["cost"]["input_tokens"] == 700 * len(asked)
    subprocess.run(["git", "apply", "--check", "-"], input=patch["diff"], text=True, cwd=project, check=True)
    assert asked[0]["key"] == f"Bearer {KEY}"
    written = [p.read_bytes() for p in project.rglob("*") if p.is_file()]
    assert not any(KEY.encode() in content for content in written)
    assert KEY not in answer.output + answer.messages + asked[0]["body"]


def test_a_wrong_edit_is_not_accepted(project, serve, repair):
    url, asked = serve(200, completion("result * discount / 10"))
    answer = repair(*arguments(project, url), env={"REPAIR_API_KEY": KEY})
    assert answer.status == 1
    assert answer.result["status"] == "unrepaired"
    assert len(asked) > 1
    assert "does not do" in asked[1]["body"]
    assert "assert " in asked[1]["body"].rpartition("does not do")[2], "with the values of the assertion"


def test_a_refused_key_ends_with_status_four(project, serve, repair):
    url, asked = serve(401, json.dumps({"error": {"message": f"Incorrect API key provided: {KEY}"}}))
    answer = repair(*arguments(project, url), env={"REPAIR_API_KEY": KEY})
    assert answer.status == 4
    assert "REPAIR_API_KEY" in answer.messages + answer.output
    assert KEY not in answer.messages + answer.output
    assert len(asked) == 1


def test_an_endpoint_that_is_not_there_ends_with_status_four(project, repair):
    answer = repair(*arguments(project, "http://127.0.0.1:9/v1"), env={"REPAIR_API_KEY": KEY})
    assert answer.status == 4
    assert KEY not in answer.messages + answer.output
