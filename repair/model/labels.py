"""What stands behind the labels of a reply: imports, words, another function."""

from __future__ import annotations

import re

from repair.model.reply import Elsewhere

MOST_WORDS = 30
LONGEST_WORD = 200
LONGEST_REASON = 400

_SPAN = re.compile(r"(`+)(?!`) ?(.+?) ?(?<!`)\1(?!`)")
_IMPORT = re.compile(r"[\s>*`-]*(?:import|from)\s")
_NAMED = re.compile(r"((?:[\w.+-]+/)*[\w.+-]+\.pyi?)::?([^\W\d][\w.<>]*)(?:\(\))?(.*)", re.DOTALL)
_BARE = re.compile(
    r"([^\W\d][\w.<>]*)(?:\(\))?(?:\s+in\s+((?:[\w.+-]+/)*[\w.+-]+\.pyi?))?(\s+because\b.*|\s*)", re.DOTALL
)
_NOWHERE = frozenset(("none", "no", "nothing", "nowhere", "not", "na"))


def is_import(line: str) -> bool:
    """Whether a line of talk is an import statement, as an item of a list or between backquotes, too."""
    return _IMPORT.match(line) is not None


def imports_in(text: str) -> tuple[str, ...]:
    """The import statements: one a line, or several with commas or semicolons between them."""
    plain = text.replace("`", " ")
    parts = re.split(r"[\n;]|,(?=\s*(?:import|from)\s)", plain)
    stripped = (part.strip(" \t>*-,.") for part in parts)
    return tuple(dict.fromkeys(part for part in stripped if part and part.lower() not in _NOWHERE))


def words_in(text: str) -> tuple[str, ...]:
    """The pieces of code between backquotes, or else between commas; the first ones, without repeats."""
    found = [span.group(2) for span in _SPAN.finditer(text)] or re.split(r"[,\n]", text)
    words = (word.strip() for word in found)
    fitting = dict.fromkeys(w for w in words if w and len(w) <= LONGEST_WORD and w.lower() not in _NOWHERE)
    return tuple(fitting)[:MOST_WORDS]


def elsewhere_in(text: str) -> Elsewhere | None:
    """The function that is named: ``path.py:Class.method because …``, or a name alone. Nothing where none is."""
    plain = text.replace("`", "").replace("**", "").strip()
    named = _NAMED.match(plain)
    if named is not None:
        path, qualname, reason = named.groups()
    else:
        bare = _BARE.fullmatch(plain)
        if bare is None or bare.group(1).lower() in _NOWHERE:
            return None
        qualname, path, reason = bare.group(1), bare.group(2) or "", bare.group(3)
    said = re.sub(r"^[\s,:;.(–—-]*(?:because\b)?[\s:,]*", "", reason)
    return Elsewhere(path, qualname.rstrip("."), " ".join(said.split())[:LONGEST_REASON])
