"""Two small questions to a named model: whether it answers, and whether it keeps to a schema. For `repair doctor`."""

from __future__ import annotations

import json
from dataclasses import dataclass

from repair.model.backend import Backend, BackendFault, FaultKind, Message, ModelRequest, ReplyForm
from repair.model.reply import ModelReply, make_plain

WORD = "ready"
PROBE_SECONDS = 30.0
"""What each of the questions may take: a server may have to load the model first."""
PROBE_TOKENS = 2_000
"""Enough for a model that reasons before one word."""

FORM = ReplyForm(
    "probe",
    {
        "type": "object",
        "properties": {"answer": {"type": "string", "enum": [WORD]}},
        "required": ["answer"],
        "additionalProperties": False,
    },
)
"""The question asks for a plain word: who answers with an object was held to the schema."""

FORM_FIELDS = frozenset({"response_format", "text"})
"""The field that a schema goes into, in both protocols."""

OPTIONAL = ("temperature", "seed")


@dataclass(frozen=True, slots=True)
class ModelProbe:
    """What came of the questions. ``trouble`` is empty where the model answers; ``remedy`` says what to do about it.

    ``forms`` are the forms of a reply that it can be asked for. ``without`` are fields that the endpoint does not take.
    """

    trouble: str = ""
    remedy: str = ""
    forms: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    is_unknown: bool = False
    """Whether the endpoint knows no such model."""

    @property
    def said(self) -> str:
        """What it can do, in a few words."""
        schema = "keeps to a JSON Schema" if "json" in self.forms else "keeps to no JSON Schema: plain blocks alone"
        left = f"; without {' and '.join(self.without)}" if self.without else ""
        return f"answers, and {schema}{left}"


def probe_model(backend: Backend, seconds: float = PROBE_SECONDS) -> ModelProbe:
    """Ask the model twice, each time with one try."""
    plain = _ask(backend, None, seconds)
    if isinstance(plain, BackendFault):
        is_unknown = plain.kind is FaultKind.NOT_FOUND
        return ModelProbe(f"({plain.kind.label}) {plain.detail}", plain.kind.remedy, is_unknown=is_unknown)
    if plain.refusal or not plain.text.strip():
        ended = make_plain(plain.finish, 40) or "no reason given"
        said = f"refuses: {make_plain(plain.refusal, 80)}" if plain.refusal else f"is empty ({ended})"
        return ModelProbe(f"its reply to a question for one word {said}", "Choose another model.")
    without = tuple(name for name in OPTIONAL if name in plain.without)
    held = _ask(backend, FORM, seconds)
    keeps = isinstance(held, ModelReply) and not FORM_FIELDS & {*held.without} and _is_held(held.text)
    return ModelProbe(forms=("plain", "json") if keeps else ("plain",), without=without)


def _ask(backend: Backend, form: ReplyForm | None, seconds: float) -> ModelReply | BackendFault:
    asked = Message("user", f"Answer with the one word: {WORD}")
    request = ModelRequest((asked,), temperature=0.0, seed=0, form=form, purpose="probe")
    return backend.complete(request, seconds=seconds, most_tokens=PROBE_TOKENS)


def _is_held(text: str) -> bool:
    try:
        return bool(json.loads(text) == {"answer": WORD})
    except (ValueError, RecursionError):
        return False
