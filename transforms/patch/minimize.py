"""The smallest part of an edit that still does what the edit does.

Delta debugging (Zeller & Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", TSE 2002) over
the atoms of the difference. Every selection starts from the old function, so an edit that is minimized
twice is minimized once. What the caller gets always satisfies the predicate that its edit satisfied,
and is never larger than the edit."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise

import libcst as cst

from analysis.errors import UnparseableError
from analysis.functions import functions_of
from transforms.patch.apply import place
from transforms.patch.difference import covers, region
from transforms.patch.renaming import restore_old_names
from transforms.patch.small_edits import Plan, atoms_of, build, plan_of
from transforms.tree.node_path import NodePath, replace_at, walk
from transforms.tree.placing import ILL_FORMED, print_tree, without_footer
from transforms.tree.scope import EditScope, open_scope
from transforms.tree.shape import changed_nodes

Holds = Callable[[bytes], bool]

MOST_CALLS = 60


def minimize(scope: EditScope, text: bytes, holds: Holds, most: int = MOST_CALLS) -> bytes:
    """A least edit of the scope's function, made of parts of the edit ``text``, of which ``holds`` is true.

    ``text`` is known to satisfy ``holds`` and is given back where nothing smaller is found within ``most``
    calls. Comments and line breaks that only the edit has are dropped where they stand alone.
    """
    known: dict[bytes, bool] = {}

    def oracle(made: bytes) -> bool:
        """The predicate, asked once for each text; silence means no."""
        if made not in known and len(known) < most:
            known[made] = holds(made)
        return known.get(made, False)

    while (smaller := _shrink_once(scope, text, oracle)) != text:
        text = smaller
    return text


def _shrink_once(scope: EditScope, text: bytes, oracle: Holds) -> bytes:
    new = _function_in(scope, text)
    if new is None:
        return text
    plan = plan_of(scope.node, new)
    limit = changed_nodes(scope.node, new)

    def satisfies(chosen: Sequence[int]) -> bool:
        made = made_of(scope, plan, chosen, limit)
        return made is not None and (made == text or oracle(made))

    atoms = [atom.number for atom in atoms_of(plan)]
    if not atoms or not satisfies(atoms):
        return text
    made = made_of(scope, plan, ddmin(atoms, satisfies), limit)
    assert made is not None, "what satisfies the predicate could be made"
    return made


def ddmin(atoms: Sequence[int], satisfies: Callable[[Sequence[int]], bool]) -> tuple[int, ...]:
    """A selection of the atoms that satisfies, and from which no single atom can be left out."""
    chosen, parts = tuple(atoms), 2
    while len(chosen) >= 2:
        bounds = [len(chosen) * index // parts for index in range(parts + 1)]
        chunks = [chosen[start:end] for start, end in pairwise(bounds) if start < end]
        rests = [tuple(atom for atom in chosen if atom not in chunk) for chunk in chunks]
        subset = next((chunk for chunk in chunks if satisfies(chunk)), None)
        complement = None if subset else next((rest for rest in rests if satisfies(rest)), None)
        if subset:
            chosen, parts = subset, 2
        elif complement:
            chosen, parts = complement, max(parts - 1, 2)
        elif parts < len(chosen):
            parts = min(len(chosen), 2 * parts)
        else:
            break
    return chosen


def made_of(scope: EditScope, plan: Plan, chosen: Sequence[int], limit: int) -> bytes | None:
    """The function with the chosen atoms; nothing when they make no tree, no change or a larger one than the whole."""
    try:
        (function,) = build(plan, frozenset(chosen))
        if not isinstance(function, cst.FunctionDef):
            return None
        tree = replace_at(scope.tree, scope.root, (without_footer(function),))
    except ILL_FORMED:
        return None
    assert isinstance(tree, cst.Module), "the root stays what it is"
    text = print_tree(scope, tree)
    if not isinstance(text, bytes) or text == scope.text:
        return None
    # Measured as it reads, not as it was made: an emptied block prints a statement.
    read = _function_in(scope, text)
    return text if read is not None and 0 < changed_nodes(scope.node, read) <= limit else None


def _function_in(scope: EditScope, text: bytes) -> cst.FunctionDef | None:
    """The function that stands in the scope's place once the text does, printed with the same unit of indentation."""
    source = place(scope, text)
    try:
        spans = functions_of(scope.function.path, source)
    except UnparseableError:
        return None
    found = [f for f in spans if f.start == scope.start and f.end == scope.start + len(text)]
    opened = open_scope(source, found[0]) if found else None
    if not isinstance(opened, EditScope) or opened.tree.default_indent != scope.tree.default_indent:
        return None
    return opened.node


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of the edit that leads from one function to another, each by its number."""

    numbers: tuple[int, ...]
    _old: EditScope
    _plan: Plan
    _limit: int

    def without(self, numbers: Collection[int]) -> bytes | None:
        """The function with all other parts made; ``None`` where these make no function, or no change at all."""
        chosen = [number for number in self.numbers if number not in numbers]
        return made_of(self._old, self._plan, chosen, self._limit) if chosen else None


def parts_of(old: EditScope, new: EditScope) -> Parts:
    """The parts of an edit, independent of each other as far as the syntax goes. Another name of a local is none."""
    node = restore_old_names(old.node, new.node)
    plan = plan_of(old.node, node)
    return Parts(tuple(atom.number for atom in atoms_of(plan)), old, plan, changed_nodes(old.node, node))


def only_in(new: EditScope, without: EditScope, old: EditScope) -> tuple[NodePath, ...]:
    """What the parts bring that the new function has more than ``without``, an edit of the old one by the others.

    A path leads to a whole statement or head where it holds nothing of the other parts, else to the part alone.
    """
    more, every = _brought_nodes(without.node, new.node), _brought_nodes(old.node, new.node)
    if more is None or every is None:
        return ()
    others = [path for path in every if not covers(more, path)]
    found: list[NodePath] = []
    for path in region(without.node, new.node).new:
        is_shared = any(covers([path], other) or covers([other], path) for other in others)
        found += [each for each in more if covers([path], each)] if is_shared else [path]
    return tuple(found)


def _brought_nodes(old: cst.FunctionDef, new: cst.FunctionDef) -> list[NodePath] | None:
    """Where the nodes of an edit's parts stand in the new function; ``None`` where one had to be put in parentheses."""
    node = restore_old_names(old, new)
    wanted = {id(each) for atom in atoms_of(plan_of(old, node)) for each in atom.new}
    found = [path for path, each in walk(node) if id(each) in wanted]
    return found if len(found) == len(wanted) else None
