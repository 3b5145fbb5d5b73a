"""Grouping messages into threads."""

from __future__ import annotations

from dataclasses import dataclass, field

from inbox.message import Message, plain_subject


@dataclass
class Thread:
    root: Message
    messages: list[Message] = field(default_factory=list)

    @property
    def subject(self) -> str:
        return plain_subject(self.root.subject)

    @property
    def last_activity(self) -> int:
        return max(m.sent for m in self.messages)

    @property
    def unread(self) -> int:
        return sum(m.unread for m in self.messages)

    def participants(self) -> list[str]:
        """Senders, each once, in the order of their first message."""
        return list(dict.fromkeys(m.sender for m in self.messages))


def build_threads(messages: list[Message]) -> list[Thread]:
    """Group messages by following their reply_to links up to the first one.

    The server delivers messages in any order. A reply whose parent is not
    in the mailbox starts a thread of its own. Messages of a thread are
    sorted by time; threads with the latest activity come first.
    """
    threads: dict[str, Thread] = {}
    by_id = {message.id: message for message in messages}
    for message in messages:
        root = message
        while root.reply_to in by_id:
            root = by_id[root.reply_to]
        thread = threads.setdefault(root.id, Thread(root))
        thread.messages.append(message)
    for thread in threads.values():
        thread.messages.sort(key=lambda m: m.sent)
    return sorted(threads.values(), key=lambda t: t.last_activity, reverse=True)


def find_thread(threads: list[Thread], message_id: str) -> Thread | None:
    """The thread that holds a message."""
    for thread in threads:
        if any(m.id == message_id for m in thread.messages):
            return thread
    return None
