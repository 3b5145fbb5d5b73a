"""Filling of paragraphs."""


def wrap(text: str, width: int, indent: str = "", hanging: str = "") -> list[str]:
    """Break ``text`` into lines of at most ``width`` characters.

    The first line starts with ``indent``, every other one with ``hanging``;
    both count towards the width. Runs of blanks become one space. A word
    that is too long gets a line of its own. No words, no lines.
    """
    if width < 1:
        raise ValueError("width must be at least 1")
    lines = []
    line = ""
    prefix = indent
    for word in text.split():
        candidate = f"{line} {word}" if line else word
        if line and len(prefix) + len(candidate) > width:
            lines.append(prefix + line)
            prefix = hanging
            line = word
        else:
            line = candidate
    if line:
        lines.append(prefix + line)
    return lines


def justify(line: str, width: int) -> str:
    """Spread the words over the width, wider gaps on the left."""
    words = line.split()
    if len(words) < 2:
        return line
    gaps = len(words) - 1
    spaces = width - sum(len(w) for w in words)
    if spaces < gaps:
        return line
    small, extra = divmod(spaces, gaps)
    out = words[0]
    for n, word in enumerate(words[1:]):
        out += " " * (small + (n < extra)) + word
    return out
