"""The proposer that needs no model: edit operators over the function, likeliest first."""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from analysis.calls import Calls, RecordedCall
from analysis.errors import RepairError
from analysis.facts import ConstraintKind, FailureClass, Files, FunctionId
from analysis.frames import short_name
from analysis.functions import syntax_tree
from analysis.project_files import imported_from_project
from repair.records.functions import edit_scope
from repair.records.ports import Context
from repair.records.task import PatchPlan, Pause
from transforms.enumerate.order import HAND_SET, Order
from transforms.enumerate.proposals import proposals_and_pauses
from transforms.enumerate.typed import Types, kinds_of, types_in
from transforms.ingredients.given_words import with_words
from transforms.ingredients.project_words import with_project
from transforms.ingredients.within_reach import (
    Ingredients,
    Members,
    ReadModule,
    function_in,
    ingredients_of,
    read_module,
)
from transforms.ingredients.word_counts import Weigh, by_hand
from transforms.operators.operator import Neighbourhood
from transforms.patch.edit_atoms import edit_atoms
from transforms.rules.merits import RAISES
from transforms.tree.proposal import Origin, Proposal
from transforms.tree.scope import EditScope

MOST_MODULES = 3
"""Modules that are kept read, for the next suspect in one of them."""

PAUSE_SECONDS = 0.2
"""How long a search waits for the next edit before it may look whether its time is up."""

MOST_IMPORTED, MOST_BYTES = 6, 150_000
"""How many of the modules that a module imports are read, and how much of them in all."""

RAISED_BY_TESTS = ("AssertionError", "Failed")
"""What a test that fails raises itself."""

Reorder = Callable[[PatchPlan, Files, Order], Order]
"""What makes another order of one, for a plan and the project's Python files."""

NAME_NO_LINE = (ConstraintKind.MISSING_RAISE, ConstraintKind.WRONG_RAISE, ConstraintKind.NO_TERMINATION)
"""What is asked of a function whatever file it stands in: such a constraint names no line of it."""


@dataclass(frozen=True, slots=True)
class EarlierFind:
    """A patch of an earlier run: the whole file before and after it, who made it, and what was said of it."""

    function: FunctionId
    before: bytes
    after: bytes
    origin: Origin
    explanation: str = ""


class SearchProposer:
    """Enumerates small edits of one function from its own neighbourhood.

    The order depends on the failure's class and constraints, on the lines' suspiciousness and on the seed. It never
    depends on outcomes of the run, so that the stream may be drawn ahead of them. What earlier runs found comes first.
    """

    name = "search"
    eager = True

    def __init__(
        self,
        order: Order = HAND_SET,
        reorder: Reorder = lambda plan, sources, order: order,
        earlier: Sequence[EarlierFind] = (),
    ) -> None:
        self._earlier = tuple(earlier)
        self._order = order
        self._reorder = reorder
        self._read = functools.lru_cache(MOST_MODULES)(read_module)
        self._parse = functools.cache(_parse_imported)

    def propose(self, plan: PatchPlan, context: Context) -> Iterator[Proposal | Pause]:
        """Edits for the plan's one function, each text once. Nothing is read before the first is drawn.

        It pauses where an edit takes long to make, so that a search may end there.
        """
        for find in self._earlier:
            if find.function == plan.function and (again := _found_before(find, context.scope)) is not None:
                yield again
        module = self._read(context.module_source)
        calls = context.calls()
        types = seen_types(plan, module, calls.seen)
        near = neighbourhood(plan, module, types, self._order.ingredient, seen_members(calls.seen))
        words = self._add_project(near.ingredients, plan.function.path, module, context.sources)
        found = proposals_and_pauses(
            context.scope,
            replace(near, ingredients=with_words(words, context.words)),
            seed=context.seed,
            line_scores=plan.suspect.line_scores,
            types=types,
            types_are_all=are_all_types(plan, module, calls),
            order=self._reorder(plan, context.sources, self._order),
        )
        since = context.seconds_left()
        for each in found:
            if each is not None or since - context.seconds_left() >= PAUSE_SECONDS:
                yield Pause() if each is None else each
                since = context.seconds_left()

    def _add_project(self, words: Ingredients, path: str, module: ReadModule | None, files: Files) -> Ingredients:
        """The ingredients with those of the modules that the module imports, as far as these are small enough."""
        if module is None:
            return words
        sources, left, trees = dict(files), MOST_BYTES, {}
        imports = imported_from_project(path, module.tree, sources.keys())
        for each in list(dict.fromkeys(i.path for i in imports))[:MOST_IMPORTED]:
            left -= len(sources[each])
            if left >= 0:
                trees[each] = self._parse(sources[each])
        return with_project(words, imports, trees, self._order.ingredient)


def _found_before(find: EarlierFind, scope: EditScope) -> Proposal | None:
    """The find as an edit of the function; ``None`` where the function has another text, by another cause's patch."""
    path = find.function.path
    try:
        old, now = (edit_scope(((path, file),), find.function) for file in (find.before, find.after))
    except (RepairError, RecursionError):
        return None
    if old.text != scope.text:
        return None
    atoms = edit_atoms(scope.node, now.node)
    return Proposal(find.function, atoms, find.origin, find.explanation, weight=1.0) if atoms else None


def _parse_imported(source: bytes) -> ast.Module:
    """The tree of an imported module; an empty one where our grammar cannot read it."""
    try:
        return syntax_tree(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module([], [])


def seen_types(plan: PatchPlan, module: ReadModule | None, calls: Sequence[RecordedCall]) -> Types:
    """Types of the function's names in the calls of failing tests, as far as these agree, of plain arguments."""
    if module is None:
        return ()
    function, bound = function_in(module, plan.function)
    given = [values for call in calls if call.plain and (values := call.input.values()) is not None]
    if function is None or not given:
        return ()
    first, *others = [
        dict(types_in(function, *values, skip=int(bound), defined=module.shared.defined)) for values in given
    ]
    return tuple((name, kind) for name, kind in first.items() if all(each.get(name) == kind for each in others))


def are_all_types(plan: PatchPlan, module: ReadModule | None, calls: Calls) -> bool:
    """Whether edits that cannot work on the types seen are of no use: no other call, and nobody catches what it raises.

    Where a test asks for an exception, or the function catches some, or asks what a value has, raising may be right.
    An example: all calls are ``join(["a"])``, in a function without ``try``, and none is to raise.
    """
    if module is None or not calls.whole or not all(call.plain for call in calls.seen):
        return False
    asked = any(
        d.failure_class is FailureClass.CONTRACT or any(c.kind in RAISES for c in d.constraints) for d in plan.diagnoses
    )
    function, _ = function_in(module, plan.function)
    return not asked and function is not None and not any(map(_may_catch, ast.walk(function)))


def _may_catch(node: ast.AST) -> bool:
    """Whether a function that holds the node may catch what it raises: ``try``, ``with`` or ``hasattr``."""
    if isinstance(node, ast.Name):
        return node.id in ("hasattr", "getattr")
    return isinstance(node, (ast.Try, ast.TryStar, ast.With, ast.AsyncWith))


def seen_members(calls: Sequence[RecordedCall]) -> Members:
    """What the values have that parameters held in calls of failing tests; of several, what all of them have."""
    found: dict[str, tuple[str, ...]] = {}
    for call in calls:
        for name, names in call.members:
            found[name] = tuple(each for each in found.get(name, names) if each in names)
    return tuple(found.items())


def neighbourhood(
    plan: PatchPlan,
    module: bytes | ReadModule | None,
    types: Types = (),
    weigh: Weigh = by_hand,
    members: Members = (),
) -> Neighbourhood:
    """What the failures, the module and the types seen say around the function."""
    first = plan.diagnoses[0] if plan.diagnoses else None
    words = ingredients_of(module, plan.function, weigh)
    kinds = {**dict(words.kinds), **dict(kinds_of(types))}
    every = dict.fromkeys(c for d in plan.diagnoses for c in d.constraints)
    ended = (short_name(d.failure.exceptions[0]) for d in plan.diagnoses if d.failure.exceptions)
    handled = (short_name(e) for d in plan.diagnoses for e in d.failure.exceptions[1:] if e.link == "context")
    return Neighbourhood(
        replace(words, kinds=tuple(sorted(kinds.items())), members=members),
        tuple(c for c in every if c.path == plan.function.path or c.kind in NAME_NO_LINE),
        first.failure_class if first else FailureClass.LOGIC,
        first.subclass if first else "",
        tuple(
            name for name in dict.fromkeys((*ended, *handled)) if name.isidentifier() and name not in RAISED_BY_TESTS
        ),
    )
