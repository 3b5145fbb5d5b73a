"""What an endpoint sent, read as a reply: both protocols, whole or as a stream, whatever server it came from.

The shape of what came decides, and not what was asked for: servers differ. Nothing is believed for its form: a stream
without its end has broken off, and an error may come with the status of a success.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from repair.model.backend import BackendFault, FaultKind
from repair.model.reply import ModelReply

MOST_REASONING = 16_000
"""Characters of a reasoning trace that are kept: half from its start, half from its end."""

FILTERED = "content_filter"
"""The word of both protocols for an answer that the server held back."""

THINKING = ("think", "thinking", "reasoning")
"""Marks around reasoning that a server has left in the text."""

KINDS_OF_STATUS = {
    401: FaultKind.AUTHENTICATION,
    402: FaultKind.QUOTA,
    403: FaultKind.AUTHENTICATION,
    404: FaultKind.NOT_FOUND,
    408: FaultKind.SERVER,
    409: FaultKind.SERVER,
    425: FaultKind.SERVER,
    429: FaultKind.RATE,
}

KINDS_OF_CODE = {
    "insufficient_quota": FaultKind.QUOTA,
    "billing_hard_limit_reached": FaultKind.QUOTA,
    "rate_limit_exceeded": FaultKind.RATE,
    "rate_limit_error": FaultKind.RATE,
    "server_error": FaultKind.SERVER,
    "overloaded_error": FaultKind.SERVER,
    "api_error": FaultKind.SERVER,
    "invalid_api_key": FaultKind.AUTHENTICATION,
    "authentication_error": FaultKind.AUTHENTICATION,
    "model_not_found": FaultKind.NOT_FOUND,
    "invalid_prompt": FaultKind.REQUEST,
    "invalid_request_error": FaultKind.REQUEST,
    "context_length_exceeded": FaultKind.REQUEST,
}


def read_body(body: bytes, content_type: str = "") -> ModelReply | BackendFault:
    """The reply in a body. Raises ``ValueError``, ``LookupError``, ``TypeError`` and the like for what is none."""
    start = body.lstrip()[:6]
    if content_type.startswith("text/event-stream") or start.startswith((b"data:", b"event:", b":")):
        return _from_stream(_events(body.decode("utf-8", "replace")))
    return _from_whole(json.loads(body))


def fault_of_error(error: object, status: int | None = None) -> BackendFault | ModelReply:
    """What an error of the server comes to: a fault, or a reply that was held back. Its words are not scrubbed yet."""
    found: Mapping[str, Any] = error if isinstance(error, Mapping) else {}
    codes = [str(found[name]) for name in ("code", "type") if found.get(name) is not None]
    if FILTERED in codes or any(code.endswith("_policy_violation") for code in codes):
        return ModelReply("", FILTERED)
    said = found.get("message", error)
    detail = said if isinstance(said, str) else json.dumps(said, default=str)
    numbers = [int(code) for code in codes if re.fullmatch(r"[45]\d\d", code)]
    kinds = [KINDS_OF_CODE[code] for code in codes if code in KINDS_OF_CODE]
    kind = kinds[0] if kinds else None
    status = status or next(iter(numbers), None)
    if status is None:
        return BackendFault(kind or FaultKind.SERVER, detail)
    by_status = KINDS_OF_STATUS.get(status, FaultKind.SERVER if status >= 500 else FaultKind.REQUEST)
    if kind is FaultKind.QUOTA or (by_status is FaultKind.REQUEST and kind is not None):
        by_status = kind
    return BackendFault(by_status, f"HTTP {status}: {detail}")


def split_reasoning(text: str) -> tuple[str, str]:
    """The text without the reasoning that a server has left in front of it, and that reasoning.

    Some templates open the block in the prompt, so that only its end is in the text. Where it never ends, all of the
    text is reasoning. A mark further inside is text: code may hold it.
    """
    start = text.lstrip()
    for tag in THINKING:
        if start.startswith(f"<{tag}>"):
            inner, _, rest = start.removeprefix(f"<{tag}>").partition(f"</{tag}>")
            return rest.lstrip("\n"), inner.strip()
        before, mark, rest = text.partition(f"</{tag}>")
        stands_alone = (not before or before.endswith("\n")) and (not rest or rest.startswith("\n"))
        if mark and stands_alone and "```" not in before and f"<{tag}>" not in before:
            return rest.lstrip("\n"), before.strip()
    return text, ""


def cap(text: str, most: int = MOST_REASONING) -> str:
    """The text, its middle left out where it is too long."""
    half = most // 2
    return text if len(text) <= most else f"{text[:half]}\n[{len(text) - 2 * half} characters left out]\n{text[-half:]}"


def _from_whole(answer: Any) -> ModelReply | BackendFault:
    if answer.get("error"):
        return fault_of_error(answer["error"])
    return _from_chat(answer) if "choices" in answer else _from_response(answer)


def _from_chat(answer: Any) -> ModelReply:
    """The first choice of a chat completion: one was asked for."""
    choice = answer["choices"][0]
    message = choice["message"]
    usage = answer.get("usage") or {}
    text, inner = split_reasoning(_text(message.get("content")))
    apart = (message.get(name) for name in ("reasoning_content", "reasoning"))
    reasoning = next((trace for trace in apart if isinstance(trace, str) and trace), "")
    return ModelReply(
        text,
        _text(choice.get("finish_reason")),
        _text(message.get("refusal")),
        _count(usage.get("prompt_tokens")),
        _count(usage.get("completion_tokens")),
        cap("\n".join(filter(None, (reasoning, _thinking_parts(message.get("content")), inner)))),
    )


def _from_response(answer: Any) -> ModelReply | BackendFault:
    """The messages of a Response; what is marked as commentary is reasoning, like the items of that name."""
    texts: list[str] = []
    refusals: list[str] = []
    reasoning: list[str] = []
    for item in answer["output"]:
        if item.get("type") == "reasoning":
            parts = (*(item.get("summary") or ()), *(item.get("content") or ()))
            reasoning += [_text(part.get("text")) for part in parts]
        if item.get("type") != "message":
            continue
        said = [_text(part.get("text")) for part in item["content"] if part.get("type") == "output_text"]
        (reasoning if item.get("phase") == "commentary" else texts).extend(said)
        refusals += [_text(part.get("refusal")) for part in item["content"] if part.get("type") == "refusal"]
    usage = answer.get("usage") or {}
    why = (answer.get("incomplete_details") or {}).get("reason")
    text, inner = split_reasoning("".join(texts))
    return ModelReply(
        text,
        _text(why or answer.get("status")),
        " ".join(refusals),
        _count(usage.get("input_tokens")),
        _count(usage.get("output_tokens")),
        cap("\n".join(filter(None, (*reasoning, inner)))),
    )


def _events(text: str) -> Iterator[Any]:
    """The data of whole server-sent events: JSON values, and the text ``[DONE]`` as it is. Raises ``ValueError``."""
    data: list[str] = []
    *lines, rest = re.split(r"\r\n|\r|\n", text)  # the rest is a line that has not ended
    for line in [*lines, rest, ""] if "[DONE]" in rest else lines:
        if line.startswith("data:"):
            data.append(line[5:].removeprefix(" "))
        elif not line and data:
            joined = "\n".join(data)
            data.clear()
            yield joined if joined == "[DONE]" else json.loads(joined)


def _from_stream(events: Iterable[Any]) -> ModelReply | BackendFault:
    """What a stream comes to once it has ended by its own word: a connection that closes is no end."""
    pieces: dict[str, list[str]] = {"content": [], "reasoning_content": [], "reasoning": [], "refusal": []}
    items: list[Any] = []
    finish, usage, is_over = None, None, False
    for said in events:
        if said == "[DONE]":
            is_over = True
            break
        kind = said.get("type", "")
        if said.get("error") or kind == "error":
            return fault_of_error(said.get("error") or said)
        if kind in ("response.completed", "response.incomplete", "response.failed"):
            whole = said["response"]
            return _from_whole({**whole, "output": whole.get("output") or items})
        if kind == "response.output_item.done":
            items.append(said["item"])
        usage = said.get("usage") or usage
        for choice in said.get("choices") or ():
            if choice.get("index", 0) == 0:
                finish = choice.get("finish_reason") or finish
                for name, texts in pieces.items():
                    texts.append(_text((choice.get("delta") or {}).get(name)))
    if not (is_over or finish):
        return BackendFault(FaultKind.NETWORK, "the answer broke off before its end", billed=True)
    message = {name: "".join(texts) for name, texts in pieces.items()}
    return _from_chat({"choices": [{"message": message, "finish_reason": finish}], "usage": usage})


def _text(value: Any) -> str:
    """A text of the answer, which may be absent; some servers give a list of parts."""
    if value is None:
        return ""
    if isinstance(value, list):
        return "".join(_text(part.get("text")) for part in value)
    if not isinstance(value, str):
        raise TypeError("not a text")
    return value


def _thinking_parts(content: Any) -> str:
    """The text of parts of the content that are reasoning, as some servers give it."""
    parts = content if isinstance(content, list) else []
    thoughts = [part.get("thinking") for part in parts]
    return "\n".join(_text(thought) for thought in thoughts if isinstance(thought, (str, list)))


def _count(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 40 else 0
