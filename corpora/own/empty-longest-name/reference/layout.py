"""Two columns of help text."""

import textwrap


def column_width(entries, most=24):
    """How wide the first column is: the longest name and two spaces, bounded."""
    longest = max((len(name) for name, _ in entries), default=0)
    return min(longest + 2, most)


def entry_lines(name, text, indent, width):
    """Lines of one entry; a name that is too long has a line of its own."""
    lines = textwrap.wrap(text, width - indent) or [""]
    if len(name) + 2 > indent:
        return [name, *(" " * indent + line for line in lines)]
    first, *rest = lines
    return [f"{name:<{indent}}{first}".rstrip(), *(" " * indent + line for line in rest)]


def two_columns(entries, width=60):
    """All entries, (name, text) each."""
    entries = list(entries)
    indent = column_width(entries)
    lines = [line for name, text in entries for line in entry_lines(name, text, indent, width)]
    return "\n".join(lines)
