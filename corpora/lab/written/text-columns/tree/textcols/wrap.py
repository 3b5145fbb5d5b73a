from __future__ import annotations


def wrap(text: str, width: int) -> list[str]:
    """Greedy word wrap; a word longer than the width stands alone."""
    lines: list[str] = []
    current = ""
    for word in text.split():
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


def shorten(text: str, width: int) -> str:
    """Cut to the width, the last three characters being dots if cut."""
    if len(text) <= width:
        return text
    if width <= 3:
        return "." * width
    return text[: width - 3] + "..."
