"""What happened, as records. The terminal, the store and an embedding host are listeners.

Here stands what each type of event holds (``repair.events/1``). Within this version types and fields are only added.
Who reads events passes over what it does not know.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

SCHEMA: Literal["repair.events/1"] = "repair.events/1"
"""What the first line of a run's events names."""


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened. ``fields`` are JSON values, sorted by name."""

    type: str
    fields: tuple[tuple[str, Any], ...]

    def to_json(self) -> dict[str, Any]:
        """The event as one JSON object with a ``type``."""
        return {"type": self.type, **dict(self.fields)}


def event(type: str, /, **fields: Any) -> Event:
    """An event from keyword arguments."""
    return Event(type, tuple(sorted(fields.items())))


Listener = Callable[[Event], None]


def phase(name: str, detail: str = "", estimate_seconds: float = 0.0) -> Event:
    """A phase of the work begins, and takes about so long; 0 where nobody knows."""
    return event("phase", name=name, detail=detail, estimate_seconds=round(estimate_seconds, 1))


KINDS: Mapping[str, Any] = {
    "text": {"type": "string"},
    "number": {"type": "number"},
    "count": {"type": "integer"},
    "texts": {"type": "array", "items": {"type": "string"}},
    "counts": {"type": "object", "additionalProperties": {"type": "integer"}},
}
"""What a field may hold, in JSON Schema."""

_MADE = "file:text function:text origin:text operator:text purpose:text? text:text?"
"""Of a text that somebody made: where it stands, who made it and how, for a model's what it was asked for.

In a record ``text`` is kept by its SHA-256, or ``unkept`` says why it is not.
"""

TYPES: Mapping[str, str] = {
    "run_started": "run:text root:text isolation:text python:text",
    "warning": "message:text",
    "phase": "name:text detail:text estimate_seconds:number",
    "baseline": "tests:count failing:count passing:count flaky:count seconds:number",
    "suspects": "suspects:texts",
    "plan": "function:text failure_class:text kinds:texts policy:text",
    "cause": "number:count left:count tests:texts suspect:text",
    "split": "tests:texts others:texts",
    "progress": (
        "tried:count suspect:text seconds_left:number? rate:number? position:count? families:texts? ended:counts?"
        " remembered:count? distinct:count? invalid:count? plausible:count? best:text? tiers:counts?"
    ),
    "tier": "function:text left:text reason:text",
    "agent_started": "agent:text brief:text left_out:texts",
    "agent_ended": "agent:text trouble:text seconds:number said:text changed:texts diff:text",
    "asking": "model:text host:text",
    "request": "number:count purpose:text tries:count ended:text finish:text? tokens:count?",
    "program": "file:text function:text text:text?",
    "near": f"{_MADE} passed:count failing:count reason:text",
    "attempt": f"{_MADE} state:text reason:text left:count? failing:count? seen:text divergence:text broke:texts",
    "written_anew": "function:text file:text",
    "doubt": "function:text doubt:text question:text",
    "found": f"{_MADE} label:text position:count",
    "candidate": "digest:text label:text state:text position:count",
    "evidence": "gate:text decision:text claim:text digest:text witness:text question:text seconds:number",
    "patch": f"{_MADE} digest:text status:text",
    "memory": "function:text message:text neighbour:text? kinds:counts? share:number?",
    "failed": "status:text message:text",
    "finished": "status:text",
}
"""The types, and what each holds: the names of its fields with their kinds; one with ``?`` may be missing."""

RECORDED = "at:number sha256:text? unkept:text?"
"""What any event of a record holds beside its own: seconds since the start, and what became of its text."""


def fields_of(told: str) -> dict[str, tuple[str, bool]]:
    """Fields as they stand in ``TYPES``: by name the kind, and whether it is always there."""
    pairs = (each.partition(":") for each in told.split())
    return {name: (kind.rstrip("?"), not kind.endswith("?")) for name, _, kind in pairs}


def problems_of(happened: Event) -> tuple[str, ...]:
    """What is wrong with an event that is to be written, by what stands in ``TYPES``."""
    if happened.type not in TYPES:
        return (f"there is no event {happened.type!r}",)
    known, given = fields_of(TYPES[happened.type]), dict(happened.fields)
    missing = [f"{happened.type} lacks {name}" for name, (_, needed) in known.items() if needed and name not in given]
    unknown = [f"{happened.type} has no field {name!r}" for name in given if name not in known]
    wrong = [
        f"{happened.type}.{name} is no {known[name][0]}: {value!r}"
        for name, value in given.items()
        if name in known and not _fits(value, known[name][0])
    ]
    return (*missing, *unknown, *wrong)


def _fits(value: object, kind: str) -> bool:
    match kind:
        case "text":
            return isinstance(value, str)
        case "count":
            return isinstance(value, int) and not isinstance(value, bool)
        case "number":
            return isinstance(value, int | float) and not isinstance(value, bool)
        case "texts":
            return isinstance(value, list) and all(isinstance(each, str) for each in value)
        case _:
            return isinstance(value, dict) and all(_fits(each, "count") for each in value.values())


def events_schema() -> dict[str, Any]:
    """JSON Schema of one line of a record: the first one, or an event; unknown types and fields are allowed."""
    first = {"type": "object", "properties": {"schema": {"const": SCHEMA}}, "required": ["schema"]}
    known = [_schema_of(name, told) for name, told in TYPES.items()]
    other = {
        "type": "object",
        "properties": {"type": {"type": "string", "not": {"enum": list(TYPES)}}},
        "required": ["type"],
    }
    return {"$id": SCHEMA, "title": "One line of the events of a run", "oneOf": [first, *known, other]}


def _schema_of(name: str, told: str) -> dict[str, Any]:
    fields = {**fields_of(told), **fields_of(RECORDED)}
    return {
        "title": name,
        "type": "object",
        "properties": {"type": {"const": name}, **{field: KINDS[kind] for field, (kind, _) in fields.items()}},
        "required": ["type", *(field for field, (_, needed) in fields.items() if needed)],
    }
