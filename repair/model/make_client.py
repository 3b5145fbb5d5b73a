"""Who asks the model of a run's options: an endpoint, replies kept in a folder, or those of a recorded run."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path

from repair.model.asking import Exchange, ModelClient
from repair.model.backend import Backend
from repair.model.exchanges import RecordedReplies
from repair.model.kept_replies import KeptReplies
from repair.model.meter import Meter, ModelLimits, Prices
from repair.records.config import DEFAULT_MAX_COST, Options, api_key
from repair.records.events import Event, Listener, event


def limits_of_model(options: Options) -> ModelLimits:
    """How much of a model these options allow; where its prices are known, money has a bound of its own."""
    prices, usd = None, options.max_cost
    if options.input_price is not None and options.output_price is not None:
        prices = Prices(options.input_price, options.output_price)
        usd = DEFAULT_MAX_COST if usd is None else usd
    return ModelLimits(
        attempts=options.max_attempts,
        requests=options.max_requests,
        request_seconds=options.request_seconds,
        tokens=options.max_tokens,
        usd=usd,
        prices=prices,
    )


def make_client(
    options: Options,
    env: Mapping[str, str],
    listen: Listener,
    note: Callable[[Exchange], None] = lambda exchange: None,
    recorded: RecordedReplies | None = None,
) -> ModelClient:
    """The client of the one model. ``listen`` hears of each question, ``note`` gets it whole.

    With ``recorded`` replies nobody is asked, and no pause is kept.
    """

    def endpoint() -> Backend:
        # The SDK takes longer to import than all of the rest: only who asks a model waits for it.
        from repair.model.endpoint import Endpoint  # noqa: PLC0415

        return Endpoint(
            options.model,
            options.base_url,
            api_key(env),
            stream=options.stream,
            tell=lambda model, host: listen(event("asking", model=model, host=host)),
        )

    def hear(exchange: Exchange) -> None:
        note(exchange)
        listen(_event_of(exchange))

    asked = (options.model, options.base_url, str(options.seed))
    backend: Backend
    if recorded is not None:
        backend = recorded
    elif options.replies:
        backend = KeptReplies(endpoint, Path(options.replies), asked)
    else:
        backend = endpoint()
    pause = time.sleep if recorded is None else lambda seconds: None
    return ModelClient(backend, Meter(limits_of_model(options)), pause, hear)


def _event_of(exchange: Exchange) -> Event:
    reply = exchange.reply
    told = {} if reply is None else {"finish": reply.finish, "tokens": reply.output_tokens}
    step = {"number": exchange.number, "purpose": exchange.request.purpose, "tries": len(exchange.tries)}
    return event("request", **step, ended=exchange.ended, **told)
