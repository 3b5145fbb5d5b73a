"""Asks a server which values at places of a function mend its tests, and reads its answers, which are untrusted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from analysis.synthesis import Forced, Query, Settled, WantedValue

_GRACE, _PATIENCE = 3.0, 8.0
_LONGEST_TOLD, _LONGEST_TEXT = 800_000, 400
_MOST_FOUND = 8


def force_request(ask: Query) -> dict[str, object]:
    """What the server of the failing tests is told."""
    return {
        "text": ask.text.decode("latin-1"),
        "places": [[place.number, place.kind.value, place.text, place.level] for place in ask.places],
        "names": list(ask.names),
        "literals": list(ask.literals),
        "working_seconds": ask.seconds,
        "seconds": _PATIENCE * ask.seconds + _GRACE,
    }


def settle_request(ask: Query, wanted: Sequence[WantedValue], *, record: bool) -> dict[str, object]:
    """What the server of passing tests is told; without ``record`` its tests are not run."""
    return {**force_request(ask), "wanted": [[each.place, each.told] for each in wanted], "record": record}


def forced_of(ask: Query, state: str, ending: str, lines: Iterable[dict[str, Any]]) -> Forced:
    """What the lines of one fork say."""
    known = {place.number for place in ask.places}
    wanted: dict[int, WantedValue] = {}
    runs, cut, said = 0, False, "" if state == "done" else f"it ended early: {ending}"
    for line in lines:
        place, told = line.get("place"), line.get("wanted")
        if isinstance(place, int) and place in known and isinstance(told, str) and len(told) <= _LONGEST_TOLD:
            wanted.setdefault(place, WantedValue(place, told))
        elif isinstance(line.get("runs"), int):
            runs, cut = line["runs"], line.get("cut") is True
        said = said or _problem(line)
    if cut and not wanted:  # of what was not tried nothing is known
        said = said or f"of the values at one place the time let {runs} be tried, and none mends the failing tests"
    return Forced(tuple(wanted.values()), runs, said)


def settled_of(wanted: Sequence[WantedValue], state: str, ending: str, lines: Iterable[dict[str, Any]]) -> Settled:
    """What the lines of one fork say."""
    known = {each.place for each in wanted}
    found: dict[int, tuple[str, ...]] = {}
    said = "" if state == "done" else f"it ended early: {ending}"
    for line in lines:
        place, texts = line.get("place"), line.get("found")
        if isinstance(place, int) and place in known and isinstance(texts, list):
            short = [text for text in texts if isinstance(text, str) and len(text) <= _LONGEST_TEXT]
            found.setdefault(place, tuple(short[:_MOST_FOUND]))
        said = said or _problem(line)
    return Settled(tuple(found.items()), said)


def _problem(line: dict[str, Any]) -> str:
    said = line.get("problem") or line.get("invalid")
    return str(said)[:300] if said else ""
