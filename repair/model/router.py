"""Which of a user's models is asked: the first one first, a stronger one where that has not mended it.

The rule is configuration. It says from which thread of a conversation on the next stronger model is asked, and for
which classes of failures the strongest at once. All models have one meter: the limits of a run hold for them together.

Where all prices are known, and the run has seen failures of that class, the first model is drawn (Thompson, 1933). So
it is where earlier runs have, and somebody asked for a remembered order.
What counts is how likely each is to mend one, by what it has done, for what a request costs.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from analysis.facts import FailureClass
from repair.model.backend import Backend, BackendFault, ModelRequest
from repair.model.reply import ModelReply
from repair.records.config import STRONG_KEY, Options
from repair.records.model_arms import Arm, read_arm

USUAL_TOKENS = (1_600, 400)
"""Tokens of a request and of its reply, for comparing what models cost."""

LEAST_USD = 1e-6
"""What a request is taken to cost at least: a model of one's own is not free of charge without end."""


@dataclass(frozen=True, slots=True)
class Route:
    """The models by name, the weakest first. ``costs`` are dollars for a request to each; none where one is unknown."""

    models: tuple[str, ...] = ("",)
    strong_from: int = 2
    strong_classes: frozenset[str] = frozenset()
    costs: tuple[float, ...] = ()

    def begin(
        self, seen: Sequence[tuple[str, bool]], seed: str, known: Mapping[str, tuple[int, int]] = MappingProxyType({})
    ) -> int:
        """The number of the model that begins a conversation.

        ``seen`` are requests about failures of this class: the model that was asked, and whether its edit passed.
        ``known`` says of earlier runs how often each model was asked about such failures, and how often it mended one.
        """
        if not (seen or known) or len(self.costs) != len(self.models):
            return 0
        draw = random.Random(seed)
        worth = []
        for model, usd in zip(self.models, self.costs, strict=True):
            done = [passed for name, passed in seen if name == model]
            asked, mended = known.get(model, (0, 0))
            tries, mends = asked + len(done), mended + sum(done)
            worth.append(draw.betavariate(1 + mends, 1 + max(0, tries - mends)) / max(usd, LEAST_USD))
        return worth.index(max(worth))

    def model_for(self, failure: FailureClass, thread: int, begins: int = 0) -> str:
        """The model of a thread, counted from 1, about a failure of this class; ``begins`` numbers the first one."""
        if failure.value in self.strong_classes:
            return self.models[-1]
        further = max(0, thread - self.strong_from + 1)
        return self.models[min(begins + further, len(self.models) - 1)]


def arms_of(options: Options) -> tuple[Arm, ...]:
    """The models of these options, the weakest first and of equally strong ones the cheapest."""
    found = [Arm(options.model, options.base_url, "", options.input_price, options.output_price)]
    if options.strong_model:
        place, prices = options.strong_base_url, (options.strong_input_price, options.strong_output_price)
        found.append(Arm(options.strong_model, place, STRONG_KEY if place else "", *prices, strength=2))
    found += map(read_arm, options.models)
    return tuple(sorted(found, key=lambda arm: arm.order))


def route_of(options: Options) -> Route:
    """The rule that these options set."""
    arms = arms_of(options)
    costs = [_usd(arm) for arm in arms]
    known = tuple(usd for usd in costs if usd is not None)
    models = tuple(arm.model for arm in arms)
    is_known = len(known) == len(arms)
    return Route(models, options.strong_from, frozenset(options.strong_classes), known if is_known else ())


def _usd(arm: Arm) -> float | None:
    if arm.input_price is None or arm.output_price is None:
        return None
    asked, answered = USUAL_TOKENS
    return (asked * arm.input_price + answered * arm.output_price) / 1e6


@dataclass(frozen=True, slots=True)
class RoutedBackend:
    """Several backends by the names of their models; a request says which one it is for."""

    backends: Mapping[str, Backend]

    def complete(self, request: ModelRequest, *, seconds: float, most_tokens: int) -> ModelReply | BackendFault:
        """One try, by the backend of the request's model."""
        return self.backends[request.model].complete(request, seconds=seconds, most_tokens=most_tokens)
