"""Patterns of failures, as data: what an exception says, what goes wrong in mending it, and one worked example.

The first pattern of `prompts/patterns.toml` that fits a failure is told, and no other one.
"""

from __future__ import annotations

import functools
import re
import tomllib
from dataclasses import dataclass
from typing import Any

from analysis.facts import Diagnosis
from analysis.frames import has_type, telling_exception
from analysis.relation import Relation
from repair.model.prompt_files import packaged_files

NONE_FITS = "none_of_these"
"""What a model says of a failure that no pattern describes."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """One pattern. It fits where one of its triggers does: ``exceptions`` with ``message``, subclasses, relations.

    ``call`` is a call of the example. Before the change it raises ``raises`` or gives another value, after it it gives
    ``gives`` (or raises what that names).
    """

    name: str
    theme: str
    says: str
    pitfalls: tuple[str, ...]
    before: str
    after: str
    call: str
    raises: str
    gives: str
    exceptions: tuple[str, ...] = ()
    message: str = ""
    subclasses: tuple[str, ...] = ()
    relations: tuple[str, ...] = ()

    def to_text(self) -> str:
        """The pattern as a model is told it."""
        lines = [self.says, *(f"- {each}" for each in self.pitfalls)]
        return "\n".join([*lines, f"An example, before:\n{self.before}", f"after:\n{self.after}"])


def read_patterns(text: str) -> tuple[Pattern, ...]:
    """The patterns of a TOML text, in its order. Raises ``ValueError`` for one that is not whole."""
    found = []
    for entry in tomllib.loads(text).get("pattern", []):
        values: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else str(value).strip("\n") for key, value in entry.items()
        }
        try:
            found.append(Pattern(**values))
        except TypeError as problem:
            raise ValueError(f"patterns.toml: {entry.get('name', '?')}: {problem}") from problem
    return tuple(found)


@functools.cache
def packaged_patterns() -> tuple[Pattern, ...]:
    """The patterns that the package has."""
    return read_patterns(packaged_files()["patterns.toml"])


def pattern_of(
    diagnosis: Diagnosis, relation: Relation | None, patterns: tuple[Pattern, ...] | None = None
) -> Pattern | None:
    """The pattern that fits a failure best: one for its exception, else one for how the values are related."""
    every = packaged_patterns() if patterns is None else patterns
    return next((each for each in every if _fits(each, diagnosis, relation)), None)


def _fits(pattern: Pattern, diagnosis: Diagnosis, relation: Relation | None) -> bool:
    raised = telling_exception(diagnosis.failure)
    if pattern.subclasses and diagnosis.subclass in pattern.subclasses:
        return True
    if pattern.relations:
        return relation is not None and relation.name in pattern.relations
    if raised is None or not pattern.exceptions or not has_type(raised, *pattern.exceptions):
        return False
    return not pattern.subclasses and re.search(pattern.message, raised.message) is not None


def is_unknown(diagnosis: Diagnosis, relation: Relation | None) -> bool:
    """Whether no pattern fits a failure, so that a model is asked for its kind."""
    return pattern_of(diagnosis, relation) is None


def kinds_of_failures() -> tuple[str, ...]:
    """The closed list from which a model chooses where our own rules do not know: names of patterns, and none."""
    return (*(pattern.name for pattern in packaged_patterns()), NONE_FITS)


def read_kind(reply: str) -> Pattern | None:
    """The pattern that a reply names on a line ``KIND: name``; ``None`` where it names none of the list."""
    found = re.findall(r"^\W*KIND:\s*`?(\w+)`?", reply[:4000], re.MULTILINE)
    named = {pattern.name: pattern for pattern in packaged_patterns()}
    return named.get(found[0]) if len(found) == 1 else None
