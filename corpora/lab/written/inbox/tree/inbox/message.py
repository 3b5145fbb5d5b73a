"""Messages as they come from the server."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_PREFIX = re.compile(r"^\s*(re|fwd?|aw)\s*:\s*", re.IGNORECASE)


@dataclass
class Message:
    id: str
    sender: str
    subject: str
    sent: int  # seconds since the epoch
    reply_to: str | None = None
    unread: bool = True
    labels: set[str] = field(default_factory=set)


def plain_subject(subject: str) -> str:
    """Subject without any Re: and Fwd: in front."""
    while True:
        shorter = _PREFIX.sub("", subject, count=1)
        if shorter == subject:
            return subject.strip()
        subject = shorter
