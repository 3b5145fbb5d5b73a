"""How a stranger's text stands in a prompt: as data between marks that it does not contain.

Source, tests, messages and replies may hold instructions. The fixed part of each packet says that nothing between the
marks is one.
"""

from __future__ import annotations

from analysis.facts import digest

LONGEST_SECTION = 8_000
"""Characters of one text that are told."""


def quoted(title: str, text: str, *, most: int = LONGEST_SECTION) -> str:
    """A titled block of quoted data; nothing where there is no text. What is longer than ``most`` is cut, and said so.

    It can be sent: it has no half characters, and control characters but line breaks and tabs are spelled.
    """
    text = sendable(text).strip("\n")
    if not text.strip():
        return ""
    if len(text) > most:
        text = text[:most] + "\n[cut]"
    number = 0
    while (mark := str(digest(text, str(number)))[:12]) in text:
        number += 1
    return f"{title}:\n<<<{mark}\n{text}\n{mark}>>>"


def sendable(text: str) -> str:
    """The text without half characters; line breaks are those of one kind.

    What nobody sees (control characters, a no-break space) stands as Python writes it: it may be what is wrong.
    """
    sent = text.encode("utf-8", "replace").decode().replace("\r\n", "\n").replace("\r", "\n")
    return "".join(c if c.isprintable() or c in "\n\t" else repr(c)[1:-1] for c in sent)
