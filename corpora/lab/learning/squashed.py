"""A function's text without layout, comments and docstrings, so that texts can be compared by their ends."""

from __future__ import annotations

import io
import re
import tokenize
from bisect import bisect_left

from transforms.tree.spans import Span

_DROPPED = str.maketrans("", "", " \t\r\n\f\\(),")
_QUOTES = str.maketrans("'", '"')
_NOTHING = re.compile(r"\breturn None[ \t]*$", re.MULTILINE)
"""It says the same as ``return``."""

_LAYOUT = (tokenize.NEWLINE, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.COMMENT, tokenize.ENCODING)


def squash(text: str) -> str:
    """The characters of a piece of code that count here. Parentheses and commas do not: who finds two texts alike asks
    the parser as well."""
    text = _NOTHING.sub("return", text)
    if "#" not in text:
        return text.translate(_DROPPED).translate(_QUOTES)
    try:
        said = "".join(token for _, token in _telling_tokens(text))
    except (tokenize.TokenError, SyntaxError):
        said = text  # a part of a statement: its comments stay, and it is like nothing
    return said.translate(_DROPPED).translate(_QUOTES)


class Squashed:
    """A whole text squashed, that knows where its characters stood."""

    def __init__(self, source: str) -> None:
        kept: list[str] = []
        self._places: list[int] = []
        for start, text in _telling_tokens(source):
            for offset, character in enumerate(text):
                short = squash(character) if character != "#" else "#"
                if short:
                    kept.append(short)
                    self._places.append(start + offset)
        self.text = "".join(kept)

    def outside(self, span: Span) -> tuple[str, str]:
        """What stands before the span, and what behind it."""
        return self.text[: bisect_left(self._places, span[0])], self.text[bisect_left(self._places, span[1]) :]

    def inside(self, span: Span) -> str:
        """What stands within the span."""
        return self.text[bisect_left(self._places, span[0]) : bisect_left(self._places, span[1])]

    def difference(self, other: str) -> Span:
        """Where in the source the text differs from another squashed one."""
        most = min(len(self.text), len(other))
        start = next((n for n in range(most) if self.text[n] != other[n]), most)
        end = next((n for n in range(most - start) if self.text[-1 - n] != other[-1 - n]), most - start)
        return self._place(start), self._place(len(self.text) - end)

    def _place(self, index: int) -> int:
        if index < len(self._places):
            return self._places[index]
        return self._places[-1] + 1 if self._places else 0


def _telling_tokens(source: str) -> list[tuple[int, str]]:
    """Tokens that say something, with their offsets; a string that is a statement says nothing.

    Raises ``tokenize.TokenError`` or ``SyntaxError`` for what is no program.
    """
    starts = [0]
    for line in source.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    found = []
    for index, token in enumerate(tokens):
        if token.type in _LAYOUT or _says_nothing(tokens, index):
            continue
        found.append((starts[token.start[0] - 1] + token.start[1], token.string))
    return found


def _says_nothing(tokens: list[tokenize.TokenInfo], index: int) -> bool:
    """Whether the token is a string that is a statement, or the ``None`` of a bare return."""
    token = tokens[index]
    if token.type == tokenize.STRING:
        return _is_alone(tokens, index)
    is_returned = token.string == "None" and index > 0 and tokens[index - 1].string == "return"
    return is_returned and tokens[index + 1].type in (tokenize.NEWLINE, tokenize.COMMENT)


def words_of(source: str) -> list[str]:
    """The tokens of a program that say something, docstrings left out.

    Raises ``tokenize.TokenError`` or ``SyntaxError`` for what is no program.
    """
    return [text for _, text in _telling_tokens(source)]


def without_none(text: bytes) -> bytes:
    """The text with every ``return None`` as ``return``."""
    return re.sub(rb"\breturn None[ \t]*$", b"return", text, flags=re.MULTILINE)


def _is_alone(tokens: list[tokenize.TokenInfo], index: int) -> bool:
    before = next((t.type for t in reversed(tokens[:index]) if t.type not in (tokenize.COMMENT, tokenize.NL)), None)
    after = next((t.type for t in tokens[index + 1 :] if t.type != tokenize.COMMENT), None)
    return before in (None, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT) and after == tokenize.NEWLINE
