"""Smells that only a run can show: assertions that were never reached (rotten green tests: Delplanque et al. 2019)."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Set

from analysis.facts import TestId
from analysis.quality.assertions import line_of
from analysis.quality.case import Case
from analysis.quality.smell import Severity, Smell
from analysis.statement_lines import has_run


def assertions_not_run(case: Case, test: TestId, ran: Set[int]) -> Iterator[Smell]:
    """T28 where a test passed and none of its assertions ran, T28-some for each one that did not.

    ``ran`` are the lines of its file that the test ran, in all of its cases together. Nothing can be said where not
    even its first lines were seen.
    """
    if not any(has_run(_span(statement), ran) for statement in case.function.body):
        return
    idle = [node for node in case.assertions if not has_run(_span(node), ran)]
    if idle and len(idle) == len(case.assertions):
        said = "The test passed, and none of its assertions ran."
        yield Smell("T28", Severity.REJECT, test, line_of(idle[0]), said)
        return
    for line in sorted({line_of(node) for node in idle}):
        yield Smell("T28-some", Severity.WARN, test, line, "This assertion did not run.")


def _span(node: ast.AST) -> tuple[int, int]:
    first = line_of(node)
    return first, int(getattr(node, "end_lineno", None) or first)
