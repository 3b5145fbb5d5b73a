"""What a person who knows the fix would answer to the question of a verdict: what the fix gives to its input."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from analysis.behaviour import Call, CallResult, turn
from analysis.calls import CallInput
from analysis.errors import UsageError
from analysis.facts import Files, InvalidRun, Limits, TestId
from repair.compare.answers import read_answer
from repair.compare.ready_answers import write_answer
from repair.front.run_inputs import lay_answers_over
from repair.records.outcome import Judged
from repair.records.ports import Sandbox
from repair.trials.layered import LayeredSandbox


def answer_by(sandbox: Sandbox, reference: Files, judged: Sequence[Judged], tests: Sequence[TestId]) -> str:
    """The answer as one writes it behind ``--answer``; ``""`` where nothing is asked, or no text can be given.

    It is the reading that the fix agrees with; else what the fix gives, where the question's input is plain.
    """
    for each in judged:
        function, sources = each.submission.candidate.function, each.submission.sources
        for evidence in each.verdict.evidence:
            if evidence.question and evidence.told is not None:
                readings = [write_answer(function, side, sources) for side in (evidence.told, turn(evidence.told))]
                answer = _agreed(sandbox, reference, [text for text in readings if text], tests)
                answer = answer or _given(sandbox, reference, each, evidence.told.call)
                if answer:
                    return answer
    return ""


def _agreed(sandbox: Sandbox, reference: Files, readings: Sequence[str], tests: Sequence[TestId]) -> str:
    """The reading whose test the fix passes."""
    answers = [read_answer(text) for text in readings]
    try:
        tried = lay_answers_over(LayeredSandbox(sandbox, reference), answers, tests, Limits())
    except UsageError:  # a module that the fix cannot import so, say
        return ""
    return next((text for text, test in zip(readings, tried.ids, strict=True) if test not in tried.demanded), "")


def _given(sandbox: Sandbox, reference: Files, judged: Judged, call: Call) -> str:
    """What the fix gives to plain arguments, in a process of its own."""
    function, given = judged.submission.candidate.function, input_of(call)
    told = sandbox.call_apart(function, [given], reference) if given is not None else ()
    if isinstance(told, InvalidRun) or not told or told[0] is None:
        return ""
    return write_answer(function, CallResult(call, told[0].behaviour), judged.submission.sources)


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
