"""Hosts of coding agents, and what each wants to read before it calls our hooks: one row a host.

The commands never change between our versions: some hosts trust a hook by the digest of its text. Each file lies in
the project; a host reads the same text from the user's own settings.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

HOST_SECONDS = 30
"""What a host gives to our hook: five seconds more than the hook takes."""

START, STOP = "repair hook start", "repair hook stop"

Settings = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Host:
    """One host: its file in a project, what stands there for us, the folder of a project that it is in use in.

    ``own`` is the file of the user's own settings, below the home. ``mind`` says what else is to be done.
    """

    name: str
    title: str
    file: str
    settings: Settings
    sign: str
    own: str
    mind: str = ""


def _entry(command: str, **more: Any) -> list[Any]:
    """An event's entry as Claude Code, and those that followed it, want it."""
    return [{"hooks": [{"type": "command", "command": command, "timeout": HOST_SECONDS, **more}]}]


_LIKE_CLAUDE = {"SessionStart": _entry(START), "Stop": _entry(STOP)}
_IN_MILLISECONDS = {"timeout": HOST_SECONDS * 1000, "name": "repair"}

HOSTS = (
    Host(
        "claude-code",
        "Claude Code",
        ".claude/settings.json",
        {"hooks": {**_LIKE_CLAUDE, "SubagentStop": _entry(STOP)}},
        ".claude",
        ".claude/settings.json",
    ),
    Host(
        "codex",
        "Codex",
        ".codex/hooks.json",
        {"hooks": {"SessionStart": _entry(START), "Stop": _entry(STOP, statusMessage="repair: judging the change")}},
        ".codex",
        ".codex/hooks.json",
        "Codex runs no hook before you trust it: type /hooks there.",
    ),
    Host(
        "gemini",
        "Gemini CLI",
        ".gemini/settings.json",
        {
            "hooks": {
                "SessionStart": _entry(START, **_IN_MILLISECONDS),
                "AfterAgent": _entry(STOP, **_IN_MILLISECONDS),
            }
        },
        ".gemini",
        ".gemini/settings.json",
    ),
    Host(
        "copilot",
        "Copilot CLI",
        ".github/hooks/repair.json",
        {
            "version": 1,
            "hooks": {
                "sessionStart": [{"type": "command", "bash": START, "cwd": ".", "timeoutSec": HOST_SECONDS}],
                "agentStop": [{"type": "command", "bash": STOP, "cwd": ".", "timeoutSec": HOST_SECONDS}],
            },
        },
        ".github/hooks",
        ".copilot/hooks/repair.json",
        "Copilot runs hooks of a project in trusted folders alone.",
    ),
    Host(
        "cursor",
        "Cursor",
        ".cursor/hooks.json",
        {
            "version": 1,
            "hooks": {"sessionStart": [{"command": START}], "stop": [{"command": STOP, "loop_limit": 4}]},
        },
        ".cursor",
        ".cursor/hooks.json",
    ),
    Host(
        "openhands",
        "OpenHands",
        ".openhands/hooks.json",
        {"hooks": _LIKE_CLAUDE},
        ".openhands",
        ".openhands/hooks.json",
    ),
)

NAMES = tuple(host.name for host in HOSTS)

INSTRUCTIONS = """## Before you say that a change is done

- After a change of Python code that has tests, run `repair check --since HEAD`. It judges the change; its exit status
  is no error of yours.
- `rejected`: read what the gate saw, and change the code, not the tests.
- `plausible` with a question: look for the answer in the task, the docstrings and the calling code, and add it as a
  test. If nothing answers it, ask the user. An answer that you give yourself is no evidence.
"""
"""What an agent is told of us in the file of instructions of a project (AGENTS.md and the like)."""


def host_named(name: str) -> Host:
    """The host of that name."""
    return next(host for host in HOSTS if host.name == name)


def text_of(settings: Settings) -> str:
    """Settings as a file holds them."""
    return json.dumps(settings, indent=2) + "\n"


def calls_us(settings: Any) -> bool:
    """Whether our stop hook is called anywhere in the settings."""
    if isinstance(settings, Mapping):
        return any(calls_us(value) for value in settings.values())
    if isinstance(settings, list):
        return any(calls_us(value) for value in settings)
    return isinstance(settings, str) and settings.split()[:3] == STOP.split()


def joined(present: Settings, ours: Settings) -> dict[str, Any]:
    """The settings that are there, and our entries after those of the same event.

    Raises ``ValueError`` where an event is no list, or where the hooks are no table.
    """
    hooks = present.get("hooks", {})
    if not isinstance(hooks, Mapping):
        raise ValueError("its hooks are no table")
    merged = dict(hooks)
    for event, entries in ours["hooks"].items():
        there = merged.get(event, [])
        if not isinstance(there, list):
            raise ValueError(f"its hooks for {event} are no list")
        merged[event] = [*there, *entries]
    return {**{key: value for key, value in ours.items() if key not in present}, **present, "hooks": merged}
