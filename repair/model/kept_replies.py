"""The model that is asked for edits: an endpoint, or its replies as they were kept in a folder, without a network."""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import json
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from repair.model.asking import ModelClient
from repair.model.backend import Backend, BackendFault, ModelRequest
from repair.model.import_rules import ImportRules
from repair.model.meter import Meter, ModelLimits, Prices
from repair.model.proposer import ModelProposer
from repair.model.reply import ModelReply
from repair.model.take_reply import ReplyRules
from repair.records.config import Options, api_key
from repair.records.events import Listener, event
from repair.records.json_records import from_plain, to_plain
from repair.store.atomic import replace_file


class KeptReplies:
    """A backend before another one, which is made when it is first needed: a replay needs neither key nor endpoint.

    A question is the model, its place, the seed of the run and all messages. Asked again within one run it is another
    question, or the second attempt would be the first one over. Only completions are kept, never a fault and never the
    key.
    """

    def __init__(self, make: Callable[[], Backend], folder: Path, asked: Sequence[str]) -> None:
        self._make = make
        self._folder = folder
        self._asked = tuple(asked)
        self._behind: Backend | None = None
        self._times: Counter[str] = Counter()

    def complete(self, request: ModelRequest, *, seconds: float, most_tokens: int) -> ModelReply | BackendFault:
        """The kept reply, else the backend's, which is then kept."""
        turns = map(dataclasses.astuple, request.messages)
        asked = json.dumps([*self._asked, request.temperature, request.seed, *turns])
        question = hashlib.sha256(asked.encode("utf-8", "surrogatepass")).hexdigest()[:40]
        place = self._folder / f"{question}-{self._times[question]}.json"
        found: ModelReply | None = None
        with contextlib.suppress(OSError, ValueError, RecursionError):  # a damaged one is asked for again
            found = from_plain(ModelReply, json.loads(place.read_bytes()), "reply")
        if found is None:
            self._behind = self._behind or self._make()
            answer = self._behind.complete(request, seconds=seconds, most_tokens=most_tokens)
            if isinstance(answer, BackendFault):
                return answer
            self._folder.mkdir(parents=True, exist_ok=True)
            replace_file(place, json.dumps(to_plain(answer)).encode() + b"\n")
            found = answer
        self._times[question] += 1
        return found


def make_model_proposer(options: Options, env: Mapping[str, str], listen: Listener) -> ModelProposer:
    """The proposer that asks the model of these options; ``listen`` hears of each question."""
    prices = None
    if options.input_price is not None and options.output_price is not None:
        prices = Prices(options.input_price, options.output_price)

    def endpoint() -> Backend:
        # The SDK takes longer to import than all of the rest: only who asks a model waits for it.
        from repair.model.endpoint import Endpoint  # noqa: PLC0415

        return Endpoint(
            options.model,
            options.base_url,
            api_key(env),
            tell=lambda model, host: listen(event("asking", model=model, host=host)),
        )

    if options.replies:
        asked = (options.model, options.base_url, str(options.seed))
        backend: Backend = KeptReplies(endpoint, Path(options.replies), asked)
    else:
        backend = endpoint()
    rules = ReplyRules(ImportRules.of(options.forbidden_modules), options.patch_lines)
    client = ModelClient(backend, Meter(ModelLimits(usd=options.max_cost, prices=prices)))
    return ModelProposer(client, pause=time.sleep, rules=rules)
