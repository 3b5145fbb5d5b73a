"""The proposer that needs no model: edit operators over the function, likeliest first."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from analysis.facts import Constraint, Diagnosis, FailureClass
from repair.ports import Context
from repair.task import PatchPlan
from transforms.enumerate import proposals
from transforms.ingredients import ReadModule, function_in, ingredients_of, read_module
from transforms.operators.operator import Neighbourhood
from transforms.proposal import Proposal
from transforms.typed import Types, kinds_of, types_in

MOST_MODULES = 3
"""Modules that are kept read, for the next suspect in one of them."""


class SearchProposer:
    """Enumerates small edits of one function from its own neighbourhood.

    The order depends on the failure's class and constraints, on the lines' suspiciousness and on the
    seed; never on outcomes, so that it may be drawn ahead of them.
    """

    name = "search"
    eager = True

    def __init__(self) -> None:
        self._modules: dict[str, tuple[bytes, ReadModule | None]] = {}

    def propose(self, plan: PatchPlan, context: Context) -> Iterator[Proposal]:
        """Edits for the plan's one function, each text once. Nothing is read before the first is drawn."""
        module = self._module(plan.function.path, context.module_source)
        types = seen_types(plan, module, context)
        near = neighbourhood(plan, module, types)
        yield from proposals(context.scope, near, seed=context.seed, line_scores=plan.suspect.line_scores, types=types)

    def _module(self, path: str, source: bytes) -> ReadModule | None:
        """The module as read before: suspects are often neighbours."""
        known = self._modules.pop(path, None)
        if known is None or known[0] != source:
            known = source, read_module(source)
        self._modules[path] = known
        while len(self._modules) > MOST_MODULES:
            del self._modules[next(iter(self._modules))]
        return known[1]


def seen_types(plan: PatchPlan, module: ReadModule | None, context: Context) -> Types:
    """Types of the function's names in the first call of a failing test, where its arguments are plain."""
    function = function_in(module, plan.function) if module is not None else None
    call = next(iter(context.calls()), None) if function is not None else None
    if function is None or call is None or not call.plain:
        return ()
    try:
        args, kwargs = ast.literal_eval(call.input.args), ast.literal_eval(call.input.kwargs)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return ()
    return types_in(function, args, kwargs) if isinstance(args, tuple) and isinstance(kwargs, dict) else ()


def neighbourhood(plan: PatchPlan, module: bytes | ReadModule | None, types: Types = ()) -> Neighbourhood:
    """What the failures, the module and the types seen say around the function."""
    first = plan.diagnoses[0] if plan.diagnoses else None
    words = ingredients_of(module, plan.function)
    kinds = {**dict(words.kinds), **dict(kinds_of(types))}
    return Neighbourhood(
        replace(words, kinds=tuple(sorted(kinds.items()))),
        _constraints(plan.diagnoses, plan),
        first.failure_class if first else FailureClass.LOGIC,
        first.subclass if first else "",
        _raised(plan.diagnoses),
    )


def _raised(diagnoses: tuple[Diagnosis, ...]) -> tuple[str, ...]:
    """The exceptions that ended the failing tests, by their last names; what tests raise themselves left out."""
    ended = (d.failure.exceptions[0].type_name.rsplit(".", 1)[-1] for d in diagnoses if d.failure.exceptions)
    return tuple(name for name in dict.fromkeys(ended) if name.isidentifier() and name not in _OF_TESTS)


_OF_TESTS = ("AssertionError", "Failed")
"""What a test that fails raises itself."""


_EVERYWHERE = ("missing_raise", "wrong_raise", "no_termination")


def _constraints(diagnoses: tuple[Diagnosis, ...], plan: PatchPlan) -> tuple[Constraint, ...]:
    """Constraints of all failures without repeats: those on the function's file, and those that name no line of it."""
    every = dict.fromkeys(c for d in diagnoses for c in d.constraints)
    return tuple(c for c in every if c.path == plan.function.path or c.kind.value in _EVERYWHERE)
