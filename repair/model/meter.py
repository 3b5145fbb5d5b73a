"""How much may be asked of a model, and what was used: counted over one run, from any thread."""

from __future__ import annotations

import threading
from collections import Counter
from dataclasses import dataclass, field

from analysis.errors import UsageError
from repair.model.backend import BackendFault, ModelRequest
from repair.model.reply import ModelReply
from repair.records.result import ArmUse, Cost

CHARACTERS_PER_TOKEN = 3
"""Of ASCII text, fewer than there are in English or code: what is not known is taken for more."""

TOKENS_PER_MESSAGE = 16
"""What a server's own marks around one message may take."""


def likely_tokens(text: str) -> int:
    """About how many tokens a text has that nobody counted: of what is not ASCII each byte is one.

    Chinese, say, has one to two tokens a character, and three bytes.
    """
    encoded = len(text.encode("utf-8", "surrogatepass"))
    ascii_only = len(text.encode("ascii", "ignore"))
    return encoded - ascii_only + ascii_only // CHARACTERS_PER_TOKEN


def most_tokens(request: ModelRequest) -> int:
    """How many tokens a request has at most: no tokenizer makes more of a text than it has bytes."""
    texts = (message.text for message in request.messages)
    return sum(len(text.encode("utf-8", "surrogatepass")) + TOKENS_PER_MESSAGE for text in texts)


@dataclass(frozen=True, slots=True)
class Prices:
    """US dollars for a million tokens."""

    input: float
    output: float


@dataclass(frozen=True, slots=True)
class ModelLimits:
    """How much may be asked.

    ``attempts`` counts edits of one function, ``requests`` questions about one bug; tokens and money are for the run.
    ``request_seconds`` bounds one try, ``output_tokens`` one reply. ``prices`` are those of every model but the
    ones that ``priced`` names, each with prices of its own, or ``None`` where nobody knows them.
    """

    attempts: int | None = None
    requests: int = 6
    output_tokens: int = 16_000
    request_seconds: float = 120.0
    tokens: int | None = None
    usd: float | None = None
    prices: Prices | None = None
    priced: tuple[tuple[str, Prices | None], ...] = ()

    def prices_of(self, model: str) -> Prices | None:
        """The prices of a model; ``None`` where nobody knows them."""
        return dict(self.priced).get(model, self.prices)

    @property
    def knows_prices(self) -> bool:
        """Whether those of all models are known."""
        return None not in (self.prices, *(prices for _, prices in self.priced))


@dataclass(frozen=True, slots=True)
class _Use:
    """Tokens that were asked with and answered, or are held back for a request that is under way."""

    asked: int = 0
    answered: int = 0

    def __add__(self, other: _Use) -> _Use:
        return _Use(self.asked + other.asked, self.answered + other.answered)

    def __sub__(self, other: _Use) -> _Use:
        return _Use(self.asked - other.asked, self.answered - other.answered)


@dataclass(slots=True)
class _Uses:
    """What each model used, by its name. Grows."""

    by_model: dict[str, _Use] = field(default_factory=dict)

    def of(self, model: str) -> _Use:
        return self.by_model.get(model, _Use())

    def add(self, model: str, use: _Use) -> None:
        self.by_model[model] = self.of(model) + use

    @property
    def total(self) -> _Use:
        return sum(self.by_model.values(), _Use())


class Meter:
    """Says before each try whether it may be made, at worst, and counts what it used.

    Several may be under way: each holds back what it may use until it is over.
    """

    def __init__(self, limits: ModelLimits) -> None:
        if limits.usd is not None and not limits.knows_prices:
            raise UsageError(
                "A limit in money needs the model's prices",
                remedy="Give what a million tokens cost, or limit requests, tokens or seconds instead.",
            )
        self.limits = limits
        self._lock = threading.Lock()
        self._requests: Counter[str] = Counter()
        self._by_model: Counter[str] = Counter()
        self._tries = 0
        self._used, self._held, self._lost = _Uses(), _Uses(), _Uses()

    @property
    def requests(self) -> int:
        """Questions so far, about all bugs."""
        return self._requests.total()

    @property
    def cost(self) -> Cost:
        """What was used so far; no dollars where no prices are known."""
        used = self._used.total
        return Cost(used.asked, used.answered, self._usd(self._used), self.requests, self._tries, self.arms)

    @property
    def arms(self) -> tuple[ArmUse, ...]:
        """What each model that was asked has used."""
        return tuple(
            ArmUse(model, count, use.asked, use.answered, self._price(model, use))
            for model, count in tuple(self._by_model.items())
            for use in (self._used.of(model),)
        )

    def begin(self, request: ModelRequest) -> str:
        """Count a question, unless a limit would be exceeded at worst: then that limit is the answer."""
        with self._lock:
            spent = self._find_spent(request, is_new=True)
            if not spent:
                self._requests[request.bug] += 1
                self._by_model[request.model] += 1
            return spent

    def hold(self, request: ModelRequest) -> str:
        """Hold back what a try may use at worst, unless a limit would be exceeded: then that is the answer."""
        with self._lock:
            spent = self._find_spent(request, is_new=False)
            if not spent:
                self._tries += 1
                self._held.add(request.model, self._worst(request))
            return spent

    def settle(self, request: ModelRequest, answer: ModelReply | BackendFault | None) -> None:
        """Count what a try used instead of what was held back; ``None`` is one that nobody knows the end of.

        Tokens that the server does not report are estimated from the text. What may be billed without a reply counts
        towards the limits, at worst.
        """
        with self._lock:
            self._held.add(request.model, _Use() - self._worst(request))
            if isinstance(answer, ModelReply):
                asked = answer.input_tokens or sum(likely_tokens(message.text) for message in request.messages)
                answered = answer.output_tokens or likely_tokens(answer.text + answer.reasoning)
                self._used.add(request.model, _Use(asked, answered))
            elif answer is None or answer.billed:
                self._lost.add(request.model, self._worst(request))

    def _find_spent(self, request: ModelRequest, *, is_new: bool) -> str:
        limits = self.limits
        if is_new and self._requests[request.bug] >= limits.requests:
            return f"{limits.requests} requests were made"
        parts = (self._used, self._held, self._lost)
        worst = sum((each.total for each in parts), self._worst(request))
        if limits.tokens is not None and worst.asked + worst.answered > limits.tokens:
            return f"another request may exceed {limits.tokens} tokens"
        usd = sum(map(self._usd, parts)) + (self._price(request.model, self._worst(request)) or 0.0)
        if limits.usd is not None and usd > limits.usd:
            return f"another request may exceed {limits.usd:g} US dollars"
        return ""

    def _worst(self, request: ModelRequest) -> _Use:
        return _Use(most_tokens(request), self.limits.output_tokens)

    def _usd(self, uses: _Uses) -> float:
        """US dollars as far as prices are known."""
        return sum(self._price(model, use) or 0.0 for model, use in uses.by_model.items())

    def _price(self, model: str, use: _Use) -> float | None:
        prices = self.limits.prices_of(model)
        return (use.asked * prices.input + use.answered * prices.output) / 1e6 if prices else None
