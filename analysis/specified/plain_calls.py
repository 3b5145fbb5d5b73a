"""Calls in the words of people who write no code: "fee is called with days 3" is the call ``fee(days=3)``.

Only functions of the program are seen, and values that are written out. Where a word stands between them that no
pattern fits, the sentence stays as it is.
"""

from __future__ import annotations

import re

from analysis.specified.asserted import KnownFunction, Named
from analysis.stated.condition import LITERAL, literal_source

_MOST_GIVEN = 12
_CODE = re.compile(r"`[^`]*`")
_BARE = re.compile(r"(?<![\w.`])(?P<name>[A-Za-z_]\w*)\([^()`]*\)")
_CALLED = re.compile(
    r"`?(?P<name>[A-Za-z_]\w*)(?:\(\))?`? (?:is|are|was|gets) (?:called|invoked|run|evaluated|given)(?: with)? "
)
_GIVEN = re.compile(rf"(?:`?(?P<part>[A-Za-z_]\w*)`?(?: ?= ?| of | is | ))?`?(?P<value>{LITERAL}|\[[^\[\]`]*\])`?")
_NEXT = re.compile(r",? and |, ?")
_ENDS = re.compile(r"(?:,? then\b|,|\.?\s*$)")


def with_calls(text: str, named: Named) -> str:
    """The sentence with each such call as code in backticks, and with backticks around calls that have none."""
    text = _outside_of_code(text, named)
    for found in _CALLED.finditer(text):
        function = named.get(found["name"])
        call = _call(text, found.end(), function, found["name"]) if function is not None else None
        if call is not None:
            code, end = call
            return f"{text[: found.start()]}`{code}` is called{text[end:]}"
    return text


def _outside_of_code(text: str, named: Named) -> str:
    """Backticks around ``fee(0)`` where the words outside of code have it."""
    pieces, at = [], 0
    for code in [*_CODE.finditer(text), None]:
        plain = text[at : code.start() if code else len(text)]
        pieces.append(_BARE.sub(lambda call: f"`{call[0]}`" if call["name"] in named else call[0], plain))
        pieces.append(code[0] if code else "")
        at = code.end() if code else at
    return "".join(pieces)


def _call(text: str, at: int, function: KnownFunction, name: str) -> tuple[str, int] | None:
    """The call whose values stand there, and where they end; ``None`` where anything else stands there."""
    taken = function.function.stated.taken.names
    given: list[tuple[str, str]] = []
    end = at
    for _ in range(_MOST_GIVEN):
        found = _GIVEN.match(text, at)
        if found is None or (found["part"] and found["part"] not in taken):
            break
        value = found["value"]
        source = value if value.startswith("[") else literal_source(value)
        given.append((found["part"] or "", source))
        end = found.end()
        following = _NEXT.match(text, end)
        if following is None:
            break
        at = following.end()
    in_order = [bool(part) for part, _ in given] == sorted(bool(part) for part, _ in given)  # those by name are last
    if not given or not in_order or _ENDS.match(text, end) is None:
        return None
    return f"{name}({', '.join(f'{part}={value}' if part else value for part, value in given)})", end
