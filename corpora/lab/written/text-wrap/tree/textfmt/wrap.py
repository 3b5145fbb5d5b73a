"""Breaking text into lines."""
import re


def wrap(text, width):
    """Break `text` into a list of lines of at most `width` characters.

    Runs of white space count as one space, and lines are broken between
    words, each line taking as many words as fit.  A word longer than a line
    starts on a line of its own and is cut every `width` characters; the text
    goes on behind its last piece.  Blank text gives no lines at all.
    """
    if width < 1:
        raise ValueError("width must be at least 1")
    lines = []
    current = ""
    for word in text.split():
        while len(word) > width:
            lines.append(word[:width])
            word = word[width:]
        if not current:
            current = word
        elif len(current) + 1 + len(word) <= width:
            current += " " + word
        else:
            lines.append(current)
            current = word
    if current:
        lines.append(current)
    return lines


def split_paragraphs(text):
    """Paragraphs are separated by one or more blank lines."""
    return [part.strip() for part in re.split(r"\n\s*\n", text) if part.strip()]


def fill(text, width):
    """Wrap each paragraph of `text`; paragraphs stay separated by a blank line."""
    return "\n\n".join("\n".join(wrap(p, width)) for p in split_paragraphs(text))
