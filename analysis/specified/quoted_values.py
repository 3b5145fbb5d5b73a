"""The value of a fact as somebody reads it, where the words that he quotes say it; in the spelling of the facts."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection, Mapping

from analysis.specified.fact_record import Predicate
from analysis.specified.kinds_text import KNOWN, kinds_text, literals_text
from analysis.stated.citation import uncited
from analysis.stated.condition import KINDS

ReadValue = Callable[[str, str, Collection[str]], str | None]
"""From the value as it was written, the quote, and the names of other functions to the value that is meant."""


def quoted_value(predicate: Predicate, value: str, quote: str, others: Collection[str]) -> str | None:
    """The value, in one spelling; ``None`` where the quote does not say it. ``others`` are functions of the program."""
    return _VALUES[predicate](value, quote, others)


def _literal(written: str) -> object:
    """The value as a literal; raises ``ValueError`` where it is none that can be written again."""
    try:
        found = ast.literal_eval(written.strip())
        ast.literal_eval(repr(found))
    except (SyntaxError, TypeError, RecursionError, MemoryError) as problem:
        raise ValueError(written) from problem
    return found


def _returned(value: str, quote: str, others: Collection[str]) -> str | None:
    try:
        source = repr(_literal(value))
    except ValueError:
        return None
    relation = "" if re.search(r"\b(?:be|costs?)\b", quote, re.IGNORECASE) else "EQUALS"
    return None if uncited(relation, source, quote) else source


def _default(value: str, quote: str, others: Collection[str]) -> str | None:
    return _returned(value, quote, others) if re.search(r"\bdefault|\bleft out\b|\bomitted\b", quote, re.I) else None


def _row(value: str, quote: str, others: Collection[str]) -> str | None:
    """``'a', 'b'``: at least two values, all of them quoted."""
    try:
        values = _literal(value)
    except ValueError:
        return None
    if not isinstance(values, tuple | list) or len(values) < 2:
        return None
    return None if any(uncited("", repr(each), quote) for each in values) else literals_text(values)


def _raised(value: str, quote: str, others: Collection[str]) -> str | None:
    name = value.strip().rpartition(".")[2]
    says = re.search(r"\brais|\bthrow|\bfail|\brefus|\breject|\berror|\bexception", quote, re.IGNORECASE)
    return name if name.isidentifier() and says and not uncited("RAISES", name, quote) else None


def _never(value: str, quote: str, others: Collection[str]) -> str | None:
    if value.strip() == "Exception" and re.search(r"\b(?:never|not) (?:raise|throw|fail)", quote):
        return "Exception"
    return _raised(value, quote, others)


def _kinds(value: str, quote: str, others: Collection[str]) -> str | None:
    """``int | None``: kinds of the language that the quote has words for."""
    asked = {"NoneType" if each.strip() == "None" else each.strip() for each in value.split("|")}
    words = {word.lower() for word in re.findall(r"\w+", quote)}
    known = {kind for word in words for kind in (*KINDS.get(word, ()), word)}
    known |= {"NoneType"} if "none" in words else set()
    return kinds_text(asked) if asked <= KNOWN & known else None


_SIGNS = {
    ">=": r"at least|not (?:be )?negative|non-?negative|minimum|no less|not (?:be )?(?:less|below)|>=|≥|or more|empty",
    "<=": r"at most|maximum|up to|no more|no longer|not (?:be )?(?:more|above|over)|not exceed|<=|≤|or (?:less|fewer)",
    ">": r"(?<!not )(?<!no )(?:greater|more|larger|longer) than|(?<!not )above|positive|exceed|over|>(?!=)",
    "<": r"(?<!not )(?<!no )(?:less|smaller|fewer|shorter) than|(?<!not )below|under|(?<!non-)(?<!not )negative|<(?!=)",
}
"""Words that state each sign of a bound."""


def _bound(value: str, quote: str, others: Collection[str]) -> str | None:
    found = re.fullmatch(r"(>=|<=|>|<) ?(-?\d{1,18}(?:\.\d{1,18})?)", value.strip())
    if found is None or not re.search(_SIGNS[found[1]], quote, re.IGNORECASE):
        return None
    empty = found[0].replace(" ", "") in (">=1", ">0") and re.search(r"\bempty\b", quote, re.IGNORECASE)
    return None if uncited("", found[2], quote) and not empty else f"{found[1]} {found[2]}"


def _required(value: str, quote: str, others: Collection[str]) -> str | None:
    optional = re.search(r"\boptional|\b(?:may|can|need not) be (?:left out|omitted|given)|\bnot required", quote, re.I)
    needed = re.search(r"\brequired|\bmandatory|\b(?:must|shall|has to) be (?:given|passed)", quote, re.I)
    said = "False" if optional else "True" if needed else ""
    return said if said and value.strip() == said else None


def _order(value: str, quote: str, others: Collection[str]) -> str | None:
    order = value.strip()
    relation = {"ascending": "SORTED", "descending": "DESCENDING"}.get(order, "")
    against = uncited("DESCENDING", "", quote) if order == "ascending" else ("",)
    return order if relation and against and not uncited(relation, "", quote) else None


def _idempotent(value: str, quote: str, others: Collection[str]) -> str | None:
    says = re.search(r"\bidempotent\b|\btwice\b|\bagain\b|\balready\b", quote, re.IGNORECASE)
    return "True" if says and value.strip() == "True" else None


def _other(words: str) -> ReadValue:
    """Another function of the program, which the quote names beside these words."""

    def read(value: str, quote: str, others: Collection[str]) -> str | None:
        name = value.strip().removesuffix("()")
        quoted = name.isidentifier() and re.search(rf"(?<![\w]){re.escape(name)}(?!\w)", quote)
        return name if name in others and quoted and re.search(words, quote, re.IGNORECASE) else None

    return read


_VALUES: Mapping[Predicate, ReadValue] = {
    Predicate.RETURNS: _returned,
    Predicate.RAISES: _raised,
    Predicate.NEVER: _never,
    Predicate.TYPE: _kinds,
    Predicate.ENUM: _row,
    Predicate.RANGE: _bound,
    Predicate.LENGTH: _bound,
    Predicate.REQUIRED: _required,
    Predicate.DEFAULT: _default,
    Predicate.ORDER: _order,
    Predicate.IDEMPOTENT: _idempotent,
    Predicate.ROUND_TRIP: _other(r"undo|undone|inverse|revers|back|restor|round"),
    Predicate.EQUALS: _other(r"same|equal|equivalent|identical|alias|like"),
}
"""How the value of each predicate is read; ``None`` where the quote does not say it."""
