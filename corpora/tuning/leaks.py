"""What a prompt would give away of the tasks: the whole text as an edit would leave it, beside the first prompt.

Not the edit alone is judged, since two harmless edits may give away together what neither does.
"""

from __future__ import annotations

import builtins
import functools
import itertools
import keyword
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from corpora.json_lines import JsonRecord
from corpora.tuning.prompt_text import sentences

TASKS_SCHEMA = "repair.tune-tasks/1"
GRAM = 5
PIECE, PASSAGE = 3, 12
"""Two pieces of three words give a passage of twelve away, where each has a word that says something."""
COMMON = 3
"""A plain word that so many projects use is anybody's, and gives none of them away. So is a name that so many want."""
LEAST_NAME, LEAST_SHORT = 4, 2
LEAST_SPOKEN, LEAST_JOINED = 6, 4
"""Letters of a name that is said as several words, and of one that is put together from parts."""
MOST_FRAGMENTS = 12

_PLAIN = """
a about above add after all also am an and any are as ask at bad be been before below big bit box but buy by can
cut day did do does each end even every far few fit fix for from get give good got had has have her here him his
hit hot how if in into is it its just keep key lay led less let like log look lot low make many map may men met
mix more most much must near new no nor not now odd of off old on once one only or other our out over own pay per
put ran raw red row run said same sat saw say see set should sit six so some such tag take ten than that the their
them then there these they this those tie to too top try two under up us use used via was way we web well were
what when where which while who why will win with yes yet you your
"""
PLAIN = frozenset(_PLAIN.split())
"""Words of everyday English, which are nobody's name and say nothing of a passage."""
PUBLIC = frozenset("".join(c for c in word.casefold() if c.isalnum()) for word in (*dir(builtins), *keyword.kwlist))
"""Names that Python itself has."""

_WORD = re.compile(r"[^\W_]+")
_NAME = re.compile(r"[^\W\d]\w*(?:[.-]\w+)*")
_CODE = re.compile(r"[_.\d-]|[a-z][A-Z]")
_MADE = re.compile(r"\b(?:def|class)\s+(\w+)")
_DEFINED = re.compile(r"\b(?:def|class|import|from)\s+([\w.]+)|\b(\w+)\s*(?:\(|=(?!=))")
_CALLED = re.compile(r"\b(\w+)\s*\(")
_LITERAL = re.compile(r"\"([^\"\n]{2,80})\"|'([^'\n]{2,80})'|`([^`\n]{2,80})`|(?<![\w.])(\d[\d_.]+)(?!\w)")
_FRAGMENT = re.compile(r"[\"'`]([\w.-]+)[\"'`]|(?<!\w)(\d+)(?!\w)|(?<![\w-])(\w+[_-])(?![\w-])|(?<![\w-])([_-]\w+)")


@dataclass(frozen=True, slots=True)
class TaskText(JsonRecord):
    """What edits must not give away of the tasks.

    - ``passages`` are the words of each project in their order; runs of them are told again.
    - ``names`` are what they define, call and assign; ``short`` ones have two or three letters.
    - ``compound`` ones are written as code is, such as ``unit_price``, or are required: they may not be said in several
      words either.
    - ``literals`` are values.
    """

    called = "the text of the tasks"
    schema: str
    passages: tuple[str, ...]
    names: tuple[str, ...]
    short: tuple[str, ...]
    compound: tuple[str, ...]
    literals: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Passages:
    """The runs of words of all tasks; pieces with the places where they stand."""

    grams: frozenset[str]
    places: Mapping[str, Sequence[int]]


def read_tasks(texts: Iterable[str], names: Iterable[str] = ()) -> TaskText:
    """The words of all tasks, a text for each project.

    ``names`` are further ones that nobody may say, such as functions that are required, once for each project.
    """
    uses: Counter[str] = Counter()
    passages: list[str] = []
    known, compound, literals, short = set[str](), set[str](), set[str](), set[str]()
    for text in texts:
        passages.append(" ".join(_words(text)))
        uses.update({word for word in _words(text) if word.isalpha()})
        codes = [word for word in _NAME.findall(text) if _CODE.search(word.strip(".-"))]
        parts = [part for word in codes for part in word.split(".") if _CODE.search(part)]
        compound.update(_plain(word) for word in (*codes, *parts))
        known.update(_plain(part) for found in _DEFINED.findall(text) for word in found for part in word.split("."))
        short.update(_plain(word) for word in (*_MADE.findall(text), *_CALLED.findall(text)))
        literals.update(_literals(text))
    common = {word for word, count in uses.items() if count >= COMMON} | PUBLIC
    wanted = Counter(_plain(name) for name in names)
    asked = {name for name, count in wanted.items() if count < COMMON}
    told = ((known | compound) - common) | asked
    return TaskText(
        TASKS_SCHEMA,
        tuple(passages),
        tuple(sorted(word for word in told if len(word) >= LEAST_NAME)),
        tuple(sorted(word for word in ((short - common) | asked) - PLAIN if LEAST_SHORT <= len(word) < LEAST_NAME)),
        tuple(sorted(word for word in (compound - common) | asked if len(word) >= LEAST_SPOKEN)),
        tuple(sorted(literals - common)),
    )


def find_leak(after: str, tasks: TaskText, first: str) -> str:
    """What the prompt ``after`` an edit gives away of a task, as a clause; empty where that is nothing.

    What stands in the ``first`` prompt is no secret.
    """
    public = {_key(one.text) for one in sentences(first)}
    texts = [one.text for one in sentences(after)] or [after]
    added = {text for text in texts if _key(text) not in public}
    if not added:
        return ""
    new = _added_runs(_WORD.findall(after), _WORD.findall(first))
    seams = list(_seams([*texts, *new], {*added, *new}))
    return (
        _shared_words(after, seams, tasks, first)
        or _shared_names(after, tasks, first)
        or _shared_values(after, seams, tasks, first)
        or _joined_parts(texts, added, tasks, first)
    )


def _added_runs(after: Sequence[str], first: Sequence[str]) -> list[str]:
    """The runs of words that are new. An insertion without a full stop is no sentence of its own."""
    changes = SequenceMatcher(None, first, after, autojunk=False).get_opcodes()
    return [" ".join(after[start:end]) for kind, _, _, start, end in changes if kind != "equal" and start < end]


def _seams(texts: Sequence[str], added: set[str]) -> Iterator[str]:
    """The end of each text with the beginning of each other, where an edit has added one of them."""
    for one, other in itertools.permutations(dict.fromkeys(texts), 2):
        if one in added or other in added:
            yield " ".join([*_WORD.findall(one)[1 - GRAM :], *_WORD.findall(other)[: GRAM - 1]])


def _shared_words(after: str, seams: Sequence[str], tasks: TaskText, first: str) -> str:
    known = _passages(tasks)
    spoken = set(_grams(after, GRAM)).union(*(_grams(seam, GRAM) for seam in seams))
    if shared := sorted((spoken & known.grams) - set(_grams(first, GRAM))):
        return f"it repeats words of a task: {shared[0]!r}"
    places = sorted(
        (place, piece)
        for piece in set(_grams(after, PIECE)) - set(_grams(first, PIECE))
        for place in known.places.get(piece, ())
    )
    for number, (place, piece) in enumerate(places):
        for following, second in places[number + 1 : number + PASSAGE]:
            if piece != second and PIECE - 1 <= following - place <= PASSAGE - PIECE:
                return f"it repeats a passage of a task in pieces: {piece!r}, {second!r}"
    return ""


def _shared_names(after: str, tasks: TaskText, first: str) -> str:
    said, public = _said(after), _said(first)
    if shared := sorted((said & {*tasks.names, *tasks.short}) - public):
        return f"it names what a task names: {shared[0]!r}"
    compound = set(tasks.compound)
    if shared := sorted(_runs(_WORD.findall(after), compound) - _runs(_WORD.findall(first), compound)):
        return f"it says in several words what a task names: {shared[0]!r}"
    return ""


def _shared_values(after: str, seams: Sequence[str], tasks: TaskText, first: str) -> str:
    spoken, known = [_plain(text) for text in (after, *seams)], _plain(first)
    values = ((word, _plain(word)) for word in tasks.literals)
    told = {
        word
        for word, plain in values
        if len(plain) >= LEAST_SPOKEN and plain not in known and any(plain in text for text in spoken)
    }
    if shared := sorted(told | ((_literals(after) & set(tasks.literals)) - _literals(first))):
        return f"it has a value of a task: {shared[0]!r}"
    return ""


def _joined_parts(texts: Sequence[str], added: set[str], tasks: TaskText, first: str) -> str:
    """Names and values that quoted words, numbers and words with an open end make up together."""
    parts = [(_plain("".join(found)), text in added) for text in texts for found in _FRAGMENT.findall(text)]
    secret = {*tasks.names, *(_plain(word) for word in tasks.literals)} - _said(first)
    chosen = [part for part in parts if part[0]][-MOST_FRAGMENTS:]
    for count in (2, 3):
        for found in itertools.permutations(chosen, count):
            word = "".join(text for text, _ in found)
            if len(word) >= LEAST_JOINED and word in secret and any(own for _, own in found):
                return f"its parts make up what a task names: {word!r}"
    return ""


@functools.cache
def _passages(tasks: TaskText) -> _Passages:
    grams = set[str]()
    places: dict[str, list[int]] = defaultdict(list)
    projects: Counter[str] = Counter()
    start = 0
    for passage in tasks.passages:
        words = passage.split()
        grams.update(_grams(passage, GRAM))
        pieces = [(start + n, piece) for n, piece in enumerate(_grams(passage, PIECE)) if _says_something(piece)]
        projects.update({piece for _, piece in pieces})
        for place, piece in pieces:
            places[piece].append(place)
        start += len(words) + PASSAGE
    return _Passages(frozenset(grams), {word: found for word, found in places.items() if projects[word] < COMMON})


def _says_something(piece: str) -> bool:
    """Whether a word of it is neither everyday English nor short. *so that it* says nothing, *which line was* does."""
    return any(len(word) >= 3 and word not in PLAIN for word in piece.split())


def _runs(words: Sequence[str], known: set[str]) -> set[str]:
    """Two words or more in a row that are one of the known names when they are written together."""
    plain, longest = [word.casefold() for word in words], max(map(len, known), default=0)
    found = set[str]()
    for start in range(len(plain)):
        run = plain[start]
        for end in range(start + 1, len(plain)):
            run += plain[end]
            if len(run) > longest:
                break
            if run in known:
                found.add(" ".join(plain[start : end + 1]))
    return found


def _said(text: str) -> set[str]:
    return {_plain(word) for word in [*_NAME.findall(text), *_WORD.findall(text)]}


def _key(text: str) -> str:
    return " ".join(_words(text))


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _plain(word: str) -> str:
    return "".join(c for c in word.casefold() if c.isalnum())


def _grams(text: str, size: int) -> list[str]:
    words = _words(text)
    return [" ".join(words[n : n + size]) for n in range(len(words) - size + 1)]


def _literals(text: str) -> frozenset[str]:
    found = ("".join(groups).strip().casefold().strip(".") for groups in _LITERAL.findall(text))
    return frozenset(word for word in found if len(word) >= 2)
