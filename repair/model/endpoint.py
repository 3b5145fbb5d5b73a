"""An OpenAI-compatible endpoint through the openai SDK: one attempt, bounded in time and size, errors as values.

Who sends a byte now and then can hold a client for ever, so an attempt is given up in time. The key goes into the SDK's
client and nowhere else. Whatever the server says is scrubbed of it, and the SDK's exceptions, which hold whole
requests, never leave this module. Importing it costs half a second: only what asks a model imports it.
"""

from __future__ import annotations

import contextlib
import json
import socket
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, wait
from dataclasses import replace
from threading import Thread
from typing import Any, TypeVar
from urllib.parse import urlsplit

import httpx2
import openai

from analysis.errors import UsageError
from repair.model.backend import BackendFault, FaultKind, Message
from repair.model.reply import ModelReply, make_plain
from repair.model.reply_json import JsonReply

Given = TypeVar("Given")

OPENAI = "https://api.openai.com/v1"
MOST_BYTES = 4 << 20
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
DETAIL = 200
LATE = "the answer did not come in time"

KINDS_OF_STATUS = {
    401: FaultKind.AUTHENTICATION,
    403: FaultKind.AUTHENTICATION,
    404: FaultKind.NOT_FOUND,
    408: FaultKind.SERVER,
    409: FaultKind.SERVER,
    429: FaultKind.RATE,
}

CONNECTED = frozenset({"connection.connect_tcp.complete", "connection.start_tls.complete"})
"""What the client tells when it has a connection, and when that is encrypted: then another socket stands for it."""


class Connections:
    """The connections of one HTTP client, so that another thread can cut them.

    A timeout of the client holds for each read alone, and a name is looked up without any.
    """

    def __init__(self) -> None:
        self._sockets: list[socket.socket] = []

    def watch(self, request: httpx2.Request) -> None:
        """Note the connection that the request is sent over. A hook of the client."""
        request.extensions = {**request.extensions, "trace": self._note}

    def cut(self) -> None:
        """End all of them: who reads from one sees its end."""
        while self._sockets:
            with contextlib.suppress(OSError):
                self._sockets.pop().shutdown(socket.SHUT_RDWR)

    def _note(self, name: str, said: Mapping[str, Any]) -> None:
        if name in CONNECTED:
            found = said["return_value"].get_extra_info("socket")
            if isinstance(found, socket.socket):
                self._sockets.append(found)


def run_within(seconds: float, work: Callable[[], Given], cut: Callable[[], None]) -> Given | None:
    """What the work gives; ``None`` where that takes longer: then it is ``cut``, and nobody waits for it."""
    answer: Future[Given] = Future()

    def run() -> None:
        try:
            answer.set_result(work())
        except BaseException as problem:  # noqa: BLE001 - handed over whole, raised by the caller's thread
            answer.set_exception(problem)

    Thread(target=run, daemon=True, name="request").start()
    try:
        ended, _ = wait([answer], timeout=max(0.0, seconds))
    except BaseException:  # an interruption too: nothing more is sent for it
        cut()
        raise
    if not ended:
        cut()
        return None
    return answer.result()


class Endpoint:
    """A backend over HTTP.

    OpenAI's own endpoint is asked through Responses, every other through Chat Completions, which is
    what compatible servers have in common. An endpoint that rejects the structured form is asked once
    more, and from then on, with nothing but model and messages.
    """

    def __init__(
        self,
        model: str,
        base_url: str,
        key: str,
        *,
        transport: httpx2.BaseTransport | None = None,
        clock: Callable[[], float] = time.monotonic,
        tell: Callable[[str, str], None] = lambda model, host: None,
    ) -> None:
        """``tell`` hears the model and its host before the first request. ``transport`` stands in for the network."""
        host = _host(base_url or OPENAI)
        if not model:
            raise UsageError("No model is named", remedy="Give --model NAME.")
        self._model = model
        self._responses = not base_url
        self._key = key or ("local" if host in LOOPBACK else "")
        if not self._key:
            raise UsageError("There is no key for the model endpoint", where=host, remedy="Set REPAIR_API_KEY.")
        self._structured = True
        self._clock = clock
        self._tell, self._is_named = tell, False
        self._connections = Connections()
        client = openai.DefaultHttpx2Client(
            transport=transport,
            follow_redirects=False,  # the code goes to the endpoint that was named, and nowhere else
            event_hooks={"request": [self._connections.watch]},
        )
        self._client = openai.OpenAI(api_key=self._key, base_url=base_url or OPENAI, max_retries=0, http_client=client)
        if base_url:  # names of an OpenAI account, taken from the environment, are none of another server's business
            self._client.organization = self._client.project = None

    def __repr__(self) -> str:
        return f"Endpoint(model={self._model!r})"

    def close(self) -> None:
        """Let its connections go."""
        self._client.close()

    def complete(self, messages: Sequence[Message], *, seconds: float, most_tokens: int) -> ModelReply | BackendFault:
        """One attempt; a second, plain one where the structured form is what the endpoint rejects."""
        if not self._is_named:
            self._is_named = True
            self._tell(self._model, _place(str(self._client.base_url)))
        started = self._clock()
        answer = self._attempt(messages, seconds, most_tokens)
        if isinstance(answer, BackendFault) and answer.kind is FaultKind.REQUEST and self._structured:
            self._structured = False
            left = seconds - (self._clock() - started)
            plain_answer = self._attempt(messages, left, most_tokens) if left > 0 else answer
            self._structured = isinstance(plain_answer, BackendFault)  # a request that fails either way proves nothing
            return plain_answer
        return answer

    def _attempt(self, messages: Sequence[Message], seconds: float, most_tokens: int) -> ModelReply | BackendFault:
        answer = run_within(seconds, lambda: self._ask(messages, seconds, most_tokens), self._connections.cut)
        return BackendFault(FaultKind.TIMEOUT, LATE) if answer is None else answer

    def _ask(self, messages: Sequence[Message], seconds: float, most_tokens: int) -> ModelReply | BackendFault:
        until = self._clock() + seconds
        # Built inside, returned outside of the handlers: an exception of the SDK must not become anyone's context.
        try:
            with self._stream(messages, seconds, most_tokens) as response:
                body = self._read(response, until)
        except (openai.OpenAIError, httpx2.HTTPError, httpx2.StreamError, httpx2.InvalidURL) as problem:
            body = self._fault(problem)
        if isinstance(body, BackendFault):
            return body
        try:
            answer = json.loads(body)
            read = _from_responses(answer) if self._responses else _from_chat(answer)
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            return BackendFault(FaultKind.REPLY, f"the answer is no completion: {self._quote(body[:80])}")
        text, finish, refusal = map(self._scrub, (read.text, read.finish, read.refusal))
        return replace(read, text=text, finish=finish, refusal=refusal)

    def _stream(self, messages: Sequence[Message], seconds: float, most_tokens: int) -> Any:
        turns: Any = [{"role": m.role, "content": m.text.encode("utf-8", "replace").decode()} for m in messages]
        timeout = httpx2.Timeout(seconds, connect=min(seconds, 10.0))
        schema = {"name": "edit", "schema": JsonReply.model_json_schema(), "strict": True}
        options: dict[str, Any] = {}
        if self._responses:
            if self._structured:
                options = {"text": {"format": {"type": "json_schema", **schema}}, "max_output_tokens": most_tokens}
            create: Any = self._client.responses.with_streaming_response.create
            return create(model=self._model, input=turns, store=False, timeout=timeout, **options)
        if self._structured:
            options = {"response_format": {"type": "json_schema", "json_schema": schema}, "max_tokens": most_tokens}
        create = self._client.chat.completions.with_streaming_response.create
        return create(model=self._model, messages=turns, timeout=timeout, **options)

    def _read(self, response: Any, until: float) -> bytes | BackendFault:
        """The body, as long as it comes in time and stays within bounds: a server may send for ever."""
        body = bytearray()
        for chunk in response.iter_bytes():
            body += chunk
            if len(body) > MOST_BYTES:
                return BackendFault(FaultKind.REPLY, f"the answer is larger than {MOST_BYTES >> 20} MiB")
            if self._clock() > until:
                return BackendFault(FaultKind.TIMEOUT, LATE)
        return bytes(body)

    def _fault(self, problem: Exception) -> BackendFault:
        match problem:
            case openai.APITimeoutError() | httpx2.TimeoutException():
                return BackendFault(FaultKind.TIMEOUT, "no answer in time")
            case openai.APIStatusError():
                return self._status_fault(problem)
            case openai.APIConnectionError() | httpx2.HTTPError() | httpx2.StreamError():
                return BackendFault(FaultKind.NETWORK, f"no connection ({type(problem.__cause__ or problem).__name__})")
            case _:
                return BackendFault(FaultKind.REQUEST, type(problem).__name__)

    def _status_fault(self, problem: openai.APIStatusError) -> BackendFault:
        status, response = problem.status_code, problem.response
        kind = KINDS_OF_STATUS.get(status, FaultKind.SERVER if status >= 500 else FaultKind.REQUEST)
        if kind is FaultKind.RATE and "insufficient_quota" in (problem.code, problem.type):
            kind = FaultKind.QUOTA
        said = self._quote(str(problem.body or "").encode("utf-8", "replace"))
        if 300 <= status < 400:
            kind = FaultKind.REDIRECT
            try:
                place = _place(str(response.url.join(response.headers.get("location", ""))))
            except (httpx2.InvalidURL, ValueError):
                place = ""
            said = f"it redirects to {self._quote(place.encode()) or 'no address'}, which nobody has named"
        return BackendFault(kind, f"HTTP {status}: {said}", _retry_after(response))

    def _quote(self, content: bytes) -> str:
        return make_plain(self._scrub(content.decode("utf-8", "replace")), DETAIL)

    def _scrub(self, text: str) -> str:
        return text.replace(self._key, "[key]") if len(self._key) >= 8 else text


def _from_chat(answer: Any) -> ModelReply:
    choice = answer["choices"][0]
    message = choice["message"]
    usage = answer.get("usage") or {}
    return ModelReply(
        _text(message.get("content")),
        _text(choice.get("finish_reason")),
        _text(message.get("refusal")),
        _count(usage.get("prompt_tokens")),
        _count(usage.get("completion_tokens")),
    )


def _from_responses(answer: Any) -> ModelReply:
    parts = [part for item in answer["output"] if item.get("type") == "message" for part in item["content"]]
    texts = [_text(part.get("text")) for part in parts if part.get("type") == "output_text"]
    refusals = [_text(part.get("refusal")) for part in parts if part.get("type") == "refusal"]
    usage = answer.get("usage") or {}
    why = (answer.get("incomplete_details") or {}).get("reason")
    return ModelReply(
        "".join(texts),
        _text(why or answer.get("status")),
        " ".join(refusals),
        _count(usage.get("input_tokens")),
        _count(usage.get("output_tokens")),
    )


def _text(value: Any) -> str:
    """A text of the answer, which may be absent; some servers give a list of parts."""
    if value is None:
        return ""
    if isinstance(value, list):
        return "".join(_text(part.get("text")) for part in value)
    if not isinstance(value, str):
        raise TypeError("not a text")
    return value


def _count(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 40 else 0


def _retry_after(response: httpx2.Response) -> float | None:
    try:
        seconds = float(response.headers.get("retry-after", ""))
    except ValueError:
        return None
    return seconds if 0 <= seconds < 1e6 else None


def _place(url: str) -> str:
    """Host and port of an address."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    return f"{host}:{parts.port}" if parts.port else host


def _host(base_url: str) -> str:
    """The endpoint's host. Raises ``UsageError`` for what is no web address, or carries credentials."""
    try:
        parts = urlsplit(base_url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        host, parts = None, urlsplit("")
    if not host or parts.scheme not in ("http", "https"):
        raise UsageError("The base URL is no web address", remedy="Give one like http://localhost:11434/v1.")
    if parts.username or parts.password:
        raise UsageError("The base URL holds credentials", where=host, remedy="Set REPAIR_API_KEY instead.")
    return host
