"""The table of facts: which function tells each, how much it is worth by what failed, and how much room it has."""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from analysis.facts import Diagnosis
from repair.model.facts import (
    advice,
    around,
    calls,
    classes,
    failing,
    function,
    search_finds,
    suspects,
    tests_code,
    values,
)
from repair.model.facts.matter import Matter
from repair.model.prompt_files import packaged_files

ALWAYS = 100
"""The worth of what every packet of its stage holds."""


@dataclass(frozen=True, slots=True)
class FactRow:
    """One row of the table. ``by`` has another worth for a class or subclass; ``ours`` says that it quotes nobody."""

    name: str
    worth: int
    room: int
    stages: tuple[str, ...]
    by: Mapping[str, int] = field(default_factory=dict)
    ours: bool = False

    def worth_for(self, diagnosis: Diagnosis) -> int:
        """How much it helps with this failure."""
        keys = (str(diagnosis.subclass), diagnosis.failure_class.value)
        return next((self.by[key] for key in keys if key in self.by), self.worth)


TELLERS: Mapping[str, Callable[[Matter], str]] = MappingProxyType(
    {
        "steps": advice.steps,
        "function": function.numbered_function,
        "regenerate": function.hidden_function,
        "suspects": suspects.ranked_suspects,
        "failure": failing.failing_call,
        "constraints": failing.constraints,
        "locals": failing.values_where_it_failed,
        "angelic": values.angelic_values,
        "parting": values.first_parting,
        "near": search_finds.near_misses,
        "enclosing": around.enclosing_function,
        "class": classes.its_class,
        "classes": classes.classes_in_use,
        "callees": calls.callees,
        "callers": calls.callers,
        "imports": around.names_of_module,
        "test": tests_code.failing_test,
        "fixtures": tests_code.what_the_test_uses,
        "passing": tests_code.passing_test,
        "others": failing.other_failures,
        "task": failing.task,
        "policy": advice.policy,
        "pattern": advice.pattern,
        "examples": advice.examples,
    }
)
"""Each fact by its name, as the function that tells it; an empty text says that there is nothing to tell."""


def read_table(text: str) -> tuple[FactRow, ...]:
    """The rows of a TOML text, in its order. Raises ``ValueError`` for one that is not whole, or not known."""
    rows = []
    for name, entry in tomllib.loads(text).items():
        if name not in TELLERS:
            raise ValueError(f"facts.toml: there is no fact {name!r}; there are {', '.join(TELLERS)}")
        try:
            rows.append(FactRow(name, **{**entry, "stages": tuple(entry["stages"])}))
        except (TypeError, KeyError) as problem:
            raise ValueError(f"facts.toml: {name}: {problem}") from problem
    return tuple(rows)


@functools.cache
def packaged_table() -> tuple[FactRow, ...]:
    """The table that the package has."""
    return read_table(packaged_files()["facts.toml"])
