"""Mutants of the changed region, plain deletions and sabotages: programs that a good test should tell apart.

The list of operators is fixed. It holds mutmut's sixteen, and what these do to chains of ``and`` and ``or`` by leaving
out parentheses. It also holds what they lack: statement deletion, condition negation, return replacement, exception
replacement and removal. Further ones are an order for an equality, division for whole division, and a loop that is left
and goes on. Sabotages are extreme mutation (Niedermayr et al. 2016). It never draws on ingredients, so that it measures
tests and not luck. Decorated functions are mutated like others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass

import libcst as cst

from analysis.trials import Trial
from transforms.enumerate.sites import ground
from transforms.mutants.operator_sets import LOOSENING, MUTATING
from transforms.mutants.statements import parts_of
from transforms.operators.operator import Edit, Neighbourhood, Operator, Site, clip_text, edits_at
from transforms.patch.apply import compile_problem, render
from transforms.patch.difference import carried_expressions, carried_over, covers, region
from transforms.patch.printer import Printer
from transforms.tree.code_text import as_nodes
from transforms.tree.fragments import Fragments
from transforms.tree.node_path import NodePath, walk
from transforms.tree.proposal import Origin, Proposal, Replacement
from transforms.tree.scope import EditScope
from transforms.tree.spans import Placed, places_in

_PICKING = (cst.Equal, cst.NotEqual, cst.In, cst.NotIn, cst.Is, cst.IsNot, cst.Not)
"""Operators that pick out values; an order or a join may be exchanged for another."""


def restates_condition(node: cst.CSTNode, gone: Iterable[cst.CSTNode]) -> bool:
    """Whether a new expression is like one that is ``gone``: no literal, call or picking operator that it had not.

    Example: ``a <= b`` is like ``a < b``; ``a == b`` and ``a < 1`` are not.
    """
    asked = _asked_names(node)
    return any(type(node) is type(each) and not asked - _asked_names(each) for each in gone)


def _asked_names(root: cst.CSTNode) -> Counter[str]:
    found: Counter[str] = Counter()
    for _, node in walk(root):
        match node:
            case cst.BaseNumber() | cst.BaseString():
                found[_bare(node)] += 1
            case cst.Call(func=cst.Attribute(attr=cst.Name(name)) | cst.Name(name)):
                found[f"{name}()"] += 1
            case cst.Call():
                found["()"] += 1
            case _ if isinstance(node, _PICKING):
                found[type(node).__name__] += 1
    return found


_ASKED = (cst.BaseExpression, cst.Slice)
UNWRAPPING = "call_unwrapped"


@dataclass(frozen=True, slots=True)
class Mutant:
    """One seeded fault: the function's new text, and what was done in which line of the file."""

    text: bytes
    operator: str
    label: str
    line: int


def changed_statements(old: EditScope, new: EditScope) -> tuple[NodePath, ...]:
    """Paths in the new function of what differs; beside a pure deletion, the statement next to it."""
    where = region(old.node, new.node)
    return where.new or where.new_gaps


def changed_old_lines(old: EditScope, new: EditScope) -> frozenset[int]:
    """Lines of the old file whose statements change, or that something is inserted at."""
    where = region(old.node, new.node)
    paths = (*where.old, *where.old_gaps)
    sites = ground(old, Neighbourhood()).sites
    return frozenset(
        site.line for site in sites if covers(paths, site.path) and not isinstance(site.node, cst.BaseSuite)
    )


def mutants(
    new: EditScope,
    old: EditScope | None = None,
    *,
    defaults: bool = True,
    aside: Sequence[NodePath] = (),
    written: bool = False,
) -> tuple[Mutant, ...]:
    """Distinct mutants of the changed region that compile, in source order; without ``old`` of the whole function.

    ``defaults`` says whether plain default values of parameters, which belong to the signature, are among them. A
    statement that the change only nests otherwise or moves is left out. So is an expression that it keeps, and what
    lies ``aside``. What tests do not notice there they did not notice before. Where nothing else is changed, all of
    these are in, but not where only what is ``written`` is asked for.
    """
    where = changed_statements(old, new) if old is not None else ((),)
    place = places_in(new)
    changed = [s for s in ground(new, Neighbourhood(), defaults=defaults, place=place).sites if covers(where, s.path)]
    kept = _kept_paths(old, new, aside) if old is not None else ()
    sites = [s for s in changed if not covers(kept, s.path)] or ([] if written else changed)
    known = {new.text} if old is None else {new.text, old.text}
    return tuple(_distinct(new, sites, MUTATING, known, place))


def _kept_paths(old: EditScope, new: EditScope, aside: Sequence[NodePath]) -> tuple[NodePath, ...]:
    where = region(old.node, new.node)
    return (*carried_over(old.node, new.node, where), *carried_expressions(old.node, new.node, where), *aside)


def looser_forms(new: EditScope, old: EditScope) -> tuple[Mutant, ...]:
    """The new function without one restriction that the change brings in, for each of them. A restriction is a
    condition, a part of one, a bound, or a lookup. It may also be a call of what the old function does not call as
    often. What the old function restricts in the same words, or the change only restates, is none.
    """
    where, kept = region(old.node, new.node), _kept_paths(old, new, ())
    known = Counter(_bare(node) for _, node in walk(old.node) if isinstance(node, _ASKED))
    known.subtract(_bare(node) for _, node in walk(new.node) if isinstance(node, _ASKED))
    gone = [node for _, node in walk(old.node) if isinstance(node, _ASKED) and known[_bare(node)] > 0]
    place = places_in(new)
    every = ground(new, Neighbourhood(), place=place).sites
    sites = [s for s in every if covers(where.new, s.path) and not covers(kept, s.path)]
    added = [
        s
        for s in sites
        if not isinstance(s.node, _ASKED) or (known[_bare(s.node)] < 0 and not restates_condition(s.node, gone))
    ]
    known_texts = {new.text, old.text}
    fresh = _count_called(new) - _count_called(old)
    called = [s for s in added if isinstance(s.node, cst.Call) and _bare(s.node.func) in fresh]
    plain = [operator for operator in LOOSENING if operator.name != UNWRAPPING]
    unwrapping = [operator for operator in LOOSENING if operator.name == UNWRAPPING]
    forms = (*_distinct(new, added, plain, known_texts, place), *_distinct(new, called, unwrapping, known_texts, place))
    return tuple(sorted(forms, key=lambda form: form.line))


def _count_called(scope: EditScope) -> Counter[str]:
    """How often each thing is called in the function."""
    return Counter(_bare(node.func) for _, node in walk(scope.node) if isinstance(node, cst.Call))


def _bare(node: cst.CSTNode) -> str:
    return cst.Module([]).code_for_node(node)


def sabotages(scope: EditScope) -> tuple[Trial, ...]:
    """The function with all but its docstring replaced: raising, returning ``None``, returning its first argument."""
    node = scope.node
    bodies: list[tuple[str, ...]] = [('raise NotImplementedError("sabotage")',), ("return None",)]
    params = [p.name.value for p in (*node.params.posonly_params, *node.params.params)]
    plain = [p for p in params if p not in ("self", "cls")]
    if plain:
        bodies.append((f"return {plain[0]}",))
    if _yields(node):
        value = plain[0] if plain else "None"
        asynchronous = node.asynchronous is not None
        raising = ('raise NotImplementedError("sabotage")', "yield None")
        bodies = [raising, ("return", "yield None"), ("yield None",) if asynchronous else (f"yield {value}",)]
    docstring: list[cst.BaseStatement] = []
    match node.body:  # it stays where it has lines of its own: the examples in it may be the tests
        case cst.IndentedBlock(body=[cst.SimpleStatementLine(body=[cst.Expr()]) as first, *_]):
            docstring = [first] if node.get_docstring() is not None else []
    indent = node.body.indent if isinstance(node.body, cst.IndentedBlock) else None
    trials: list[Trial] = []
    for lines in bodies:
        block = cst.IndentedBlock([*docstring, *map(cst.parse_statement, lines)], indent=indent)
        origin = Origin("sabotage", f"body replaced by `{'; '.join(lines)}`")
        trial = render(scope, Proposal(scope.function, (Replacement((), (node.with_changes(body=block),)),), origin))
        if isinstance(trial, Trial):  # else the function does nothing else already
            trials.append(trial)
    return tuple(trials)


def _distinct(
    scope: EditScope, sites: Iterable[Site], operators: Sequence[Operator], known: set[bytes], place: Placed
) -> Iterator[Mutant]:
    compiled = _compiles(scope.tree.code)
    printer, fragments = Printer(scope, place), Fragments()
    looking: dict[tuple[type[cst.CSTNode], str], list[Operator]] = {}
    for site in sites:
        kind = type(site.node), site.role
        if kind not in looking:  # a type is compared with those of the operators once
            looking[kind] = [o for o in operators if issubclass(kind[0], o.on) and site.role in o.roles]
        for operator, edit in ((o, edit) for o in looking[kind] for edit in edits_at(o, site)):
            text = _print_edit(scope, edit, printer, fragments)
            if text is None or text in known:
                continue
            known.add(text)
            if not compiled or _compiles(scope.header + text.decode(scope.encoding)):
                yield Mutant(text, operator.name, edit.detail, site.line)


def _print_edit(scope: EditScope, edit: Edit, printer: Printer, fragments: Fragments) -> bytes | None:
    """The function's text after an edit; ``None`` where no such tree can be built."""
    replacements = []
    for change in edit.changes:
        nodes = as_nodes(scope.node, change.at, change.pieces, fragments)
        if nodes is None:
            return None
        replacements.append(Replacement(change.at, nodes))
    trial = printer.render(Proposal(scope.function, tuple(replacements), Origin("mutation", "")))
    return trial.text if isinstance(trial, Trial) else None


def _compiles(code: str) -> bool:
    return not compile_problem("<mutant>", code.lstrip("\ufeff"))


def _yields(node: cst.FunctionDef) -> bool:
    """Whether the function itself, not one inside it, yields: ``yield x``, ``x = yield``, ``yield from xs``."""
    pending: list[cst.CSTNode] = list(node.body.children)
    while pending:
        each = pending.pop()
        if isinstance(each, cst.Yield):
            return True
        if not isinstance(each, (cst.FunctionDef, cst.Lambda, cst.ClassDef)):
            pending.extend(each.children)
    return False


def unreached_mutants(scope: EditScope, found: Sequence[Mutant], ran: Set[int]) -> frozenset[Mutant]:
    """Those of the function's mutants whose statements have no line among those of the file that ran.

    None of them where no line of the function's body ran: then something else than the tests ran it. What a tracer
    may not see is taken to have run.
    """
    parts = parts_of(scope.text.decode(scope.encoding))
    above = scope.function.first_line - 1
    ran_here = {line - above for line in ran}
    reached = set(parts.parts_at(ran_here)) if parts is not None else set()
    if parts is None or not reached:
        return frozenset()

    def left_out(mutant: Mutant) -> bool:
        around = parts.parts_at({mutant.line - above})
        return bool(around) and not any(part.silent or part in reached for part in around)

    return frozenset(mutant for mutant in found if left_out(mutant))


MOST_BRANCHES = 4
"""So many are looked at, from the top."""


@dataclass(frozen=True, slots=True)
class KeptBranch:
    """One ``if`` that stands in both functions word for word, and each function without it."""

    head: str
    new: bytes
    old: bytes


def kept_branches(new: EditScope, old: EditScope) -> tuple[KeptBranch, ...]:
    """The branches without ``else`` that the change leaves as they were and where nothing else reads alike.

    Example: of ``if n < 0: return 0`` above a changed line there is one. A branch that holds the change is none.
    """
    where = region(old.node, new.node)
    before = dict(_branches(old, where.old))
    found: list[KeptBranch] = []
    for text, path in _branches(new, where.new):
        if text in before and len(found) < MOST_BRANCHES:
            without = _leave_out(new, path), _leave_out(old, before[text])
            if without[0] and without[1]:
                found.append(KeptBranch(clip_text(text.splitlines()[0]), *without))
    return tuple(found)


def _branches(scope: EditScope, changed: tuple[NodePath, ...]) -> Iterator[tuple[str, NodePath]]:
    """Each such branch by its text, which stands once in the function."""
    every: dict[str, list[NodePath]] = {}
    for path, node in walk(scope.node):
        if isinstance(node, cst.If) and node.orelse is None and "orelse" not in path[-1:]:
            text = cst.Module([]).code_for_node(node.with_changes(leading_lines=())).strip()
            every.setdefault(text, []).append(path)
    for text, paths in every.items():
        holds = any(each[: len(paths[0])] == paths[0] for each in changed)
        if len(paths) == 1 and not holds and not covers(changed, paths[0]):
            yield text, paths[0]


def _leave_out(scope: EditScope, path: NodePath) -> bytes:
    """The function's text without what stands there; nothing where it cannot be left out."""
    made = render(scope, Proposal(scope.function, (Replacement(path, ()),), Origin("mutation", "left out")))
    return made.text if isinstance(made, Trial) else b""
