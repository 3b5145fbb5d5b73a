"""Who asks the model of a run's options: an endpoint, replies kept in a folder, or those of a recorded run."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from repair.model.asking import Exchange, ModelClient
from repair.model.backend import Backend
from repair.model.exchanges import RecordedReplies
from repair.model.kept_replies import KeptReplies
from repair.model.meter import Meter, ModelLimits, Prices
from repair.model.router import RoutedBackend, arms_of
from repair.records.config import DEFAULT_MAX_COST, DEFAULT_MAX_REQUESTS, Options, api_key
from repair.records.events import Event, Listener, event
from repair.records.model_arms import Arm


def limits_of_model(options: Options) -> ModelLimits:
    """How much of a model these options allow; where its prices are known, money has a bound of its own."""
    arms = arms_of(options)
    prices = _prices(options.input_price, options.output_price)
    limits = ModelLimits(
        attempts=options.max_attempts,
        requests=options.max_requests or DEFAULT_MAX_REQUESTS,
        request_seconds=options.request_seconds,
        tokens=options.max_tokens,
        usd=options.max_cost,
        prices=prices,
        priced=tuple((a.model, _prices(a.input_price, a.output_price)) for a in arms if a.model != options.model),
    )
    is_bounded = limits.knows_prices and limits.usd is None
    return replace(limits, usd=DEFAULT_MAX_COST) if is_bounded else limits


def _prices(asked: float | None, answered: float | None) -> Prices | None:
    return None if asked is None or answered is None else Prices(asked, answered)


def make_client(
    options: Options,
    env: Mapping[str, str],
    listen: Listener,
    note: Callable[[Exchange], None] = lambda exchange: None,
    recorded: RecordedReplies | None = None,
) -> ModelClient:
    """The client of the models. ``listen`` hears of each question, ``note`` gets it whole.

    With ``recorded`` replies nobody is asked, and no pause is kept, unless the run goes on from them.
    """

    def endpoint(model: str, base_url: str, key: str) -> Backend:
        # The SDK takes longer to import than all of the rest: only who asks a model waits for it.
        from repair.model.endpoint import Endpoint  # noqa: PLC0415

        return Endpoint(
            model,
            base_url,
            key,
            stream=options.stream,
            tell=lambda model, host: listen(event("asking", model=model, host=host)),
        )

    def make(model: str, base_url: str, key: str) -> Backend:
        if not options.replies:
            return endpoint(model, base_url, key)
        asked = (model, base_url, str(options.seed))
        return KeptReplies(lambda: endpoint(model, base_url, key), Path(options.replies), asked)

    def hear(exchange: Exchange) -> None:
        note(exchange)
        listen(_event_of(exchange))

    backend: Backend
    if recorded is not None and not recorded.goes_on:
        backend = recorded
    else:
        made = {arm.model: make(arm.model, *_place_of(arm, options, env)) for arm in arms_of(options)}
        backend = RoutedBackend(made) if len(made) > 1 else made[options.model]
    if recorded is not None and recorded.goes_on:
        recorded.behind, backend = backend, recorded
    pause = time.sleep if recorded is None or recorded.goes_on else lambda seconds: None
    return ModelClient(backend, Meter(limits_of_model(options)), pause, hear)


def _place_of(arm: Arm, options: Options, env: Mapping[str, str]) -> tuple[str, str]:
    """Where a model is asked, and with which key: an endpoint of its own is told no other one's."""
    own = env.get(arm.key, "") if arm.key else ""
    if arm.model == options.model or not arm.base_url:
        return options.base_url, own or api_key(env)
    return arm.base_url, own


def _event_of(exchange: Exchange) -> Event:
    reply = exchange.reply
    told = {} if reply is None else {"finish": reply.finish, "tokens": reply.output_tokens}
    step = {"number": exchange.number, "purpose": exchange.request.purpose, "tries": len(exchange.tries)}
    return event("request", **step, ended=exchange.ended, **told)
