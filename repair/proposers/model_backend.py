"""The model that is asked for edits: an endpoint, or its replies as they were kept."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path

from repair.proposers.backend import Backend, ModelLimits, Prices
from repair.proposers.kept import KeptReplies
from repair.proposers.model import ModelProposer
from repair.records.config import Options, api_key
from repair.records.events import Listener, event


def make_model_proposer(options: Options, env: Mapping[str, str], listen: Listener) -> ModelProposer:
    """The proposer that asks the model of these options; ``listen`` hears of each question."""
    prices = None
    if options.input_price is not None and options.output_price is not None:
        prices = Prices(options.input_price, options.output_price)

    def tell(model: str, host: str) -> None:
        listen(event("asking", model=model, host=host))

    def endpoint() -> Backend:
        # The SDK takes longer to import than all of the rest: only who asks a model waits for it.
        from repair.proposers.endpoint import Endpoint  # noqa: PLC0415

        return Endpoint(options.model, options.base_url, api_key(env), tell=tell)

    if options.replies:
        asked = (options.model, options.base_url, str(options.seed))
        backend: Backend = KeptReplies(endpoint, Path(options.replies), asked)
    else:
        backend = endpoint()
    return ModelProposer(backend, time.sleep, ModelLimits(usd=options.max_cost, prices=prices))
