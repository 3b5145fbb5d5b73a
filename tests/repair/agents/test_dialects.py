"""What hosts send, and how each is answered."""

import json

import pytest

from repair.agents.dialects import LARGEST_INPUT, read_event

CLAUDE = {
    "session_id": "s1",
    "transcript_path": "/t.jsonl",
    "cwd": "/p",
    "hook_event_name": "Stop",
    "stop_hook_active": False,
}
SENT = {
    "claude": CLAUDE,
    "codex": {**CLAUDE, "turn_id": "t1", "model": "m", "last_assistant_message": None},
    "gemini": {**CLAUDE, "prompt": "hi", "prompt_response": "done", "timestamp": "2026-01-01T00:00:00Z"},
    "copilot": {"sessionId": "s1", "timestamp": 1, "cwd": "/p", "stopReason": "end_turn"},
    "cursor": {"conversation_id": "s1", "generation_id": "g", "status": "completed", "workspace_roots": ["/p"]},
    "openhands": {"event_type": "Stop", "session_id": "s1", "working_dir": "/p"},
}


@pytest.mark.parametrize("host", SENT)
def test_each_host_is_known_by_what_it_sends(host):
    event = read_event(json.dumps(SENT[host]).encode())
    assert (event.dialect.name, event.folder, event.session) == (host, "/p", "s1")


@pytest.mark.parametrize(
    ("host", "goes_on", "told"),
    [
        ("claude", {"decision": "block", "reason": "why"}, {"systemMessage": "why"}),
        ("codex", {"decision": "block", "reason": "why"}, {"systemMessage": "why"}),
        ("gemini", {"decision": "block", "reason": "why"}, {"systemMessage": "why"}),
        ("copilot", {"decision": "block", "reason": "why"}, {"systemMessage": "why"}),
        ("cursor", {"followup_message": "why"}, {}),
        ("openhands", {"decision": "deny", "reason": "why"}, {}),
    ],
)
def test_each_host_is_answered_in_its_own_words(host, goes_on, told):
    dialect = read_event(json.dumps(SENT[host]).encode()).dialect
    assert dialect.go_on("why") == goes_on
    assert dialect.tell("why") == told


def test_a_host_that_is_named_is_answered_in_its_words_whatever_it_sends():
    assert read_event(json.dumps(CLAUDE).encode(), "openhands").dialect.name == "openhands"


@pytest.mark.parametrize(
    "raw",
    [b"", b"no json", b"[]", b"null", b'"text"', b"\xff\xfe", b"[" * 100_000, b" " * (LARGEST_INPUT + 1), b'{"cwd": '],
)
def test_what_is_no_event_is_none(raw):
    assert read_event(raw) is None


def test_values_of_other_types_are_passed_over():
    event = read_event(b'{"cwd": 3, "session_id": ["x"], "workspace_roots": []}')
    assert (event.folder, event.session) == ("", "")
