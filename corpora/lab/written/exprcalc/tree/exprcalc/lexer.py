import re
from typing import Iterator, NamedTuple


class Token(NamedTuple):
    kind: str
    text: str
    pos: int


class ExprError(ValueError):
    """Anything wrong with the text of an expression."""


_PATTERN = re.compile(
    r"(?P<num>\d+(?:\.\d+)?)|(?P<name>[A-Za-z_]\w*)|(?P<op>[-+*/%^(),])|(?P<ws>\s+)"
)


def tokens(text: str) -> Iterator[Token]:
    pos = 0
    while pos < len(text):
        m = _PATTERN.match(text, pos)
        if m is None:
            raise ExprError(f"unexpected character {text[pos]!r} at {pos}")
        if m.lastgroup != "ws":
            yield Token(m.lastgroup, m.group(), pos)
        pos = m.end()
    yield Token("end", "", pos)
