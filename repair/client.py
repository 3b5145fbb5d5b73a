"""For hosts: ``fix``, ``explain`` and ``check`` by a child engine process, also awaited, with typed results and events.

Nothing of the engine is imported here. The child is ``python -m repair … --output-format jsonl`` in a process group of
its own: its lines become events, its last line the result. Cancelling interrupts the whole group, as Ctrl-C would, and
kills it when it does not end.
"""

from __future__ import annotations

import asyncio
import contextlib
import http.server
import json
import os
import queue
import secrets
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from repair.records.events import Event
from repair.records.result import Result, Status

Listener = Callable[[Event], None]

Propose = Callable[[str], str]
"""A host's own model: given what a model is asked, it gives a reply (``docs/model.md`` has the form of one)."""

GRACE_SECONDS = 10.0
"""How long a cancelled engine may take to clean up."""


class EngineError(Exception):
    """The engine gave no answer. ``result`` holds what it said of itself, if anything."""

    def __init__(self, message: str, result: Result | None = None) -> None:
        super().__init__(message)
        self.result = result


class UsageError(EngineError):
    """A wrong option, test or patch."""


class ModelError(EngineError):
    """The model backend failed."""


class ConflictError(EngineError):
    """A file changed under the run, so its patch was not applied."""


class EngineTimeout(EngineError, TimeoutError):
    """The run took longer than the host's timeout and was ended."""


def fix(*tests: str, on_event: Listener | None = None, **settings: Any) -> Result:
    """Mend the function behind these failing tests (none: look for failures).

    Settings are those of ``start``. Raises an ``EngineError`` where there is no answer; a run without a patch is one.
    """
    return start("fix", tests, **settings).result(on_event)


def explain(*tests: str, on_event: Listener | None = None, **settings: Any) -> Result:
    """Diagnose failing tests; settings are those of ``start``."""
    return start("explain", tests, **settings).result(on_event)


def check(
    patch: str | bytes | None = None,
    *tests: str,
    since: str | None = None,
    on_event: Listener | None = None,
    **settings: Any,
) -> Result:
    """Judge a unified diff, or with ``since`` what the working tree changed since a revision."""
    return _start_check(patch, tests, since, settings).result(on_event)


async def fix_async(*tests: str, on_event: Listener | None = None, **settings: Any) -> Result:
    """``fix``, awaited. To cancel the task is to cancel the run; ``on_event`` is called in the event loop."""
    return await _awaited(start("fix", tests, **settings), on_event)


async def explain_async(*tests: str, on_event: Listener | None = None, **settings: Any) -> Result:
    """``explain``, awaited; see ``fix_async``."""
    return await _awaited(start("explain", tests, **settings), on_event)


async def check_async(
    patch: str | bytes | None = None,
    *tests: str,
    since: str | None = None,
    on_event: Listener | None = None,
    **settings: Any,
) -> Result:
    """``check``, awaited; see ``fix_async``."""
    return await _awaited(_start_check(patch, tests, since, settings), on_event)


async def _awaited(run: Run, on_event: Listener | None) -> Result:
    """The answer of a run that a thread follows; where the task is cancelled the run is, and has ended by then."""
    loop = asyncio.get_running_loop()

    def hand_on(happened: Event) -> None:
        if on_event is not None:
            loop.call_soon_threadsafe(on_event, happened)

    following = loop.run_in_executor(None, run.result, hand_on)
    try:
        return await asyncio.shield(following)
    except asyncio.CancelledError:
        run.cancel()
        with contextlib.suppress(EngineError):
            await following
        raise


def _start_check(
    patch: str | bytes | None, tests: Sequence[str], since: str | None, settings: Mapping[str, Any]
) -> Run:
    if (patch is None) == (since is None):
        raise UsageError("Give either a patch or a revision (since).")
    if patch is None:
        return start("check", tests, since=since, **settings)
    content = patch.encode("utf-8", "surrogateescape") if isinstance(patch, str) else patch
    return start("check", ("-", *tests), stdin=content, **settings)


def start(
    command: str,
    arguments: Sequence[str] = (),
    *,
    root: str | Path = ".",
    timeout: float | None = None,
    cancel: threading.Event | None = None,
    env: Mapping[str, str] | None = None,
    stdin: bytes = b"",
    executable: str = sys.executable,
    grace: float = GRACE_SECONDS,
    propose: Propose | None = None,
    **options: Any,
) -> Run:
    """Start an engine process and return its handle.

    ``options`` are those of the command line with underscores (``max_seconds=60``, ``proposer=("search",)``). The
    engine is interrupted when ``cancel`` is set or ``timeout`` seconds have passed, and killed ``grace`` seconds later.
    ``env`` replaces the environment. With ``propose`` the host's own function is asked where a model would be.
    """
    hosted = None if propose is None else HostedModel(propose)
    if hosted is not None:
        options = {"model": "host", **options}
        own = {"NO_PROXY": "127.0.0.1", "no_proxy": "127.0.0.1", "REPAIR_BASE_URL": hosted.url}
        env = {**(os.environ if env is None else env), **own}  # a command line is read by every user of the machine
    words = [command, "--output-format", "jsonl", "--root", str(root), *_words(options), *arguments]
    return Run([executable, "-E", "-P", "-m", "repair", *words], stdin, env, cancel, timeout, grace, hosted)


class HostedModel:
    """A host's function as a model's endpoint on this machine, for one run: what is asked comes in, its reply goes out.

    It listens on the loopback device alone, at a path that nobody can guess. An exception of the function is told as
    an error of a server. The engine takes a reply for what it is: the text of a stranger, which the gates judge.
    """

    def __init__(self, propose: Propose) -> None:
        path = f"/{secrets.token_urlsafe(24)}/v1"

        class Answering(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                if self.path != f"{path}/chat/completions":
                    self.send_error(404)
                    return
                try:
                    asked = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))))
                    text = "\n\n".join(str(turn["content"]) for turn in asked["messages"])
                    reply = {"role": "assistant", "content": propose(text)}
                except Exception as problem:  # noqa: BLE001 - whatever a host's function does, the run goes on without it
                    self.send_error(500, type(problem).__name__)
                    return
                choice = {"index": 0, "message": reply, "finish_reason": "stop"}
                usage = {"prompt_tokens": 0, "completion_tokens": 0}
                whole = {"id": "1", "object": "chat.completion", "choices": [choice], "usage": usage}
                content = json.dumps(whole).encode()
                self.send_response(200)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, format: str, *args: Any) -> None:
                """A host's standard error is its own."""

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answering)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}{path}"
        threading.Thread(target=self._server.serve_forever, args=(0.1,), daemon=True).start()

    def close(self) -> None:
        """Nobody is answered any more."""
        self._server.shutdown()
        self._server.server_close()


class Run:
    """One engine process: iterate over its events, then ask for the result. Use it from one thread.

    Any thread may ``cancel``. The process never outlives the handle's ``result`` or ``close``.
    """

    def __init__(
        self,
        argv: Sequence[str],
        stdin: bytes,
        env: Mapping[str, str] | None,
        cancelled: threading.Event | None,
        timeout: float | None,
        grace: float = GRACE_SECONDS,
        hosted: HostedModel | None = None,
    ) -> None:
        self._grace, self._hosted = grace, hosted
        self._said: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - closed by close()
        self._cancelled = cancelled or threading.Event()
        self._deadline = None if timeout is None else time.monotonic() + timeout
        self._lines: queue.Queue[bytes | None] = queue.Queue()
        self._last: dict[str, Any] | None = None
        self._timed_out = False
        self._interrupted: float | None = None
        self._ended = False
        surroundings = None if env is None else dict(env)
        with tempfile.TemporaryFile() as given:  # a file, so that a large patch cannot block either side
            given.write(stdin)
            given.seek(0)
            self._process = subprocess.Popen(
                argv, stdin=given, stdout=subprocess.PIPE, stderr=self._said, env=surroundings, start_new_session=True
            )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def cancel(self) -> None:
        """Ask the engine to stop; its result then has the status ``interrupted``."""
        self._cancelled.set()

    def __iter__(self) -> Iterator[Event]:
        """Events as they come, until the engine ends; those that were taken do not come again."""
        with contextlib.ExitStack() as stack:
            stack.callback(self.close)
            while not self._ended:
                self._stop_where_asked(time.monotonic())
                try:
                    line = self._lines.get(timeout=0.05)
                except queue.Empty:
                    continue
                self._ended = line is None
                happened = None if line is None else self._event(line)
                if happened is not None:
                    yield happened
            try:
                self._process.wait(self._grace)
            except subprocess.TimeoutExpired:
                self._signal(signal.SIGKILL)
                self._process.wait()
            stack.pop_all()

    def result(self, on_event: Listener | None = None) -> Result:
        """The answer, after all events were handed to ``on_event``; raises the ``EngineError`` that fits."""
        try:
            for happened in self:
                if on_event is not None:
                    on_event(happened)
            return self._answer()
        finally:
            self.close()

    def close(self) -> None:
        """End the process and everything in its group."""
        if self._process.poll() is None:
            self._signal(signal.SIGKILL)
            self._process.wait()
        self._reader.join()
        if self._hosted is not None:
            self._hosted.close()
            self._hosted = None
        if self._process.stdout is not None:
            self._process.stdout.close()
        self._said.close()

    def _read(self) -> None:
        assert self._process.stdout is not None, "opened with a pipe"
        for line in self._process.stdout:
            self._lines.put(line)
        self._lines.put(None)

    def _stop_where_asked(self, now: float) -> None:
        """End once; kill what does not end in time. Not by SIGINT: who is started in the background ignores that."""
        if self._interrupted is not None:
            if now - self._interrupted > self._grace:
                self._signal(signal.SIGKILL)
            return
        self._timed_out = self._deadline is not None and now > self._deadline
        if self._timed_out or self._cancelled.is_set():
            self._signal(signal.SIGTERM)
            self._interrupted = now

    def _event(self, line: bytes) -> Event | None:
        try:
            values = json.loads(line)
        except ValueError as problem:
            raise EngineError(f"The engine wrote no JSON: {line[:200]!r}") from problem
        if not isinstance(values, dict):
            raise EngineError(f"The engine wrote no object: {line[:200]!r}")
        if "schema" in values:
            self._last = values
            return None
        kind = str(values.pop("type", ""))
        return Event(kind, tuple(sorted(values.items())))

    def _answer(self) -> Result:
        if self._timed_out:
            raise EngineTimeout("The run took longer than the timeout and was ended.")
        if self._last is None:
            self._said.seek(max(0, self._said.seek(0, os.SEEK_END) - 2000))
            tail = self._said.read().decode("utf-8", "replace").strip()
            code = self._process.returncode
            raise EngineError(f"The engine ended without a result (exit status {code}): {tail}")
        try:
            result = Result.from_json(self._last)
        except ValueError as problem:
            raise EngineError(f"The engine's result cannot be read: {problem}") from problem
        failure = _FAILURES.get(result.status)
        if failure is not None:
            raise failure(" ".join(result.messages) or str(result.status), result)
        return result

    def _signal(self, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, number)


_FAILURES: Mapping[Status, type[EngineError]] = {
    Status.USAGE: UsageError,
    Status.MODEL_ERROR: ModelError,
    Status.CONFLICT: ConflictError,
    Status.ERROR: EngineError,
}


def _words(options: Mapping[str, Any]) -> Iterator[str]:
    """Options as words of the command line; ``None`` and ``False`` mean not given."""
    for name, value in options.items():
        word = "--" + name.replace("_", "-")
        if value is True:
            yield word
        elif isinstance(value, (list, tuple)):
            for item in value:
                yield f"{word}={item}"
        elif value is not None and value is not False:
            yield f"{word}={value}"
