"""What is asked of an endpoint in one try, and what may come of it: a reply, or a fault that says whether to wait.

A try answers with a value. Whether to ask again is for ``repair/model/asking.py`` to say, by the kind of the fault.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from repair.model.reply import ModelReply


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of the conversation."""

    role: Literal["system", "user", "assistant"]
    text: str


@dataclass(frozen=True, slots=True)
class ReplyForm:
    """A JSON Schema that the reply is to follow, in the strict form that endpoints want."""

    name: str
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One question to a model.

    - ``temperature`` and ``seed`` are the endpoint's own where they are ``None``.
    - ``form`` is the schema of the reply; without one it is plain text.
    - ``prompt`` is the digest of the files that the messages were made from.
    - ``bug`` names what is mended: requests are counted for each.
    - ``model`` names the one that is asked, where there are several.
    - ``purpose`` tells a reader what is asked, and a replay which recorded reply belongs here.
    """

    messages: tuple[Message, ...]
    temperature: float | None = None
    seed: int | None = None
    form: ReplyForm | None = None
    prompt: str = ""
    bug: str = ""
    purpose: str = ""
    model: str = ""


class FaultKind(enum.Enum):
    """Why a try gave no reply, how many tries such a fault allows in all, and what a user may do."""

    AUTHENTICATION = "authentication", 1, "Set REPAIR_API_KEY (or OPENAI_API_KEY) to a key that this endpoint accepts."
    NOT_FOUND = "not found", 1, "Check --model and --base-url."
    REQUEST = "request", 1, "Check --model; the endpoint does not accept this request."
    REDIRECT = "redirect", 1, "Name that endpoint yourself with --base-url, if it may see the code."
    QUOTA = "quota", 1, "The account's quota is spent; use another key or --proposer search."
    RATE = "rate", 4, "Wait, or use --proposer search."
    SERVER = "server", 4, "Try again later, or use --proposer search."
    NETWORK = "network", 4, "Check the network and --base-url, or use --proposer search."
    TIMEOUT = "timeout", 4, "Raise --request-seconds and --max-seconds, or choose a faster model."
    REPLY = "reply", 2, "Check that --base-url names an OpenAI-compatible endpoint."

    RECORD = "not recorded", 1, "Only what was asked then can be replayed."

    def __init__(self, label: str, tries: int, remedy: str) -> None:
        self.label, self.tries, self.remedy = label, tries, remedy


@dataclass(frozen=True, slots=True)
class BackendFault:
    """One failed try.

    ``detail`` is bounded and free of secrets, ``retry_after`` (seconds) is the server's wish. ``billed`` says that the
    model may have worked for it, and that somebody pays.
    """

    kind: FaultKind
    detail: str
    retry_after: float | None = None
    billed: bool = False


class Backend(Protocol):
    """One endpoint with one model. It may be asked from several threads at once."""

    def complete(self, request: ModelRequest, *, seconds: float, most_tokens: int) -> ModelReply | BackendFault:
        """One try, ended by the time given. Raises nothing that has to do with the endpoint."""
        ...
