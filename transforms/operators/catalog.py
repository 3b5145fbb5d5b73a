"""All operators in reading order, and which of them mend; ``transforms.seeding`` has those that seed faults."""

from __future__ import annotations

from collections.abc import Iterable

from transforms.operators import (
    arithmetic,
    assignments,
    binding,
    branches,
    calls,
    composing,
    comprehensions,
    conditions,
    consistency,
    control,
    defaults,
    elements,
    everywhere,
    exceptions,
    expressions,
    fallbacks,
    filling,
    formats,
    guards,
    handlers,
    insertion,
    keywords,
    kin,
    literals,
    loops,
    loosening,
    moving,
    mutation,
    mutmut_operators,
    names,
    nesting,
    patterns,
    protocols,
    results,
    sharing,
    specs,
    targets,
    texts,
    truth,
    wrapping,
)
from transforms.operators.operator import Operator

OPERATORS: tuple[Operator, ...] = (
    *guards.OPERATORS,
    *protocols.OPERATORS,
    *defaults.OPERATORS,
    *fallbacks.OPERATORS,
    *consistency.OPERATORS,
    *expressions.OPERATORS,
    *names.OPERATORS,
    *everywhere.OPERATORS,
    *wrapping.OPERATORS,
    *composing.OPERATORS,
    *arithmetic.OPERATORS,
    *conditions.OPERATORS,
    *truth.OPERATORS,
    *kin.OPERATORS,
    *literals.OPERATORS,
    *elements.OPERATORS,
    *texts.OPERATORS,
    *formats.OPERATORS,
    *specs.OPERATORS,
    *patterns.OPERATORS,
    *comprehensions.OPERATORS,
    *calls.OPERATORS,
    *keywords.OPERATORS,
    *insertion.OPERATORS,
    *assignments.OPERATORS,
    *filling.OPERATORS,
    *targets.OPERATORS,
    *binding.OPERATORS,
    *moving.OPERATORS,
    *nesting.OPERATORS,
    *control.OPERATORS,
    *branches.OPERATORS,
    *loops.OPERATORS,
    *exceptions.OPERATORS,
    *handlers.OPERATORS,
    *results.OPERATORS,
    *sharing.OPERATORS,
    *mutation.OPERATORS,
    *loosening.OPERATORS,
    *mutmut_operators.OPERATORS,
)

MENDING: tuple[Operator, ...] = tuple(o for o in OPERATORS if o.mends)


def families(operators: Iterable[Operator]) -> tuple[str, ...]:
    """The families of the operators in reading order, each once."""
    return tuple(dict.fromkeys(operator.family for operator in operators))
