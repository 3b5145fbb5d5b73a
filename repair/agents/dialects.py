"""What hosts of coding agents send to a hook, and how each is answered: one row a host.

A hook reads one JSON object and prints one. Nearly all hosts take ``{"decision": "block", "reason": …}`` with exit
status 0; what differs stands in the table.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

LARGEST_INPUT = 4 << 20
"""Bytes of an event that are read. A longer one is no event."""

Said = Mapping[str, Any]


def _block(reason: str) -> Said:
    return {"decision": "block", "reason": reason}


def _deny(reason: str) -> Said:
    return {"decision": "deny", "reason": reason}


def _follow_up(reason: str) -> Said:
    return {"followup_message": reason}


def _tell(text: str) -> Said:
    return {"systemMessage": text}


def _say_nothing(text: str) -> Said:
    return {}


@dataclass(frozen=True, slots=True)
class Dialect:
    """How one host speaks: its key that no other host sends, how it is told to go on, and how its person is told."""

    name: str
    key: str
    go_on: Callable[[str], Said] = _block
    tell: Callable[[str], Said] = _tell


DIALECTS = (
    Dialect("codex", "turn_id"),
    Dialect("gemini", "prompt_response"),
    Dialect("copilot", "sessionId"),
    Dialect("cursor", "conversation_id", _follow_up, _say_nothing),
    Dialect("openhands", "event_type", _deny, _say_nothing),
    Dialect("claude", "session_id"),
)
"""The hosts, those with a key of their own first: most others send what Claude Code sends, and take its answers."""

NAMES = tuple(sorted(dialect.name for dialect in DIALECTS))


@dataclass(frozen=True, slots=True)
class HookEvent:
    """What a host says: where its agent works, in which session, and in which dialect it wants its answer."""

    dialect: Dialect
    folder: str
    session: str


def read_event(raw: bytes, named: str = "auto") -> HookEvent | None:
    """The event of a host; ``None`` for what is none. ``named`` is a host's name, or auto."""
    if len(raw) > LARGEST_INPUT:
        return None
    try:
        values = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    if not isinstance(values, dict):
        return None
    if named == "auto":
        dialect = next((each for each in DIALECTS if each.key in values), DIALECTS[-1])
    else:
        dialect = next(each for each in DIALECTS if each.name == named)
    roots = values.get("workspace_roots")
    folder = _text(values, "cwd", "working_dir") or (str(roots[0]) if isinstance(roots, list) and roots else "")
    return HookEvent(dialect, folder, _text(values, "session_id", "sessionId", "conversation_id"))


def _text(values: Mapping[str, Any], *names: str) -> str:
    """The first of these values that is a text."""
    return next((found for name in names if isinstance(found := values.get(name), str) and found), "")
