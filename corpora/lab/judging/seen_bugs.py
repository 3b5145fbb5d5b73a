"""Bugs that somebody looked at while rules of the judge were written: figures of the others are worth more."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from corpora.lab.judging.records import Place


def was_tried(place: Place) -> bool:
    """Whether a rule of the judge was written or changed with this bug in view."""
    return (place.project, place.bug) in _tried_bugs()


@cache
def _tried_bugs() -> frozenset[tuple[str, str]]:
    text = files("corpora.lab.judging").joinpath("tried.txt").read_text(encoding="utf-8")
    lines = [line.split("#")[0].split() for line in text.splitlines()]
    return frozenset((line[0], line[1]) for line in lines if line)
