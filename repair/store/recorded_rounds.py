"""The rounds of a run: each text that somebody made of a function, what came of it, and how two of them differ.

A round is one distinct text. Rounds are counted from 1 in the order in which they were first told of; 0 is the program
before. They are read from the events of the run, which somebody else may have written where the run is foreign.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from analysis.errors import UsageError
from repair.store.stored_run import StoredRun
from transforms.patch.diff import unified_diff

MADE = ("near", "attempt", "found", "patch")
"""Events that tell of a text that somebody made."""

LEAST_DIGITS = 4
"""So many digits of a digest are enough, if only one begins with them."""

LONGEST_NUMBER = 8
"""A word with so many digits is the start of a digest, and no number of a round."""

MOST_SECONDS = 1e9
"""An event that says it happened later than that was not written by us."""


@dataclass(frozen=True, slots=True)
class RecordedRound:
    """One text that was made of a function.

    - ``made_by`` is who: search, model, agent, foreign (a person, or anybody else), or several with ``+``.
    - ``how`` is the operator, or the kind of edit.
    - ``state`` is what came of it last: near, failed, refused, repeated, passed, a verdict, or why a reply was no use.
    - ``left`` of ``failing`` tests are left failing with it; ``None`` where that is not known.
    - ``sha256`` is the text, and ``base`` the function before; empty where they are not kept: ``unkept`` says why.
    - ``request`` is the number of the question to a model that it answers, 0 without one. ``at`` is when, in seconds.
    """

    number: int
    made_by: str
    how: str
    file: str
    function: str
    state: str
    reason: str = ""
    left: int | None = None
    failing: int | None = None
    sha256: str = ""
    base: str = ""
    digest: str = ""
    unkept: str = ""
    request: int = 0
    at: float = 0.0


def rounds_of(events: Sequence[Mapping[str, Any]]) -> tuple[RecordedRound, ...]:
    """The rounds that the events tell of, in order; a later event about a text says what came of it in the end."""
    bases: dict[tuple[str, str], str] = {}
    requests: dict[str, int] = {}
    found: list[RecordedRound] = []
    places: dict[tuple[str, str, str, str], int] = {}
    for happened in events:
        where = (_text(happened, "file"), _text(happened, "function"))
        if happened.get("type") == "program":
            bases[where] = _text(happened, "sha256")
        elif happened.get("type") == "request":
            requests[_text(happened, "purpose")] = _count(happened, "number") or 0
        elif happened.get("type") in MADE:
            told = _round(happened, len(found) + 1, bases.get(where, ""), requests)
            place = (*where, told.base, told.sha256 or (told.unkept and f"unkept {len(found)}"))
            if told.sha256 and place in places:
                found[places[place]] = _later(found[places[place]], told)
            else:
                places[place] = len(found)
                found.append(told)
    return tuple(found)


def _round(happened: Mapping[str, Any], number: int, base: str, requests: Mapping[str, int]) -> RecordedRound:
    passed, failing = _count(happened, "passed"), _count(happened, "failing")
    left = _count(happened, "left")
    if happened["type"] == "near" and passed is not None and failing is not None:
        left = failing - passed
    verdict = _text(happened, "status")
    if happened["type"] == "found" or verdict in ("certified", "plausible"):
        left = 0
    at = happened.get("at")
    return RecordedRound(
        number,
        _text(happened, "origin"),
        _text(happened, "operator"),
        _text(happened, "file"),
        _text(happened, "function"),
        _text(happened, "state") or verdict or ("passed" if happened["type"] == "found" else "near"),
        _text(happened, "reason"),
        left,
        failing,
        _text(happened, "sha256"),
        base,
        _text(happened, "digest"),
        _text(happened, "unkept"),
        requests.get(_text(happened, "purpose"), 0),
        float(at) if isinstance(at, int | float) and abs(at) < MOST_SECONDS else 0.0,
    )


def _later(known: RecordedRound, told: RecordedRound) -> RecordedRound:
    """The round with what a later event says of the same text. That it was made again changes who made it alone."""
    by = "+".join(dict.fromkeys((*known.made_by.split("+"), *told.made_by.split("+"))))
    if told.state == "repeated":
        return replace(known, made_by=by)
    return replace(
        known,
        made_by=by,
        state=told.state,
        reason=told.reason or known.reason,
        left=known.left if told.left is None else told.left,
        failing=known.failing if told.failing is None else told.failing,
        digest=told.digest or known.digest,
        request=known.request or told.request,
    )


def diff_rounds(run: StoredRun, first: str, second: str) -> tuple[str, str, str]:
    """The unified diff between the texts of two rounds of a run, and the digests of both texts.

    A round is named by its number, by the start of a digest, or by 0 for the program before.
    """
    rounds = rounds_of(run.events())
    one, other = _named(run, rounds, first), _named(run, rounds, second)
    anchor = one or other
    if anchor is None:
        raise UsageError("Both rounds are the program before", where="--round", remedy="Name one that was made of it.")
    if other is not None and (other.file, other.function) != (anchor.file, anchor.function):
        raise UsageError(
            f"Rounds {first} and {second} are of two functions, {anchor.function} and {other.function}",
            where="--round",
            remedy="Compare each with 0, the program before.",
        )
    shas = [anchor.base if each is None else each.sha256 for each in (one, other)]
    for name, each, sha in zip((first, second), (one, other), shas, strict=True):
        if not sha:
            why = each.unkept or each.reason if each is not None else "it was not recorded"
            raise UsageError(
                f"Run {run.id} has no text of round {name}: {why}", remedy=f"`repair diff {run.id}` lists the rounds."
            )
    before, after = (f"{run.text(sha).rstrip()}\n".encode("utf-8", "replace") for sha in shas)
    return unified_diff(anchor.file, before, after), shas[0], shas[1]


def _named(run: StoredRun, rounds: Sequence[RecordedRound], name: str) -> RecordedRound | None:
    """The round of that name; ``None`` for the program before."""
    number = int(name) if name.isdecimal() and len(name) < LONGEST_NUMBER else -1
    if number == 0:
        return None
    if 0 < number <= len(rounds):
        return rounds[number - 1]
    enough = len(name) >= LEAST_DIGITS
    found = [r for r in rounds if enough and (r.sha256.startswith(name) or r.digest.startswith(name))]
    if len(found) == 1:
        return found[0]
    if enough and any(each.base.startswith(name) for each in rounds):
        return None
    if found:
        raise UsageError(
            f"{name!r} may mean {len(found)} rounds of run {run.id}", where="--round", remedy="Give more of the digest."
        )
    known = f"{len(rounds)} rounds, from 1" if rounds else "no rounds"
    raise UsageError(
        f"{name!r} is no round of run {run.id}: it has {known}",
        where="--round",
        remedy=f"`repair diff {run.id}` lists them; 0 is the program before.",
    )


def _text(happened: Mapping[str, Any], name: str) -> str:
    value = happened.get(name)
    return value if isinstance(value, str) else ""


def _count(happened: Mapping[str, Any], name: str) -> int | None:
    value = happened.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else None
