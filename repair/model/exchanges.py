"""Questions to a model as a run's record keeps them, each with all its tries, and as they are replayed without a model.

A file is written before its question is sent, and again after each try. The user's key is in none of them.
"""

from __future__ import annotations

import re
import threading
from collections import defaultdict, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from analysis.errors import UsageError
from analysis.facts import Files
from repair.model.asking import Exchange, Try
from repair.model.backend import Backend, BackendFault, FaultKind, Message, ModelRequest, ReplyForm
from repair.model.reply import ModelReply
from repair.records.first_difference import differences
from repair.records.json_records import from_plain, to_plain
from repair.records.task import PatchPlan, Strategy
from repair.store.stored_run import StoredRun

SCHEMA = "repair.exchange/1"
NAME = re.compile(r"model-(\d{4,})\.json")
SHORTEST_SECRET = 8
"""Shorter ones are words of their own, and are not looked for."""

KINDS = {kind.label: kind for kind in FaultKind}


def keep_exchange(run: StoredRun, exchange: Exchange, asked: Mapping[str, str], secrets: Sequence[str]) -> None:
    """Write the question down as it is by now. ``asked`` says of which model, and where. Raises ``OSError``."""
    values = {"schema": SCHEMA, **asked, **exchange_json(exchange)}
    run.save_json(f"model-{exchange.number:04}.json", _hide(values, [s for s in secrets if len(s) >= SHORTEST_SECRET]))


def read_exchanges(run: StoredRun) -> tuple[dict[str, Any], ...]:
    """What the run asked of models, as JSON values, in the order of the questions."""
    names = (NAME.fullmatch(path.name) for path in run.path.glob("model-*.json"))
    numbers = sorted((int(name[1]), name[0]) for name in names if name)
    return tuple(values for _, name in numbers if isinstance(values := run.read_json(name), dict))


def exchange_json(exchange: Exchange) -> dict[str, Any]:
    """The question with its tries, as JSON values."""
    request = exchange.request
    return {
        "number": exchange.number,
        **{name: getattr(request, name) for name in ("purpose", "bug", "prompt", "temperature", "seed")},
        "form": request.form and {"name": request.form.name, "schema": dict(request.form.schema)},
        "messages": to_plain(request.messages),
        "tries": [_try_json(each) for each in exchange.tries],
        "ended": exchange.ended,
    }


def exchange_of(values: Mapping[str, Any]) -> Exchange:
    """The question that the JSON values hold; raises ``UsageError`` for what cannot be one."""
    try:
        form = values["form"]
        request = ModelRequest(
            tuple(from_plain(Message, each, "message") for each in values["messages"]),
            values["temperature"],
            values["seed"],
            ReplyForm(str(form["name"]), form["schema"]) if form else None,
            *(str(values[name]) for name in ("prompt", "bug", "purpose")),
        )
        tries = tuple(_try_of(each) for each in values["tries"])
        return Exchange(int(values["number"]), request, tries, str(values["ended"]))
    except (KeyError, TypeError, ValueError) as problem:
        raise UsageError(
            f"What the run asked of the model cannot be read: {problem}", remedy="Delete the run's directory."
        ) from problem


@dataclass(frozen=True, slots=True)
class MemoryTold:
    """What the memory of earlier runs said of a function in a run."""

    neighbour: str = ""
    strategy: Strategy = field(default_factory=Strategy)


class RecordedReplies:
    """A backend that gives the tries of recorded questions again, faults and all, and asks nobody.

    A question is known by what it is for. Where its messages are others than then, the reply is given all the same:
    searches find other things in the same time. ``same`` and ``other`` count the questions, ``unknown`` those that were
    not asked then. ``earlier`` are the attempts of still earlier runs that the model was told of then, by test.
    """

    def __init__(
        self,
        exchanges: Sequence[Exchange],
        earlier: Mapping[str, Sequence[str]] | None = None,
        *,
        goes_on: bool = False,
        told: Mapping[str, MemoryTold] | None = None,
    ) -> None:
        """A run that ``goes_on`` takes replies alone, no faults; what was not asked then is asked ``behind`` it."""
        self.earlier = earlier or {}
        self._told = told or {}
        self.goes_on = goes_on
        self.behind: Backend | None = None
        self._lock = threading.Lock()
        self._left: defaultdict[tuple[str, str], deque[tuple[ModelRequest, Try, bool]]] = defaultdict(deque)
        for exchange in exchanges:
            tries = [each for each in exchange.tries if not goes_on or isinstance(each.answer, ModelReply)]
            for number, each in enumerate(tries):
                request = exchange.request
                self._left[request.bug, request.purpose].append((request, each, not number))
        self.same = self.other = self.unknown = 0
        self.parted = ""
        """Where the first question that is another one differs from the recorded one."""

    def neighbour(self, plan: PatchPlan, sources: Files) -> str:
        """What the model was told then of a failure alike, of the plan's function."""
        return self._told.get(plan.function.qualname, MemoryTold()).neighbour

    def strategy(self, plan: PatchPlan, sources: Files) -> Strategy:
        """What was said then of kinds of edits, and of the model's attempts."""
        return self._told.get(plan.function.qualname, MemoryTold()).strategy

    def complete(self, request: ModelRequest, *, seconds: float, most_tokens: int) -> ModelReply | BackendFault:
        """The next recorded try of this question."""
        with self._lock:
            left = self._left[request.bug, request.purpose]
            recorded, then, is_first = left.popleft() if left else (None, None, False)
            if recorded is None:
                self.unknown += 1
            elif is_first and recorded == replace(request, model=recorded.model):
                self.same += 1
            elif is_first:
                self.other += 1
                self.parted = self.parted or _tell_parting(recorded, request)
        if then is not None:
            return then.answer
        if self.behind is not None:
            return self.behind.complete(request, seconds=seconds, most_tokens=most_tokens)
        return BackendFault(FaultKind.RECORD, f"this was not asked then: {request.purpose}")


def _tell_parting(then: ModelRequest, now: ModelRequest) -> str:
    """Where a question differs first from the recorded one."""
    old, new = (
        {"messages": to_plain(each.messages), "settings": [each.temperature, each.seed]} for each in (then, now)
    )
    return next((f"{now.purpose}: {each}" for each in differences(old, new)), f"{now.purpose}: its form is another one")


def _try_json(one: Try) -> dict[str, Any]:
    if isinstance(one.answer, ModelReply):
        return {"seconds": one.seconds, "reply": to_plain(one.answer)}
    fault = one.answer
    told = {"kind": fault.kind.label, "detail": fault.detail, "retry_after": fault.retry_after, "billed": fault.billed}
    return {"seconds": one.seconds, "fault": told}


def _try_of(values: Mapping[str, Any]) -> Try:
    if "reply" in values:
        return Try(from_plain(ModelReply, values["reply"], "reply"), float(values["seconds"]))
    told = values["fault"]
    fault = BackendFault(KINDS[told["kind"]], str(told["detail"]), told["retry_after"], bool(told["billed"]))
    return Try(fault, float(values["seconds"]))


def _hide(value: Any, secrets: Sequence[str]) -> Any:
    """The JSON values without these texts in them."""
    if isinstance(value, str):
        for secret in secrets:
            value = value.replace(secret, "[key]")
        return value
    if isinstance(value, Mapping):
        return {key: _hide(each, secrets) for key, each in value.items()}
    return [_hide(each, secrets) for each in value] if isinstance(value, (list, tuple)) else value
