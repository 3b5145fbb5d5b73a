"""Words that say when something holds, as a condition on arguments: "if n is negative", "for an empty list".

Each pattern has to fit a whole phrase. A phrase that none fits is ``Undecided``, and so is a phrase that could be read
in two ways.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from analysis.stated.fact import (
    AllOf,
    AnyOf,
    Argument,
    Certainty,
    Compares,
    Condition,
    Fixed,
    IsEmpty,
    IsKind,
    Negated,
    Operand,
    Undecided,
)


@dataclass(frozen=True, slots=True)
class Taken:
    """What a function takes: ``names`` without the instance or class, ``sole`` where the caller gives one thing alone.

    ``defaults`` are those that are literals, as source.
    """

    names: tuple[str, ...] = ()
    sole: str = ""
    defaults: tuple[tuple[str, str], ...] = ()
    on_instance: bool = False
    """Whether it is a method: "the list" may be the instance then."""

    def default(self, name: str) -> str | None:
        """The default of a parameter, where it is a literal."""
        return dict(self.defaults).get(name)


KINDS: Mapping[str, tuple[str, ...]] = {
    "list": ("list",),
    "lists": ("list",),
    "string": ("str",),
    "strings": ("str",),
    "str": ("str",),
    "text": ("str",),
    "bytes": ("bytes",),
    "tuple": ("tuple",),
    "tuples": ("tuple",),
    "dict": ("dict",),
    "dictionary": ("dict",),
    "dictionaries": ("dict",),
    "mapping": ("dict",),
    "set": ("set", "frozenset"),
    "sets": ("set", "frozenset"),
    "int": ("int",),
    "integer": ("int",),
    "float": ("float",),
    "number": ("int", "float"),
    "bool": ("bool",),
    "boolean": ("bool",),
}
"""Kinds by the words for them."""

_CONTAINERS = ("list", "lists", "string", "strings", "str", "text", "tuple", "tuples", "dict", "dictionary", "mapping")
_ANY = ("input", "inputs", "sequence", "sequences", "iterable", "iterables", "collection", "collections", "argument")
_EMPTYABLE = (*_CONTAINERS, "set", "sets", "bytes", *_ANY)
NUMBER_WORDS = {"zero": "0", "one": "1", "two": "2", "three": "3"}
LITERAL = (
    r"(?:None|True|False|-?(?:0|[1-9][0-9]{0,18})(?:\.[0-9]+)?|zero|one|two|three|"
    r"'(?!None'|True'|False')[^'\\]*'|\"[^\"\\]*\"|\[\]|\(\)|\{\})"
)
"""A value that is written out, as Python reads it too: ``007`` is none, and neither is text with a backslash."""

_SIGN_WORDS = {
    "<": "<",
    "<=": "<=",
    ">": ">",
    ">=": ">=",
    "≤": "<=",
    "≥": ">=",
    "is less than": "<",
    "is smaller than": "<",
    "is lower than": "<",
    "is below": "<",
    "is less than or equal to": "<=",
    "is at most": "<=",
    "is greater than": ">",
    "is larger than": ">",
    "is more than": ">",
    "is bigger than": ">",
    "is above": ">",
    "exceeds": ">",
    "is greater than or equal to": ">=",
    "is at least": ">=",
}
_ADJECTIVES: Mapping[str, tuple[str, bool]] = {
    "negative": ("<", True),
    "positive": (">", True),
    "zero": ("==", True),
    "non-negative": ("<", False),
    "not negative": ("<", False),
    "nonnegative": ("<", False),
    "non-positive": (">", False),
    "not positive": (">", False),
    "nonzero": ("==", False),
    "non-zero": ("==", False),
    "not zero": ("==", False),
}
_THE = r"(?P<the>[Tt]he (?:given |passed )?)?"
_KIND = "|".join(sorted(KINDS, key=len, reverse=True))
_EMPTY = "|".join(sorted(_EMPTYABLE, key=len, reverse=True))
_NUMBERS = r"(?:numbers?|values?|integers?|inputs?|arguments?|ints?|floats?)"
_HAS_VERB = re.compile(r" (?:is|are|has|have|does|was|contains|exceeds|equals)\b|[<>=]")

Read = tuple[Condition, Certainty] | None


def read_condition(phrase: str, taken: Taken) -> tuple[Condition, Certainty]:
    """The condition that the phrase states of the function's arguments."""
    text = " ".join(phrase.split()).strip(" ,.:")
    found = _read_joined(text, taken)
    return found if found is not None else (Undecided(text), Certainty.LIKELY)


def literal_source(word: str) -> str:
    """A value that is written out, as Python source: ``zero`` is ``0``."""
    return repr(ast.literal_eval(NUMBER_WORDS.get(word, word)))


def _read_joined(text: str, taken: Taken) -> Read:
    whole = _read_single(text, taken)
    if whole is not None:
        return whole
    has = [word for word in (" or ", " and ") if word in text]
    if len(has) != 1 or "," in text or "either" in text or "both" in text:
        return None
    pieces = text.split(has[0])
    further = (_read_single(piece, taken) or _read_with_subject(pieces[0], piece, taken) for piece in pieces[1:])
    found = [_read_single(pieces[0], taken), *further]
    if all(each is None for each in found):
        return None
    unread = [piece for piece, each in zip(pieces, found, strict=True) if each is None]
    if any(not _HAS_VERB.search(piece) for piece in unread):
        return None  # "n is zero or less": the rest belongs to what stands before it
    read = [each or (Undecided(piece), Certainty.CERTAIN) for piece, each in zip(pieces, found, strict=True)]
    sure = all(certainty is Certainty.CERTAIN for _, certainty in read)
    parts = tuple(condition for condition, _ in read)
    joined = AnyOf(parts) if has[0] == " or " else AllOf(parts)
    return joined, Certainty.CERTAIN if sure else Certainty.LIKELY


def _read_with_subject(first: str, piece: str, taken: Taken) -> Read:
    """``None or empty`` behind "text is": the subject is said once. A negation before it is read in two ways."""
    subject, verb, rest = first.partition(" is ")
    if not verb or rest.startswith(("not ", "non")) or _HAS_VERB.search(f" {piece}"):
        return None
    return _read_single(f"{subject} is {piece}", taken)


def _read_single(text: str, taken: Taken) -> Read:
    for read in (_read_named, _read_of_the_sole_thing):
        found = read(text, taken)
        if found is not None:
            return found
    return None


_SUBJECT = re.compile(
    rf"{_THE}(?:(?:parameter|argument) )?(?P<name>[A-Za-z_]\w*)(?P<kind> argument| parameter)? (?P<rest>.+)"
)
_ATTRIBUTE = re.compile(rf"{_THE}(?:an? )?(?P<rest>[a-z-]+) (?P<name>[A-Za-z_]\w*)")


def _read_named(text: str, taken: Taken) -> Read:
    """A phrase that names a parameter."""
    before = _ATTRIBUTE.fullmatch(text)
    if before and before.group("name") in taken.names and before.group("rest") in (*_ADJECTIVES, "empty"):
        condition = _read_predicate(f"is {before.group('rest')}", before.group("name"), taken)
        return (condition, Certainty.CERTAIN) if condition is not None else None
    match = _SUBJECT.fullmatch(text)
    if not match or match.group("name") not in taken.names:
        return None
    condition = _read_predicate(match.group("rest"), match.group("name"), taken)
    if condition is None:
        return None
    plain = not match.group("the") or bool(match.group("kind"))
    return condition, Certainty.CERTAIN if plain else Certainty.LIKELY


def _read_predicate(rest: str, name: str, taken: Taken) -> Condition | None:
    for pattern, make in _PREDICATES:
        match = re.fullmatch(pattern, rest)
        if match:
            return make(match, name, taken)
    return None


def _operand(word: str, taken: Taken) -> Operand | None:
    if word in taken.names:
        return Argument(word)
    return Fixed(literal_source(word)) if re.fullmatch(LITERAL, word) else None


def _not(condition: Condition, *, negated: object) -> Condition:
    return Negated(condition) if negated else condition


def _make_equal(match: re.Match[str], name: str, taken: Taken) -> Condition | None:
    source = literal_source(match.group("value"))
    sign = "is" if source in ("None", "True", "False") else "=="
    return _not(Compares(Argument(name), sign, Fixed(source)), negated=match.group("no"))


def _make_compared(match: re.Match[str], name: str, taken: Taken) -> Condition | None:
    other = _operand(match.group("value"), taken)
    return Compares(Argument(name), _SIGN_WORDS[match.group("sign")], other) if other is not None else None


def _make_adjective(match: re.Match[str], name: str, taken: Taken) -> Condition | None:
    sign, holds = _ADJECTIVES[match.group("what")]
    return _not(Compares(Argument(name), sign, Fixed("0")), negated=not holds)


def _make_empty(match: re.Match[str], name: str, taken: Taken) -> Condition | None:
    kinds = KINDS.get(match.group("kind") or "", ())
    return _not(IsEmpty(name, kinds), negated=match.group("no"))


def _make_kind(match: re.Match[str], name: str, taken: Taken) -> Condition | None:
    kinds = [kind for word in re.split(r" or (?:an? )?", match.group("kinds")) for kind in KINDS[word]]
    return _not(IsKind(name, tuple(dict.fromkeys(kinds))), negated=match.group("no"))


def _make_given(match: re.Match[str], name: str, taken: Taken) -> Condition | None:
    if taken.default(name) != "None":
        return None
    return _not(Compares(Argument(name), "is", Fixed("None")), negated=not match.group("no"))


def _make_member(match: re.Match[str], name: str, taken: Taken) -> Condition | None:
    other = match.group("other")
    return (
        _not(Compares(Argument(name), "in", Argument(other)), negated=match.group("no"))
        if (other in taken.names)
        else None
    )


_SIGN = "|".join(map(re.escape, sorted(_SIGN_WORDS, key=len, reverse=True)))
_ADJECTIVE = "|".join(sorted(_ADJECTIVES, key=len, reverse=True))
_PREDICATES: tuple[tuple[str, Callable[[re.Match[str], str, Taken], Condition | None]], ...] = (
    (rf"(?:is|equals|==|=|is equal to) (?P<no>not )?(?P<value>{LITERAL})", _make_equal),
    (rf"(?P<no>!=|is not equal to) (?P<value>{LITERAL})", _make_equal),
    (rf"(?P<sign>{_SIGN}) (?P<value>\S+)", _make_compared),
    (rf"is (?P<what>{_ADJECTIVE})", _make_adjective),
    (rf"is (?P<no>not )?(?:an? |the )?empty(?: (?P<kind>{_EMPTY}))?", _make_empty),
    (rf"is(?P<no> not|n't)? an? (?P<kinds>(?:{_KIND})(?: or (?:an? )?(?:{_KIND}))*)", _make_kind),
    (r"(?:is|was)(?P<no> not|n't)? (?:given|provided|specified|passed|supplied)", _make_given),
    (r"(?:is|was)(?P<no>) (?:omitted)", lambda m, name, taken: _make_omitted(name, taken)),
    (r"is(?P<no> not|n't)? (?:found |present )?in (?P<other>\w+)", _make_member),
)


def _make_omitted(name: str, taken: Taken) -> Condition | None:
    return Compares(Argument(name), "is", Fixed("None")) if taken.default(name) == "None" else None


def _read_of_the_sole_thing(text: str, taken: Taken) -> Read:
    """A phrase about "an empty list", or "a negative number", where a caller gives one thing alone."""
    if not taken.sole:
        return None
    empty = re.fullmatch(rf"(?:an? |the )?empty (?P<kind>{_EMPTY})", text)
    if not empty and not taken.on_instance:
        empty = re.fullmatch(rf"[Tt]he (?:given |input )?(?P<kind>{_EMPTY}) is empty", text)
    number = re.fullmatch(rf"(?:an? |the )?(?P<what>negative|positive|non-negative|non-positive) {_NUMBERS}", text)
    value = re.fullmatch(rf"(?:the )?(?P<value>{LITERAL}|empty string)", text)
    condition: Condition | None = None
    if empty:
        condition = IsEmpty(taken.sole, KINDS.get(empty.group("kind"), ()))
    elif number:
        sign, holds = _ADJECTIVES[number.group("what")]
        condition = _not(Compares(Argument(taken.sole), sign, Fixed("0")), negated=not holds)
    elif value:
        said = value.group("value")
        source = "''" if said == "empty string" else literal_source(said)
        sign = "is" if source in ("None", "True", "False") else "=="
        condition = Compares(Argument(taken.sole), sign, Fixed(source))
    return (condition, Certainty.LIKELY) if condition is not None else None
