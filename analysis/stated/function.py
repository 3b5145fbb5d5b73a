"""All facts that a file states of one function: in its docstring, in its annotations, and around it."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from analysis.behaviour import Behaviour, Call
from analysis.calls import CallInput, call_of, is_odd
from analysis.facts import FunctionId
from analysis.function_text import FunctionNode, Unreadable, first_line_of, parse_module
from analysis.stated.annotation import annotated_parameters, annotated_result
from analysis.stated.condition import Taken
from analysis.stated.docstring import Section, docstring_of, sentences_of
from analysis.stated.fact import (
    Always,
    FactSource,
    Gives,
    IsKind,
    Known,
    Raises,
    StatedFact,
    applies,
    meets,
    parameters_in,
)
from analysis.stated.sentence import facts_of, plain_text

_MOST_FACTS = 100
"""Facts of one function that are held against its calls; the docstring's come first."""


@dataclass(frozen=True, slots=True)
class Stated:
    """The facts about one function in the file at ``path``, and the parameters that a call of it fills."""

    path: str = ""
    taken: Taken = field(default_factory=Taken)
    positional: int = 0
    """How many of the parameters may be given by position."""
    facts: tuple[StatedFact, ...] = ()
    kinds: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """The kinds of values that annotated parameters take."""

    def known(self, call: Call) -> Known:
        """The arguments of a call by parameter, defaults among them, as far as they are literals."""
        found = {name: ast.literal_eval(source) for name, source in self.taken.defaults}
        try:
            parsed = ast.parse(f"f{call.arguments or '()'}", mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return {}
        if not isinstance(parsed, ast.Call) or len(parsed.args) > self.positional:
            return {}
        given = [*zip(self.taken.names, parsed.args, strict=False), *((k.arg or "", k.value) for k in parsed.keywords)]
        for name, node in given:
            found.pop(name, None)
            try:
                found[name] = ast.literal_eval(node)
            except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
                continue
        return found

    def is_outside(self, call: Call) -> bool:
        """Whether an argument is of a kind that the annotation of its parameter leaves out: text for ``n: int``."""
        return call.of is None and self._leaves_out(self.known(call))

    def _leaves_out(self, known: Known) -> bool:
        return any(applies(IsKind(name, kinds), known) is False for name, kinds in self.kinds)

    def broken_by(self, call: Call, behaviour: Behaviour) -> tuple[StatedFact, ...]:
        """The facts that a call which ends so breaks. None where another fact allows for that end."""
        if call.of is not None:
            return ()  # another function's call: nothing is written of it here
        known = self.known(call)
        broken = tuple(f for f in self._applying(known) if meets(f.end, behaviour, known) is False)
        return () if any(self._allows(fact, behaviour, known) for fact in self.facts) else broken

    def kept_by(self, call: Call, behaviour: Behaviour) -> tuple[StatedFact, ...]:
        """The facts that apply to the call and that such an end keeps to; none where it breaks another one."""
        if call.of is not None:
            return ()
        known = self.known(call)
        kept = tuple(f for f in self._applying(known) if meets(f.end, behaviour, known))
        return kept if not self.broken_by(call, behaviour) else ()

    def speaks_of(self, call: Call) -> bool:
        """Whether a fact speaks of calls like this one, and not of every call: "for an empty list" of ``total([])``."""
        known = self.known(call)
        return any(not isinstance(f.condition, Always) and applies(f.condition, known) for f in self.facts)

    def is_like(self, fact: StatedFact, call: Call, inputs: Sequence[CallInput]) -> bool:
        """Whether a call is like those of tests, which make these ``inputs``, but for what the fact says of it.

        What holds of every call says nothing of odd ones. Else every parameter that may be left out has its default, or
        a value that some test gives. Example: "Raises ValueError if n is negative" says nothing where ``low`` is -9,
        which no test moves.
        """
        if isinstance(fact.condition, Always):
            return not is_odd(call, inputs)
        spoken_of = parameters_in(fact.condition)
        usual = [self.known(Call("")), *(self.known(call_of(each)) for each in inputs)]
        optional = ((name, value) for name, value in self.known(call).items() if self.taken.default(name) is not None)
        return all(
            any(name in each and repr(each[name]) == repr(value) for each in usual)
            for name, value in optional
            if name not in spoken_of
        )

    def named_by(self, behaviour: Behaviour) -> StatedFact | None:
        """A fact that names this very end, where nobody can decide when it comes: "None if nothing matches"."""
        named = (f for f in self.facts if not f.is_decidable and isinstance(f.end, Gives | Raises))
        return next((fact for fact in named if meets(fact.end, behaviour, {})), None)

    def cite(self, fact: StatedFact) -> str:
        """The words of a fact without marks, and their place: ``stats.py:12 says "Returns 0 for an empty list."``"""
        return f'{fact.path or self.path}:{fact.line} says "{plain_text(fact.quote)}"'

    def with_facts(self, facts: Iterable[StatedFact]) -> Stated:
        """These facts besides."""
        return replace(self, facts=(*self.facts, *facts))

    def without(self, facts: Collection[StatedFact]) -> Stated:
        """All but these facts."""
        return replace(self, facts=tuple(fact for fact in self.facts if fact not in facts))

    def _applying(self, known: Known) -> Iterator[StatedFact]:
        """The facts that apply to a call; what holds of every call is meant of those that annotations allow."""
        outside = self._leaves_out(known)
        for fact in self.facts:
            if applies(fact.condition, known) and not (outside and isinstance(fact.condition, Always)):
                yield fact

    def _allows(self, fact: StatedFact, behaviour: Behaviour, known: Known) -> bool:
        """Whether words that nobody can decide, or that hold as well, allow for the end."""
        if not isinstance(fact.end, Gives | Raises) or applies(fact.condition, known) is False:
            return False
        return bool(meets(fact.end, behaviour, known))


def stated_of(function: FunctionId, source: bytes) -> Stated:
    """What the file states of the function; no facts where it cannot be read, or has no such function."""
    tree = parse_module(source)
    if isinstance(tree, Unreadable):
        return Stated(function.path)
    found = _find(tree, function)
    return Stated(function.path) if found is None else _stated(function.path, *found, tree)


@dataclass(frozen=True, slots=True)
class StatedFunction:
    """A function of a file, by its qualified name, and what the file states of it."""

    qualname: str
    node: FunctionNode
    stated: Stated
    is_method: bool = False

    @property
    def required(self) -> frozenset[str]:
        """The parameters that each call has to give."""
        arguments = self.node.args
        plain = [*arguments.posonlyargs, *arguments.args]
        without = plain[: len(plain) - len(arguments.defaults)]
        named = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        needed = {each.arg for each in (*without, *(each for each, default in named if default is None))}
        return frozenset(needed & set(self.stated.taken.names))


def stated_functions(path: str, tree: ast.Module) -> Iterator[StatedFunction]:
    """The functions and methods of a file that stand in no other function, with what is stated of each."""
    for node, around in _functions(tree):
        if not any(isinstance(each, FunctionNode) for each in around):
            owner = around[-1] if around and isinstance(around[-1], ast.ClassDef) else None
            name = ".".join([*(each.name for each in around), node.name])
            yield StatedFunction(name, node, _stated(path, node, owner, tree), owner is not None)


def _stated(path: str, node: FunctionNode, owner: ast.ClassDef | None, tree: ast.Module) -> Stated:
    taken = _what_it_takes(node, in_class=owner is not None)
    plain = [*node.args.posonlyargs, *node.args.args]
    bound = owner is not None and not _is_static(node) and bool(plain)
    facts = dict.fromkeys(islice(_facts(node, owner, tree, taken), _MOST_FACTS))
    return Stated(path, taken, len(plain) - bound, tuple(facts), tuple(annotated_parameters(node)))


def _find(tree: ast.Module, function: FunctionId) -> tuple[FunctionNode, ast.ClassDef | None] | None:
    """The function of that name nearest to that line, and the class that it stands in."""
    same = [
        (node, around[-1] if around and isinstance(around[-1], ast.ClassDef) else None)
        for node, around in _functions(tree)
        if ".".join([*(each.name for each in around), node.name]) == function.qualname.replace("<locals>.", "")
    ]
    return min(same, key=lambda each: abs(first_line_of(each[0]) - function.first_line), default=None)


Around = tuple[FunctionNode | ast.ClassDef, ...]


def _functions(tree: ast.Module) -> Iterator[tuple[FunctionNode, Around]]:
    waiting: list[tuple[ast.AST, Around]] = [(tree, ())]
    while waiting:
        above, around = waiting.pop()
        for node in ast.iter_child_nodes(above):
            if isinstance(node, FunctionNode):
                yield node, around
            if isinstance(node, FunctionNode | ast.ClassDef):
                waiting.append((node, (*around, node)))
            elif not isinstance(node, ast.expr):
                waiting.append((node, around))


def _is_static(node: FunctionNode) -> bool:
    return any(isinstance(each, ast.Name) and each.id == "staticmethod" for each in node.decorator_list)


def _what_it_takes(node: FunctionNode, *, in_class: bool) -> Taken:
    arguments = node.args
    plain = [*arguments.posonlyargs, *arguments.args]
    values = [None] * (len(plain) - len(arguments.defaults)) + list(arguments.defaults)
    every = [*zip(plain, values, strict=True), *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)]
    if in_class and plain and not _is_static(node):
        every = every[1:]
    names = tuple(each.arg for each, _ in every)
    needed = [each.arg for each, default in every if default is None]
    literals = [
        (each.arg, source) for each, default in every if default is not None and (source := _plain_source(default))
    ]
    open_ended = arguments.vararg is not None
    sole = needed[0] if len(needed) == 1 else names[0] if len(names) == 1 else ""
    return Taken(names, "" if open_ended else sole, tuple(literals), in_class and not _is_static(node))


def _plain_source(node: ast.expr) -> str:
    """A default's source where it is a literal; empty where it is none, or too deep or too long to print."""
    try:
        ast.literal_eval(node)
        return ast.unparse(node)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return ""


def _facts(node: FunctionNode, owner: ast.ClassDef | None, tree: ast.Module, taken: Taken) -> Iterator[StatedFact]:
    own = docstring_of(node)
    if own is not None:
        for sentence in sentences_of(*own):
            yield from facts_of(sentence, node.name, taken, FactSource.DOCSTRING)
    yield from annotated_result(node)
    for around, source in ((owner, FactSource.CLASS), (tree, FactSource.MODULE)):
        text = docstring_of(around) if around is not None else None
        if text is not None:
            for sentence in sentences_of(*text):
                if sentence.place in (Section.SUMMARY, Section.PROSE):
                    yield from facts_of(sentence, node.name, taken, source)
