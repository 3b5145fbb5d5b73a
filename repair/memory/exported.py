"""A project's memory as one JSON value, to be carried to another machine: attempts, and what the history taught.

Attempts are words of closed lists and numbers. Whoever imports takes what the file says for his own. Words that are in
no list of ours are refused, so that no text gets into the ledger.
"""

from __future__ import annotations

import builtins
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from analysis.facts import FailureClass
from analysis.relation import Relation
from repair.memory.learning import MOST_TEMPLATES, MOST_WORDS, ProjectHistory
from repair.memory.ledger import MENDED, NOTHING, PATCHED, LedgerEntry
from repair.memory.run_memory import FAMILIES
from repair.memory.signature import OWN_EXCEPTION
from repair.records.config import OWN_PROPOSERS
from repair.records.json_records import from_plain, to_plain
from transforms.tree.proposal import EditKind

SCHEMA: Literal["repair.memory_export/1"] = "repair.memory_export/1"

MOST_ATTEMPTS = 100_000

_RUN = re.compile(r"\d{8}-\d{6}-[0-9a-z]{1,16}")
_SUBCLASS = re.compile(r"[a-z_]{0,40}")
_SHAPE = re.compile(r"(?:(?:short|medium|long)(?: loop)?)?")
_OUTCOMES = (*sorted({*MENDED, *PATCHED}), NOTHING, "unrepaired")
_PROPOSERS = ("", "synthesis", *OWN_PROPOSERS)
_MODEL = re.compile(r"model/[0-9a-f]{32}")
_KINDS = ("", *(each.value for each in EditKind))


@dataclass(frozen=True, slots=True)
class ExportedMemory:
    """Attempts, and what the history taught; the latter is text of the program, and may be left out."""

    attempts: tuple[LedgerEntry, ...] = ()
    history: ProjectHistory | None = None

    def to_json(self) -> dict[str, Any]:
        """As JSON values, ``schema`` first."""
        return {"schema": SCHEMA, **to_plain(self)}


def read_exported(values: Any) -> ExportedMemory:
    """The memory that the values describe; raises ``ValueError`` for anything that is none of ours."""
    if not isinstance(values, Mapping) or values.get("schema") != SCHEMA:
        raise ValueError(f"its schema is not {SCHEMA}")
    found: ExportedMemory = from_plain(
        ExportedMemory, {name: value for name, value in values.items() if name != "schema"}, "memory"
    )
    if len(found.attempts) > MOST_ATTEMPTS:
        raise ValueError(f"it has more than {MOST_ATTEMPTS} attempts")
    for number, each in enumerate(found.attempts):
        for said, is_known in _checks(each):
            if not is_known:
                raise ValueError(f"attempt {number} has a word that is in no list of ours: {said!r:.60}")
    history = found.history
    if history is not None and (len(history.words) > MOST_WORDS or len(history.templates) > MOST_TEMPLATES):
        raise ValueError("it has more words or templates than are kept")
    return found


def _checks(entry: LedgerEntry) -> Collection[tuple[object, bool]]:
    like, numbers = entry.signature, (entry.candidates, entry.seconds, entry.tokens, entry.usd)
    exception = getattr(builtins, like.exception, None)
    is_exception = isinstance(exception, type) and issubclass(exception, BaseException)
    return (
        (entry.run, _RUN.fullmatch(entry.run) is not None),
        (entry.cause, 0 <= entry.cause < 1_000),
        (entry.day, 0 <= entry.day < 100_000),
        (like.failure_class, like.failure_class in {each.value for each in FailureClass}),
        (like.subclass, _SUBCLASS.fullmatch(like.subclass) is not None),
        (like.relation, like.relation in ("", *(each.name.lower() for each in Relation))),
        (like.exception, like.exception in ("", OWN_EXCEPTION) or is_exception),
        (like.shape, _SHAPE.fullmatch(like.shape) is not None),
        (entry.proposer, all(each in _PROPOSERS or _MODEL.fullmatch(each) for each in entry.proposer.split("+"))),
        (entry.kind, entry.kind in _KINDS),
        (entry.family, entry.family in ("", *_PROPOSERS, *FAMILIES.values())),
        (entry.outcome, entry.outcome in _OUTCOMES),
        (numbers, all(0 <= each < 1e12 for each in numbers)),
    )
