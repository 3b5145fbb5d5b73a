"""For hosts: ``fix``, ``explain`` and ``check`` by a child engine process, with typed results and events.

Nothing of the engine is imported here. The child is ``python -m repair … --output-format jsonl`` in a process group of
its own: its lines become events, its last line the result. Cancelling interrupts the whole group, as Ctrl-C would, and
kills it when it does not end.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
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
    if (patch is None) == (since is None):
        raise UsageError("Give either a patch or a revision (since).")
    if patch is None:
        return start("check", tests, since=since, **settings).result(on_event)
    content = patch.encode("utf-8", "surrogateescape") if isinstance(patch, str) else patch
    return start("check", ("-", *tests), stdin=content, **settings).result(on_event)


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
    **options: Any,
) -> Run:
    """Start an engine process and return its handle.

    ``options`` are those of the command line with underscores (``max_seconds=60``, ``proposer=("search",)``). The
    engine is interrupted when ``cancel`` is set or ``timeout`` seconds have passed, and killed ``grace`` seconds later.
    ``env`` replaces the environment.
    """
    words = [command, "--output-format", "jsonl", "--root", str(root), *_words(options), *arguments]
    return Run([executable, "-E", "-P", "-m", "repair", *words], stdin, env, cancel, timeout, grace)


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
    ) -> None:
        self._grace = grace
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
