"""Whether a sentence says what a test claims: every value, name and relation of the claim stands in it.

What a call is given is chosen by whoever writes the test, and is no claim. What the call should give is one.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

_RELATIONS = {
    "EQUALS": r">>>|\breturn|\bgiv|\byield|\bis\b|\bequal|\bresult|\bbecome|\bthen\b|->|=>|→|=|:",
    "SORTED": r"\bsort|\border|\bascend|\bincreas",
    "DESCENDING": r"\bdescend|\bdecreas|\brevers|\blargest first|\bhighest first",
    "AT_LEAST": r"\bat least\b|\bnever (?:negative|less|below)|\bnon-?negative|\bnot negative|\bminimum|>=|≥",
    "AT_MOST": r"\bat most\b|\bmaximum|\bup to\b|\bno more than\b|\bnever (?:more|above)|<=|≤",
    "IS_KIND": r"->|\breturn|\btype\b|:",
}
"""Words that state a relation, by the name of the relation."""
_RELATIONS["COUNT_AT_LEAST"], _RELATIONS["COUNT_AT_MOST"] = _RELATIONS["AT_LEAST"], _RELATIONS["AT_MOST"]

_NUMBERS = {0: r"\bzero\b|\bnegative\b|\bpositive\b", 1: r"\bone\b", 2: r"\btwo\b", 3: r"\bthree\b"}
_EMPTY = {"[]": "list", "()": "tuple", "{}": "dict|dictionary|mapping", "''": "string|str|text", "b''": "bytes"}


def uncited(relation: str, value: str, quote: str) -> tuple[str, ...]:
    """The parts of a claim that the quote does not say; ``relation`` is one of the names above, or ``RAISES``.

    Examples: "Returns 0 for an empty list" says all of ``EQUALS 0``, and nothing of ``EQUALS 1``.
    """
    said = _RELATIONS.get(relation, "")
    missing = [] if not said or re.search(said, quote, re.IGNORECASE) else [relation.lower().replace("_", " ")]
    return (*missing, *(part for part in _parts(value) if not _says(part, quote)))


def _parts(value: str) -> Iterator[str]:
    """The literals and names of a value, as source, an empty collection as one."""
    try:
        waiting: list[ast.AST] = [ast.parse(value or "None", mode="eval").body] if value else []
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        yield value
        return
    while waiting:
        node = waiting.pop()
        match node:
            case ast.Constant() | ast.UnaryOp(operand=ast.Constant()):
                yield ast.unparse(node)
            case ast.List(elts=[]) | ast.Tuple(elts=[]) | ast.Dict(keys=[]):
                yield ast.unparse(node)
            case ast.Attribute(attr=name) | ast.Name(id=name):
                yield name
            case ast.Call(func=ast.Name(id="type"), args=[ast.Constant(value=None)]):
                yield "None"
            case _:
                waiting.extend(reversed(list(ast.iter_child_nodes(node))))


def _says(part: str, quote: str) -> bool:
    if part in _EMPTY and re.search(rf"\bempty (?:{_EMPTY[part]})s?\b", quote, re.IGNORECASE):
        return True
    if part == "None" and re.search(r"\b(?:nothing|nonetype)\b", quote, re.IGNORECASE):
        return True
    if part in ("True", "False"):
        return re.search(rf"\b{part}\b", quote, re.IGNORECASE) is not None
    if re.fullmatch(r"-?\d+", part) and (words := _NUMBERS.get(int(part))) and re.search(words, quote, re.IGNORECASE):
        return True
    if re.fullmatch(r"-?[\w.]+", part):
        return re.search(rf"(?<![\w.-]){re.escape(part)}(?![\w])(?!\.\d)", quote) is not None
    try:
        held = ast.literal_eval(part)
    except (ValueError, SyntaxError):
        return part in quote
    other = part.replace("'", '"')  # the same literal, as others spell it
    return part in quote or other in quote or (isinstance(held, str) and bool(held) and held in quote)
