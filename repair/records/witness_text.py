"""Behaviours and witnesses as text, for people to read. Nothing is decided by what stands here."""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from difflib import SequenceMatcher

from analysis.behaviour import (
    Behaviour,
    CallResult,
    Difference,
    Ended,
    EndingKind,
    EndOfTest,
    Hung,
    Raised,
    Returned,
    Witness,
)

MOST_SHOWN = 200
"""Characters of a behaviour that are shown."""

MOST_READ = 80
"""Characters of a call, and of what it comes to, that a person reads in a moment."""

_BESIDE_EFFECTS = 80
"""Characters of a result that are shown beside what it leaves."""

MOST_ENDING = 100
"""Characters of a test's line, or of what its exception says, that are shown."""

_IT_AS = "it as "
"""Stands before what a call leaves of an argument or of its instance."""

_LEAD = 60
"""Characters before the first difference of two long texts that are shown."""


def describe_behaviour(behaviour: Behaviour, most: int = MOST_SHOWN) -> str:
    """``returns 5``, ``raises KeyError('a')``, ``does not end within 1 s``, ``ends otherwise: signal 11``."""
    match behaviour:
        case Returned(value):
            return _cut(f"returns {value}", most)
        case Raised(name, message, whole):
            return _cut(f"raises {name}({message}{')' if whole else ''}", most)
        case Hung(seconds):
            return f"does not end within {seconds:g} s"
        case Ended(how):
            return f"ends otherwise: {how}"


def describe_both(difference: Difference) -> tuple[str, str]:
    """What the candidate does and what the other program does, cut so that the texts show where they differ."""
    mine, other = difference.mine, difference.other
    left = tuple(each.left if isinstance(each, Returned | Raised) else "" for each in (mine, other))
    if any(left):
        ours, theirs = _beside(*_only_changed(*left))
        return (
            f"{describe_behaviour(mine, _BESIDE_EFFECTS)}, leaves {ours}",
            f"{describe_behaviour(other, _BESIDE_EFFECTS)}, leaves {theirs}",
        )
    longest = 1 << 30
    return _beside(describe_behaviour(mine, longest), describe_behaviour(other, longest))


def describe_witness(witness: Witness) -> str:
    """A witness as one line."""
    if isinstance(witness, CallResult):
        return f"{witness.call.source} {describe_behaviour(witness.mine)}, as before"
    mine, other = describe_both(witness)
    ends = describe_ends(witness)
    return f"{witness.call.source} {mine}, and {other} otherwise{'; ' if ends else ''}{ends}"


def describe_ends(difference: Difference) -> str:
    """How the test goes on that makes the call; ``""`` where that is not known.

    Examples: ``test_a.py::test_it passes either way``; ``test_a.py::test_it passes, and fails otherwise in line 7:
    assert cart.total() == 3``.
    """
    ends, test = difference.ends, difference.call.test
    if ends is None or test is None:
        return ""
    if ends.are_alike:
        return f"{test} {_ending_in_words(replace(ends.mine, line=0))} either way"
    mine, other = ends.mine, ends.other
    shown = other.source or other.how
    said = f": {_cut(shown, MOST_ENDING)}" if shown else ""
    return f"{test} {_ending_in_words(mine)}, and {_ending_in_words(other)} where the other goes on{said}"


def _ending_in_words(end: EndOfTest) -> str:
    words = {
        EndingKind.PASSED: "passes",
        EndingKind.FAILED: "fails",
        EndingKind.SKIPPED: "is skipped",
        EndingKind.XFAILED: "fails as expected",
        EndingKind.XPASSED: "passes though it should fail",
        EndingKind.HUNG: "does not end",
        EndingKind.ENDED: "ends its process",
    }
    return f"{words[end.kind]}{f' in line {end.line}' if end.line else ''}"


MODELS_FIX = "a model's own fix"
"""What the program of a second opinion is called."""


def ask_which(difference: Difference, name: str = "") -> str:
    """The question which of two ends of a call is meant; ``name`` is that of the other program, where it has one."""
    mine, other = describe_both(difference)
    called = f" ({name})" if name else ""
    return f"Should {difference.call.source} {infinitive_of(mine)} (this patch) or {infinitive_of(other)}{called}?"


def is_readable(difference: Difference) -> bool:
    """Whether a person reads it in five seconds: a short call on values that have a text, and two short ends."""
    source, ends = difference.call.source, describe_both(difference)
    return all(len(text) <= MOST_READ for text in (source, *ends)) and "<" not in source


def is_odd(source: str) -> bool:
    """Whether a call is on values that a caller would hardly write: private keywords, escapes, and huge numbers.

    A negative number in the state of an instance is odd, too. Examples: ``fill('a', _width=80)``, ``trim('\\x00')``,
    ``add(1e+300)``, ``draw() on Table(_width=-80)``; not ``trim('a', width=-80)``, ``draw() on Table(_width=80)``.
    """
    call, _, state = source.partition(" on ")
    return bool(_ODD.search(source) or _PRIVATE.search(call) or _NEGATIVE.search(state))


_ODD = re.compile(r"\\[xuUN0]|\b(?:inf|nan)\b|\d{10}|\de[+-]?\d{2}")
_PRIVATE = re.compile(r"[(,]\s*_\w*\s*=[^=]")
_NEGATIVE = re.compile(r"=\s*-\d")


def infinitive_of(deed: str) -> str:
    """``returns 5, leaves args …`` as ``return 5, leave args …``."""
    for verb in ("returns", "raises"):
        if deed.startswith(f"{verb} "):
            deed = verb[:-1] + deed[len(verb) :]
    return deed.replace(f", leaves {_IT_AS}", f", leave {_IT_AS}").replace(", leaves args (", ", leave args (")


def pick_unlike(departures: tuple[Difference, ...], most: int) -> tuple[Difference, ...]:
    """A few departures that have little in common: the first, the shortest that no test makes, then the least alike."""
    waiting = sorted(
        departures[1:], key=lambda each: (each.call.is_tested, is_odd(each.call.source), len(each.call.source))
    )
    chosen = list(departures[:1])
    while waiting and len(chosen) < most:
        far = {each: min(_distance(each, other) for other in chosen) for each in waiting}
        best = waiting[0] if len(chosen) == 1 else max(waiting, key=far.__getitem__)
        waiting.remove(best)
        if far[best] > 0:
            chosen.append(best)
    return tuple(chosen)


def _distance(one: Difference, other: Difference) -> float:
    """From 0 (the same) to 2: another way to end counts most, then other texts."""
    unlike = float(any(_shape(a) != _shape(b) for a, b in ((one.mine, other.mine), (one.other, other.other))))
    return unlike + 1 - SequenceMatcher(None, _summary(one), _summary(other), autojunk=False).ratio()


def _summary(difference: Difference) -> str:
    mine, other = describe_both(difference)
    return f"{difference.call.source} {other[:80]} {mine[:80]}"


def _shape(behaviour: Behaviour) -> str:
    """What is raised, or the shape of what is returned: letters and digits do not count."""
    if isinstance(behaviour, Raised):
        return behaviour.type
    return re.sub(r"\w+", "w", describe_behaviour(behaviour))[:60]


def _only_changed(mine: str, other: str) -> tuple[str, str]:
    """What two programs leave of the one argument, or of the instance, in which that differs; else of all.

    Example: ``args ([Cart(items=[1]), 2], {})`` beside ``args ([Cart(items=[]), 2], {})`` is ``it as Cart(items=[1])``.
    """
    ours, theirs = _arguments_in(mine), _arguments_in(other)
    differing = [(a, b) for a, b in zip(ours, theirs, strict=False) if a != b]
    if len(ours) != len(theirs) or len(differing) != 1:
        return mine, other
    return f"{_IT_AS}{differing[0][0]}", f"{_IT_AS}{differing[0][1]}"


def _arguments_in(left: str) -> list[str]:
    """The arguments that a text names, each as it stands there; none where it cannot be taken apart."""
    text = left.removeprefix("args ")
    try:
        parsed = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    match parsed:
        case ast.Tuple(elts=[ast.List(elts=positional), ast.Dict(keys=keys, values=named)]) if None not in keys:
            return [ast.get_source_segment(text, each) or "" for each in (*positional, *named)]
    return []


def _beside(mine: str, other: str) -> tuple[str, str]:
    """Pieces of two texts that show where they first differ."""
    same = next((n for n, (a, b) in enumerate(zip(mine, other, strict=False)) if a != b), min(len(mine), len(other)))
    start = same - _LEAD if same > MOST_SHOWN - 50 else 0
    return _piece(mine, start), _piece(other, start)


def _piece(text: str, start: int) -> str:
    return ("…" if start else "") + _cut(text[start:], MOST_SHOWN)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}…"
