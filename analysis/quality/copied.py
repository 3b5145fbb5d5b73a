"""Tests that compute the expected value the way the program does: both are wrong together."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Set

from analysis.facts import TestId
from analysis.quality.assertions import line_of
from analysis.quality.case import Case
from analysis.quality.smell import Severity, Smell
from analysis.result_forms import forms_of


def implementation_copied(case: Case, test: TestId, results: Set[str]) -> Iterator[Smell]:
    """T19: the test holds an expression of the form of a result of a function that it runs."""
    for node in case.nodes if results else ():
        if isinstance(node, ast.expr) and any(form in results for form in forms_of(node)):
            said = "The expected value is computed in the way of the function under test."
            yield Smell("T19", Severity.WARN, test, line_of(node), said)
            return
