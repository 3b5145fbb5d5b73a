"""The functions that may be at fault: for the question which one is."""

from __future__ import annotations

import ast

from analysis.facts import Suspect
from analysis.function_text import FunctionNode, first_line_of
from repair.model.facts.matter import Matter, first_sentence, one_line, signature

MOST, MOST_LINES = 8, 4


def ranked_suspects(matter: Matter) -> str:
    """Place, head, first sentence and the lines that failing tests ran of each suspect, the most suspicious first.

    Of a function that is long the most suspicious lines are shown. Values of its own stand with the failing call.
    """
    suspects = matter.context.suspects or (matter.plan.suspect,)
    return "\n\n".join(_describe(number, each, matter) for number, each in enumerate(suspects[:MOST], 1))


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
