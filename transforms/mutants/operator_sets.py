"""The operators that seed faults, and those that loosen a patch, without the many that only mend.

Who makes mutants alone imports a sixth of the families. That none is forgotten here is checked by a test.
"""

from __future__ import annotations

from transforms.operators import conditions, loosening, moving, mutation, mutmut_operators
from transforms.operators.operator import Operator

_FAMILIES = (conditions, moving, mutation, loosening, mutmut_operators)
_OPERATORS: tuple[Operator, ...] = tuple(operator for family in _FAMILIES for operator in family.OPERATORS)

MUTATING: tuple[Operator, ...] = tuple(o for o in _OPERATORS if o.mutates)
"""The fixed list of the mutation gate: mutmut's operators, and what they lack."""

LOOSENING: tuple[Operator, ...] = tuple(o for o in _OPERATORS if o.loosens)
"""What takes a restriction of a patch away."""
