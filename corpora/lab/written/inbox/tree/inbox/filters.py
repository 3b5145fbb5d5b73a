"""Filters that label or archive messages."""

from __future__ import annotations

from dataclasses import dataclass

from inbox.message import Message


@dataclass
class Filter:
    """All the given criteria must hold; criteria left empty are ignored."""

    label: str
    sender: str = ""
    subject: str = ""
    unread_only: bool = False

    def matches(self, message: Message) -> bool:
        if self.unread_only and not message.unread:
            return False
        if self.sender and self.sender.lower() not in message.sender.lower():
            return False
        return self.subject.lower() in message.subject.lower()


def apply_filters(messages: list[Message], filters: list[Filter]) -> int:
    """Label the messages; return how many labels were added."""
    added = 0
    for message in messages:
        for rule in filters:
            if rule.matches(message) and rule.label not in message.labels:
                message.labels.add(rule.label)
                added += 1
    return added


def with_label(messages: list[Message], label: str) -> list[Message]:
    return [m for m in messages if label in m.labels]
