"""The functions that may be at fault: for the question which one is."""

from __future__ import annotations

import ast

from analysis.facts import Suspect
from analysis.function_text import FunctionNode, first_line_of
from repair.model.facts.matter import Matter, first_sentence, one_line, signature

MOST, MOST_WHOLE, MOST_LINES = 16, 4, 4
"""Suspects that are named, those that are described, and lines of each that are shown."""


def ranked_suspects(matter: Matter) -> str:
    """Place, head, first sentence and lines that failing tests ran of the likeliest suspects; place and head of others.

    Of a function that is long the most suspicious lines are shown. Values of its own stand with the failing call.
    """
    suspects = matter.context.suspects or (matter.plan.suspect,)
    told = [_describe(number, each, matter) for number, each in enumerate(suspects[:MOST_WHOLE], 1)]
    others = [_name(number, each, matter) for number, each in enumerate(suspects[MOST_WHOLE:MOST], MOST_WHOLE + 1)]
    return "\n\n".join([*told, *(["\n".join(others)] if others else [])])


def _name(number: int, suspect: Suspect, matter: Matter) -> str:
    """Its place and head, on one line."""
    node = _find(matter, suspect)
    head = f" {one_line(signature(node), 100)}" if node is not None else ""
    return f"{number}. {suspect.function.path}:{suspect.function.qualname}{head}"


def _describe(number: int, suspect: Suspect, matter: Matter) -> str:
    function = suspect.function
    lines, node = matter.lines_of(function.path), _find(matter, suspect)
    reasons = one_line("; ".join(suspect.reasons[:2]), 160)
    told = [f"{number}. {function.path}:{function.qualname}" + (f" ({reasons})" if reasons else "")]
    if node is not None:
        told.append(f"   {one_line(signature(node), 200)}")
        told += [f'   """{one_line(sentence, 160)}"""' for sentence in [first_sentence(node)] if sentence]
    body = node.body[0].lineno if node is not None else function.first_line + 1
    ranked = sorted(((line, score) for line, score in suspect.line_scores if score > 0 and line >= body), key=_by_score)
    shown = sorted(line for line, _ in ranked[:MOST_LINES])
    told += [f"   {line}: {one_line(lines[line - 1], 120)}" for line in shown if 0 < line <= len(lines)]
    left = len(ranked) - len(shown)
    return "\n".join([*told, *([f"   … and {left} more lines"] if left > 0 else [])])


def _by_score(pair: tuple[int, float]) -> tuple[float, int]:
    return -pair[1], pair[0]


def _find(matter: Matter, suspect: Suspect) -> FunctionNode | None:
    tree = matter.tree_of(suspect.function.path)
    found = (n for n in ast.walk(tree) if isinstance(n, FunctionNode)) if tree is not None else ()
    return next((n for n in found if first_line_of(n) == suspect.function.first_line), None)
