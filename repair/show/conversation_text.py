"""What a run asked of models and what they said, as text for people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

LABELS = {"purpose": "for", "model": "model", "prompt": "prompt files", "temperature": "temperature", "seed": "seed"}


def exchanges_text(exchanges: Iterable[Mapping[str, Any]]) -> str:
    """The recorded questions with all their tries, one after the other. Their texts are as they were sent and came."""
    return "\n".join(line for each in exchanges for line in _lines(each))


def _lines(exchange: Mapping[str, Any]) -> Iterable[str]:
    yield f"==== question {exchange['number']}"
    for name, label in LABELS.items():
        if exchange.get(name) not in (None, ""):
            yield f"{label}: {exchange[name]}"
    for message in exchange["messages"]:
        yield f"---- {message['role']}"
        yield message["text"]
    for number, each in enumerate(exchange["tries"], 1):
        yield f"---- try {number}, {each['seconds']:.1f} s"
        yield from _fault_lines(each["fault"]) if "fault" in each else _reply_lines(each["reply"])
    if exchange["ended"]:
        yield f"---- ended: {exchange['ended']}"
    yield ""


def _fault_lines(fault: Mapping[str, Any]) -> Iterable[str]:
    yield f"fault ({fault['kind']}): {fault['detail']}"


def _reply_lines(reply: Mapping[str, Any]) -> Iterable[str]:
    without = f", asked without {', '.join(reply['without'])}" if reply.get("without") else ""
    tokens = f"{reply['input_tokens']} tokens asked, {reply['output_tokens']} answered"
    yield f"finish: {reply['finish'] or 'not said'}; {tokens}{without}"
    if reply["refusal"]:
        yield f"---- refusal\n{reply['refusal']}"
    if reply["reasoning"]:
        yield f"---- reasoning\n{reply['reasoning']}"
    yield "---- reply"
    yield reply["text"]
