"""What a model proposer asks of an endpoint, and how patiently: retries, limits, and what it all cost.

A backend makes one attempt and answers with a value. Whether to ask again is decided here, by the kind
of the fault, with a clock and a pause that come from outside.
"""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from analysis.errors import ModelError, UsageError
from repair.model.reply import ModelReply
from repair.records.result import Cost


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of the conversation."""

    role: Literal["system", "user", "assistant"]
    text: str


class FaultKind(enum.Enum):
    """Why an attempt gave no completion, how many attempts such a fault allows in all, and what a user may do."""

    AUTHENTICATION = "authentication", 1, "Set REPAIR_API_KEY (or OPENAI_API_KEY) to a key that this endpoint accepts."
    NOT_FOUND = "not found", 1, "Check --model and --base-url."
    REQUEST = "request", 1, "Check --model; the endpoint does not accept this request."
    REDIRECT = "redirect", 1, "Name that endpoint yourself with --base-url, if it may see the code."
    QUOTA = "quota", 1, "The account's quota is spent; use another key or --proposer search."
    RATE = "rate", 4, "Wait, or use --proposer search."
    SERVER = "server", 3, "Try again later, or use --proposer search."
    NETWORK = "network", 3, "Check the network and --base-url, or use --proposer search."
    TIMEOUT = "timeout", 2, "Raise --max-seconds, choose a faster model, or use --proposer search."
    REPLY = "reply", 2, "Check that --base-url names an OpenAI-compatible endpoint."

    def __init__(self, label: str, attempts: int, remedy: str) -> None:
        self.label, self.attempts, self.remedy = label, attempts, remedy


@dataclass(frozen=True, slots=True)
class BackendFault:
    """One failed attempt. ``detail`` is bounded and free of secrets; ``retry_after`` (seconds) is the server's wish."""

    kind: FaultKind
    detail: str
    retry_after: float | None = None


class Backend(Protocol):
    """One endpoint with one model."""

    def complete(self, messages: Sequence[Message], *, seconds: float, most_tokens: int) -> ModelReply | BackendFault:
        """One attempt, ended by the time given. Raises nothing that has to do with the endpoint."""
        ...


@dataclass(frozen=True, slots=True)
class Prices:
    """US dollars for a million tokens."""

    input: float
    output: float


@dataclass(frozen=True, slots=True)
class ModelLimits:
    """How much may be asked. ``attempts`` counts for one function, ``requests`` for the whole run."""

    attempts: int = 3
    requests: int = 12
    output_tokens: int = 16_000
    request_seconds: float = 120.0
    tokens: int | None = None
    usd: float | None = None
    prices: Prices | None = None


FIRST_PAUSE = 1.0
LONGEST_PAUSE = 60.0
CHARACTERS_PER_TOKEN = 3


class Meter:
    """Counts what was asked and used over one run, and says when it is enough."""

    def __init__(self, limits: ModelLimits) -> None:
        if limits.usd is not None and limits.prices is None:
            raise UsageError(
                "A limit in money needs the model's prices",
                remedy="Give what a million tokens cost, or limit requests, tokens or seconds instead.",
            )
        self.limits = limits
        self.requests = 0
        self.input_tokens = 0
        self.output_tokens = 0

    @property
    def cost(self) -> Cost:
        """What was used so far; no dollars where no prices are known."""
        return Cost(
            self.input_tokens, self.output_tokens, self._usd(self.input_tokens, self.output_tokens), self.requests
        )

    def find_spent_limit(self, messages: Sequence[Message]) -> str:
        """Which limit another request would exceed at worst, empty for none."""
        limits = self.limits
        asked = sum(len(m.text) for m in messages) // CHARACTERS_PER_TOKEN
        if self.requests >= limits.requests:
            return f"{limits.requests} requests were made"
        most = self.input_tokens + self.output_tokens + asked + limits.output_tokens
        if limits.tokens is not None and most > limits.tokens:
            return f"another request may exceed {limits.tokens} tokens"
        worst = self._usd(self.input_tokens + asked, self.output_tokens + limits.output_tokens)
        if limits.usd is not None and worst > limits.usd:
            return f"another request may exceed {limits.usd:g} US dollars"
        return ""

    def count(self, messages: Sequence[Message], completion: ModelReply) -> None:
        """Add one completion; tokens that the server does not report are estimated from the text."""
        asked = sum(len(m.text) for m in messages) // CHARACTERS_PER_TOKEN
        self.input_tokens += completion.input_tokens or asked
        self.output_tokens += completion.output_tokens or len(completion.text) // CHARACTERS_PER_TOKEN

    def _usd(self, asked: int, answered: int) -> float:
        prices = self.limits.prices
        return (asked * prices.input + answered * prices.output) / 1e6 if prices else 0.0


def ask(
    backend: Backend,
    messages: Sequence[Message],
    meter: Meter,
    seconds_left: Callable[[], float],
    pause: Callable[[float], None],
) -> ModelReply | None:
    """A completion, asked for as often as the kind of each fault allows; ``None`` when a limit or the time is spent.

    It pauses for 1, 2, 4 … seconds, or longer where the server asks for it. Raises ``ModelError`` when the endpoint
    fails for good.
    """
    failed: Counter[FaultKind] = Counter()
    while not meter.find_spent_limit(messages):
        seconds = min(meter.limits.request_seconds, seconds_left())
        if seconds <= 0:
            return None
        meter.requests += 1
        answer = backend.complete(messages, seconds=seconds, most_tokens=meter.limits.output_tokens)
        if isinstance(answer, ModelReply):
            meter.count(messages, answer)
            return answer
        kind = answer.kind
        failed[kind] += 1
        backoff = FIRST_PAUSE * 2.0 ** (failed.total() - 1)
        wait = min(max(backoff, answer.retry_after or 0.0), LONGEST_PAUSE)
        if failed[kind] >= kind.attempts or wait >= seconds_left():
            raise ModelError(f"The model endpoint failed ({kind.label}): {answer.detail}", remedy=kind.remedy)
        pause(wait)
    return None
