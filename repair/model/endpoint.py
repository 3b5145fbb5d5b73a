"""An OpenAI-compatible endpoint through the openai SDK: one try, bounded in time and size, errors as values.

The key goes into the SDK's client and nowhere else. Whatever the server says is scrubbed of it, and the SDK's
exceptions, which hold whole requests, never leave this module. Importing it costs half a second: only what asks a model
imports it.
"""

from __future__ import annotations

import email.utils
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

import httpx2
import openai

from analysis.errors import UsageError
from repair.model.backend import BackendFault, FaultKind, ModelRequest
from repair.model.completion import fault_of_error, read_body
from repair.model.connections import Connections
from repair.model.reply import ModelReply, make_plain
from repair.records.addresses import holds_credentials

OPENAI = "https://api.openai.com/v1"
MOST_BYTES = 4 << 20
OVER_LONG = "over-long"
"""Why a reply ended that was larger than that, in place of the server's word."""
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
DETAIL = 200
FIELDS = {"text": "text.format"}
"""Optional fields that a server names in another way."""
INSTEAD = {"max_tokens": "max_completion_tokens"}
"""What newer models take in place of a field."""
MOST_ERROR_BYTES = 1 << 16
SHORTEST_KEY = 8
"""Shorter keys are words of their own, and are not looked for in what a server says."""


@dataclass(frozen=True, slots=True)
class _Rejected:
    """The server does not take the request; ``said`` are its words, which may name a field of it."""

    fault: BackendFault
    said: str


class _Bounded(httpx2.SyncByteStream):
    """The start of a body: the SDK reads that of an error to its end, and it may have none."""

    def __init__(self, body: httpx2.SyncByteStream) -> None:
        self._body = body

    def __iter__(self) -> Iterator[bytes]:
        left = MOST_ERROR_BYTES
        for piece in self._body:
            yield piece[:left]
            left -= len(piece)
            if left <= 0:
                return

    def close(self) -> None:
        self._body.close()


def _bound_error(response: httpx2.Response) -> None:
    """A hook of the client."""
    if response.is_error and isinstance(response.stream, httpx2.SyncByteStream):
        response.stream = _Bounded(response.stream)


class _Progress:
    """How far one try has come, for whoever gives it up."""

    has_begun = False


class Endpoint:
    """A backend over HTTP.

    OpenAI's own endpoint is asked through Responses, every other through Chat Completions, which is what compatible
    servers have in common. Fields that an endpoint does not take (temperature, seed, schema …) are left out from then
    on: those that it names, else all of them.
    """

    def __init__(
        self,
        model: str,
        base_url: str,
        key: str,
        *,
        stream: bool = False,
        transport: httpx2.BaseTransport | None = None,
        clock: Callable[[], float] = time.monotonic,
        tell: Callable[[str, str], None] = lambda model, host: None,
    ) -> None:
        """``tell`` hears the model and its host before the first request. ``transport`` stands in for the network.

        With ``stream`` the reply is asked for piece by piece: some gateways end connections on which nothing comes.
        """
        host = host_of(base_url or OPENAI)
        if not model:
            raise UsageError("No model is named", remedy="Give --model NAME.")
        self._model = model
        self._responses = host == host_of(OPENAI)
        self._key = key or ("local" if host in LOOPBACK else "")
        if not self._key:
            raise UsageError("There is no key for the model endpoint", where=host, remedy="Set REPAIR_API_KEY.")
        self._stream = stream
        self._without: frozenset[str] = frozenset()
        self._clock = clock
        self._tell, self._is_named = tell, False
        self._connections = Connections()
        client = openai.DefaultHttpx2Client(
            transport=transport,
            follow_redirects=False,  # the code goes to the endpoint that was named, and nowhere else
            limits=httpx2.Limits(max_keepalive_connections=0),
            event_hooks={"request": [self._connections.watch], "response": [_bound_error]},
        )
        self._client = openai.OpenAI(api_key=self._key, base_url=base_url or OPENAI, max_retries=0, http_client=client)
        if not self._responses:  # an account of OpenAI's, in the environment, is none of another server's business
            self._client.organization = self._client.project = None

    def __repr__(self) -> str:
        return f"Endpoint(model={self._model!r})"

    def close(self) -> None:
        """Let its connections go."""
        self._client.close()

    def complete(self, request: ModelRequest, *, seconds: float, most_tokens: int) -> ModelReply | BackendFault:
        """One try; where the endpoint rejects optional fields, the same again without them."""
        if not self._is_named:
            self._is_named = True
            self._tell(self._model, _place(str(self._client.base_url)))
        until, without = self._clock() + seconds, self._without
        while True:
            answer = self._try(request, max(0.0, until - self._clock()), most_tokens, without)
            if not isinstance(answer, _Rejected):
                break
            optional = self._options(request, most_tokens, without).keys()
            if not optional or self._clock() >= until:
                return answer.fault
            without |= _named(optional, answer.said) or {*optional, *INSTEAD.values()}
        if not isinstance(answer, ModelReply):
            return answer
        self._without |= without  # a request that fails in every form proves nothing about its fields
        return replace(answer, without=tuple(sorted(without)))

    def _try(
        self, request: ModelRequest, seconds: float, most_tokens: int, without: frozenset[str]
    ) -> ModelReply | BackendFault | _Rejected:
        progress = _Progress()
        answer = self._connections.run_within(
            seconds, lambda: self._ask(request, seconds, most_tokens, without, progress)
        )
        return _late(seconds, progress) if answer is None else answer

    def _ask(
        self, request: ModelRequest, seconds: float, most_tokens: int, without: frozenset[str], progress: _Progress
    ) -> ModelReply | BackendFault | _Rejected:
        until = self._clock() + seconds
        # Built inside, returned outside of the handlers: an exception of the SDK must not become anyone's context.
        try:
            options = self._options(request, most_tokens, without)
            with self._open(request, httpx2.Timeout(seconds, connect=min(seconds, 10.0)), options) as response:
                progress.has_begun = True
                body = self._read(response, until)
                kind = str(response.headers.get("content-type", ""))
        except (openai.OpenAIError, httpx2.HTTPError, httpx2.StreamError, httpx2.InvalidURL) as problem:
            return self._fault(problem, seconds, progress)
        if body is None:
            return _late(seconds, progress)
        if len(body) > MOST_BYTES:
            return ModelReply("", OVER_LONG, output_tokens=most_tokens)
        try:
            read = read_body(body, kind)
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            said = f"the answer is no completion: {self._quote(body[:80].decode('utf-8', 'replace'))}"
            return BackendFault(FaultKind.REPLY, said, billed=True)
        if isinstance(read, BackendFault):
            return replace(read, detail=self._quote(read.detail))
        text, finish, refusal, reasoning = map(self._scrub, (read.text, read.finish, read.refusal, read.reasoning))
        return replace(read, text=text, finish=finish, refusal=refusal, reasoning=reasoning)

    def _options(self, request: ModelRequest, most_tokens: int, without: frozenset[str]) -> dict[str, Any]:
        """The fields that an endpoint may not know, by their names on the wire, but for those that it rejects."""
        form = request.form and {"name": request.form.name, "schema": dict(request.form.schema), "strict": True}
        options: dict[str, Any] = {"temperature": request.temperature}
        if self._responses:
            options["max_output_tokens"] = most_tokens
            options["text"] = form and {"format": {"type": "json_schema", **form}}
        else:
            options["seed"] = request.seed
            options[INSTEAD["max_tokens"] if "max_tokens" in without else "max_tokens"] = most_tokens
            options["response_format"] = form and {"type": "json_schema", "json_schema": form}
            options["stream_options"] = {"include_usage": True} if self._stream else None
        options["stream"] = self._stream or None
        return {name: value for name, value in options.items() if value is not None and name not in without}

    def _open(self, request: ModelRequest, timeout: httpx2.Timeout, options: Mapping[str, Any]) -> Any:
        turns: Any = [
            {"role": m.role, "content": self._scrub(m.text.encode("utf-8", "replace").decode())}
            for m in request.messages
        ]
        if self._responses:
            create: Any = self._client.responses.with_streaming_response.create
            return create(model=self._model, input=turns, store=False, timeout=timeout, **options)
        create = self._client.chat.completions.with_streaming_response.create
        return create(model=self._model, messages=turns, timeout=timeout, **options)

    def _read(self, response: Any, until: float) -> bytes | None:
        """The body, until it is too large: a server may send for ever. ``None`` where it does not end in time."""
        body = bytearray()
        for chunk in response.iter_bytes():
            body += chunk
            if self._clock() > until:
                return None
            if len(body) > MOST_BYTES:
                break
        return bytes(body)

    def _fault(self, problem: Exception, seconds: float, progress: _Progress) -> ModelReply | BackendFault | _Rejected:
        match problem:
            case openai.APITimeoutError() | httpx2.TimeoutException():
                return _late(seconds, progress)
            case openai.APIStatusError():
                return self._status_fault(problem)
            case openai.APIConnectionError() | httpx2.HTTPError() | httpx2.StreamError():
                cause = problem.__cause__ or problem
                said = "the connection broke" if progress.has_begun else "no connection"
                was_sent = not isinstance(cause, httpx2.ConnectError)
                return BackendFault(FaultKind.NETWORK, f"{said} ({type(cause).__name__})", billed=was_sent)
            case _:
                return BackendFault(FaultKind.REQUEST, type(problem).__name__)

    def _status_fault(self, problem: openai.APIStatusError) -> ModelReply | BackendFault | _Rejected:
        status, response = problem.status_code, problem.response
        if 300 <= status < 400:
            try:
                place = _place(str(response.url.join(response.headers.get("location", ""))))
            except (httpx2.InvalidURL, ValueError):
                place = ""
            said = f"HTTP {status}: it redirects to {self._quote(place) or 'no address'}, which nobody has named"
            return BackendFault(FaultKind.REDIRECT, said)
        found = fault_of_error(problem.body, status)
        if isinstance(found, ModelReply):
            return found
        fault = replace(found, detail=self._quote(found.detail), retry_after=_retry_after(response))
        return _Rejected(fault, str(problem.body)) if fault.kind is FaultKind.REQUEST else fault

    def _quote(self, content: str) -> str:
        return make_plain(self._scrub(content), DETAIL)

    def _scrub(self, text: str) -> str:
        return text.replace(self._key, "[key]") if len(self._key) >= SHORTEST_KEY else text


def _named(fields: Iterable[str], said: str) -> frozenset[str]:
    """Those of the fields that an error names."""
    patterns = {name: re.escape(FIELDS.get(name, name)) for name in fields}
    return frozenset(n for n, pattern in patterns.items() if re.search(rf"(?<![a-z_]){pattern}(?![a-z_])", said))


def _late(seconds: float, progress: _Progress) -> BackendFault:
    """The time of a try is up. Whoever has begun to answer, or was asked, may be paid for it."""
    said = "an answer began, and did not end" if progress.has_begun else "not a byte of an answer came"
    return BackendFault(FaultKind.TIMEOUT, f"{said} in {seconds:.0f} s", billed=True)


def _retry_after(response: httpx2.Response) -> float | None:
    """Seconds that the server asks us to wait, in milliseconds, seconds or as a date."""
    wish = response.headers.get("retry-after", "")
    try:
        seconds = float(response.headers["retry-after-ms"]) / 1000
    except (KeyError, ValueError):
        try:
            seconds = float(wish)
        except ValueError:
            seconds = _seconds_until(wish)
    return seconds if 0 <= seconds < 1e6 else None


def _seconds_until(date: str) -> float:
    """Seconds until a date as HTTP writes it; -1 where it is none."""
    try:
        then = email.utils.parsedate_to_datetime(date)
    except ValueError:
        return -1.0
    then = then if then.tzinfo else then.replace(tzinfo=UTC)
    return max(0.0, (then - datetime.now(UTC)).total_seconds())


def _place(url: str) -> str:
    """Host and port of an address."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    return f"{host}:{parts.port}" if parts.port else host


def host_of(base_url: str) -> str:
    """The endpoint's host. Raises ``UsageError`` for what is no web address, or carries credentials."""
    try:
        parts = urlsplit(base_url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        host, parts = None, urlsplit("")
    if not host or parts.scheme not in ("http", "https"):
        raise UsageError("The base URL is no web address", remedy="Give one like http://localhost:11434/v1.")
    if holds_credentials(base_url):
        raise UsageError("The base URL holds credentials", where=host, remedy="Set REPAIR_API_KEY instead.")
    return host
