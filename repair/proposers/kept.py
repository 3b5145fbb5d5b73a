"""Replies of a model kept in a folder: a question that was asked before is answered from there, without a network.

A question is the model, its place, the seed of the run and all messages. Asked again within one run it is another
question, or the second attempt would be the first one over. Only completions are kept, never a fault and never the key.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from repair.proposers.backend import Backend, BackendFault, Message
from repair.proposers.reply import ModelReply
from repair.records.json_records import from_plain, to_plain
from repair.store.atomic import replace_file


class KeptReplies:
    """A backend before another one, which is made when it is first needed: a replay needs neither key nor endpoint."""

    def __init__(self, make: Callable[[], Backend], folder: Path, asked: Sequence[str]) -> None:
        self._make = make
        self._folder = folder
        self._asked = tuple(asked)
        self._behind: Backend | None = None
        self._times: Counter[str] = Counter()

    def complete(self, messages: Sequence[Message], *, seconds: float, most_tokens: int) -> ModelReply | BackendFault:
        """The kept reply, else the backend's, which is then kept."""
        question = self._digest(messages)
        place = self._folder / f"{question}-{self._times[question]}.json"
        found = _read_kept(place)
        if found is None:
            self._behind = self._behind or self._make()
            answer = self._behind.complete(messages, seconds=seconds, most_tokens=most_tokens)
            if isinstance(answer, BackendFault):
                return answer
            self._folder.mkdir(parents=True, exist_ok=True)
            replace_file(place, json.dumps(to_plain(answer)).encode() + b"\n")
            found = answer
        self._times[question] += 1
        return found

    def _digest(self, messages: Sequence[Message]) -> str:
        said = json.dumps([*self._asked, *(dataclasses.astuple(message) for message in messages)])
        return hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:40]


def _read_kept(place: Path) -> ModelReply | None:
    """The reply in that file; a damaged one is none, and is asked for again."""
    try:
        found: ModelReply = from_plain(ModelReply, json.loads(place.read_bytes()), "reply")
    except (OSError, ValueError, RecursionError):
        return None
    return found
