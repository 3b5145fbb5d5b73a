"""What a person who knows the fix would answer to the question of a verdict: what the fix gives to its input."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from analysis.behaviour import Call, CallResult
from analysis.calls import CallInput
from analysis.facts import Files, InvalidRun
from repair.compare.answers import write_answer
from repair.records.outcome import Judged
from repair.records.ports import Sandbox


def answer_by(sandbox: Sandbox, reference: Files, judged: Sequence[Judged]) -> str:
    """The answer as one writes it behind ``--answer``; ``""`` where nothing is asked, or no text can be given.

    A question without an input has no such answer, nor has one about a method, since nothing says which instance.
    """
    for each in judged:
        function = each.submission.candidate.function
        for evidence in each.verdict.evidence:
            given = input_of(evidence.told.call) if evidence.question and evidence.told is not None else None
            if given is None or evidence.told is None:
                continue
            told = sandbox.call_apart(function, [given], reference)
            answer = None if isinstance(told, InvalidRun) else told[0]
            if answer is not None:
                result = CallResult(evidence.told.call, answer.behaviour)
                return write_answer(function, result, each.submission.sources)
    return ""


def input_of(call: Call) -> CallInput | None:
    """What the call is given, as literals: ``('a', 2, key=3)`` is ``('a', 2,)`` and ``{'key': 3}``."""
    try:
        parsed = ast.parse(f"f{call.arguments}", mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    named = isinstance(parsed, ast.Call) and all(keyword.arg is not None for keyword in parsed.keywords)
    if call.context or not isinstance(parsed, ast.Call) or not named:
        return None
    kwargs = "".join(f"{each.arg!r}: {ast.unparse(each.value)}, " for each in parsed.keywords)
    made = CallInput(f"({''.join(f'{ast.unparse(each)}, ' for each in parsed.args)})", f"{{{kwargs}}}")
    return made if made.values() is not None else None
