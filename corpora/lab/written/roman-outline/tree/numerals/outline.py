from .letters import to_letters
from .roman import is_roman, to_roman

_STYLES = (
    lambda n: to_roman(n) + ".",
    lambda n: f"{n}.",
    lambda n: to_letters(n) + ")",
)


def number_lines(lines, indent="  "):
    """Number the lines of an outline by their depth: I. / 1. / a)"""
    counters = []
    out = []
    for line in lines:
        depth = 0
        while line.startswith(indent):
            depth += 1
            line = line[len(indent):]
        del counters[depth + 1:]
        while len(counters) <= depth:
            counters.append(0)
        counters[depth] += 1
        mark = _STYLES[depth % len(_STYLES)](counters[depth])
        out.append(f"{indent * depth}{mark} {line}")
    return out


def strip_number(line):
    """Take a leading 'IV.' or '3.' off a line."""
    head, dot, rest = line.partition(".")
    if dot and (head.isdigit() or (head and is_roman(head))):
        return rest.strip()
    return line
