"""Mutants of statements that no test runs: no test can notice them, so none has to be tried."""

from __future__ import annotations

from collections.abc import Sequence, Set

from transforms.mutants.made import Mutant
from transforms.mutants.statements import Part, parts_of
from transforms.tree.scope import EditScope


def unreached(scope: EditScope, found: Sequence[Mutant], ran: Set[int]) -> frozenset[Mutant]:
    """Those of the function's mutants whose statements have no line among those of the file that ran.

    None of them where no line of the function's body ran: then something else than the tests ran it. What a tracer
    may not see is taken to have run.
    """
    parts = parts_of(scope.text.decode(scope.encoding))
    above = scope.function.first_line - 1
    if parts is None or not any(_has_run(part, ran, above) for part in parts.parts):
        return frozenset()

    def left_out(mutant: Mutant) -> bool:
        around = parts.at({mutant.line - above})
        return bool(around) and not any(part.silent or _has_run(part, ran, above) for part in around)

    return frozenset(mutant for mutant in found if left_out(mutant))


def _has_run(part: Part, ran: Set[int], above: int) -> bool:
    return any(line + above in ran for line in range(part.first, part.last + 1))
