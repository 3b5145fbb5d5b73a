"""Replies of a model as they were kept in a folder: what was asked once is answered without key or network."""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import json
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from repair.model.backend import Backend, BackendFault, ModelRequest
from repair.model.reply import ModelReply
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
