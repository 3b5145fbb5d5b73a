"""Formatting for plain text mails."""
from .wrap import split_paragraphs, wrap


def quote(text, width=72, mark="> "):
    """Quote a mail: every line gets `mark` and is at most `width` wide."""
    lines = []
    for number, paragraph in enumerate(split_paragraphs(text)):
        if number:
            lines.append(mark.rstrip())
        lines.extend(mark + line for line in wrap(paragraph, width - len(mark)))
    return "\n".join(lines)


def bullets(items, width=72, bullet="* "):
    """A bullet list; further lines of an item are indented below its text."""
    lines = []
    for item in items:
        lead = bullet
        for line in wrap(item, width - len(bullet)):
            lines.append(lead + line)
            lead = " " * len(bullet)
    return "\n".join(lines)


def signature(name, *extra):
    return "\n".join(["-- ", name, *extra])
