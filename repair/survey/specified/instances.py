"""Objects for the calls of methods: made as the class's tests make them, its examples, or the facts of its constructor.

A call of a method is run through one function that is laid beside the class: it makes a fresh object, and calls the
method. Whether an object can be made at all is asked by itself: what its constructor raises says nothing of the method.
"""

from __future__ import annotations

import ast
import doctest
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from analysis.behaviour import Behaviour, Call, Raised
from analysis.calls import CallInput, call_of
from analysis.diagnosis import is_test_path
from analysis.facts import Files, FunctionId, InvalidRun, Limits
from analysis.function_text import last_name
from analysis.specified.docstring_facts import literal_source_of
from analysis.specified.fact_record import Fact, Predicate
from analysis.specified.kinds_text import kinds_from_text
from analysis.stated.docstring import docstring_of
from analysis.stated.function import StatedFunction
from repair.records.ports import Sandbox
from repair.survey.constructors import Constructor, constructors_in

MOST_WAYS = 3
"""Objects on which a method is called."""

MOST_ABOVE = 6
"""Classes above one that are looked at."""

_DRIVER = "_repair_made_instances"
_KINDS_OF_ACCESS = frozenset(("property", "cached_property"))
_OF_THE_CLASS = frozenset(("staticmethod", "classmethod"))
_HARMLESS = frozenset(("override", "final"))
_EXAMPLES: Mapping[str, str] = {
    "int": "1",
    "float": "0.5",
    "str": "'a'",
    "bytes": "b'a'",
    "bool": "True",
    "list": "[1, 2]",
}
"""A plain value of a kind, for a constructor that says what it takes."""


@dataclass(frozen=True, slots=True)
class AnsweredCall:
    """A call that was made: what the function was given, the call as it is told, and how it ended."""

    given: CallInput
    call: Call
    does: Behaviour


@dataclass(frozen=True, slots=True)
class ClassTexts:
    """What is known of the project's classes: trees by path, sources, and facts of constructors and fields."""

    trees: Mapping[str, ast.Module]
    sources: Files
    facts: tuple[Fact, ...] = ()

    def ways(self, path: str, owner: str) -> tuple[str, ...]:
        """Expressions that make an instance, those of most tests first."""
        name = owner.rpartition(".")[2]
        told = Counter(self._calls_in_tests(name))
        examples = self._calls_in_examples(path, name)
        found = dict.fromkeys((*(way for way, _ in told.most_common()), *examples))
        made = found or dict.fromkeys(self._by_constructor(path, owner, name))
        return tuple(way.replace(name, owner, 1) for way in made)[:MOST_WAYS]

    def _calls_in_tests(self, name: str) -> Iterator[str]:
        for path, tree in self.trees.items():
            if is_test_path(path) and name.encode() in dict(self.sources).get(path, b""):
                yield from _made_in(tree, name)

    def _calls_in_examples(self, path: str, name: str) -> Iterator[str]:
        """Calls in the examples of the class, of its methods and of its file."""
        tree = self.trees[path]
        nodes = [tree, *(node for node in ast.walk(tree) if isinstance(node, ast.ClassDef | ast.FunctionDef))]
        texts = [found[0] for node in nodes if (found := docstring_of(node)) is not None and ">>>" in found[0]]
        for text in texts:
            try:
                code = "".join(each.source for each in doctest.DocTestParser().get_examples(text) if not each.exc_msg)
                yield from _made_in(ast.parse(code), name)
            except (ValueError, SyntaxError, RecursionError, MemoryError):
                continue

    def _by_constructor(self, path: str, owner: str, name: str) -> Iterator[str]:
        """What the class says that it takes: nothing, or values of kinds that annotations name."""
        where = self._constructor(path, owner)
        if where is None:
            return
        path, owner, takes = where
        kinds = self._kinds(path, owner)
        given = [(each, _EXAMPLES.get(kinds.get(each, ""))) for each, needed in takes if needed]
        if all(value is not None for _, value in given):
            yield f"{name}({', '.join(f'{each}={value}' for each, value in given)})"

    def _constructor(self, path: str, owner: str) -> tuple[str, str, Constructor] | None:
        """Where the class, or the nearest one above it in the project, says what it takes, and what."""
        for _ in range(MOST_ABOVE):
            takes = constructors_in(dict(self.sources).get(path, b"")).get(owner)
            if takes is not None:
                return path, owner, takes
            bases = [each.bases[0] for at, name, each in self._classes() if (at, name) == (path, owner) and each.bases]
            named = [(at, name) for at, name, _ in self._classes() if bases and name == last_name(bases[0])]
            if len(named) != 1:
                return None
            path, owner = named[0]
        return None

    def _classes(self) -> Iterator[tuple[str, str, ast.ClassDef]]:
        """The classes at the top of the program's files."""
        for path, tree in self.trees.items():
            yield from ((path, each.name, each) for each in tree.body if isinstance(each, ast.ClassDef))

    def _kinds(self, path: str, owner: str) -> dict[str, str]:
        subjects = (f"{path}:{owner}", f"{path}:{owner}.__init__")
        own = [each for each in self.facts if each.predicate is Predicate.TYPE and each.subject in subjects]
        return {each.part: min(kinds) for each in own if (kinds := kinds_from_text(each.value))}


def _made_in(tree: ast.Module, name: str) -> Iterator[str]:
    """Calls of the class with plain arguments, as source."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and last_name(node.func) == name and len(node.args) + len(node.keywords) <= 8:
            plain = [*node.args, *(each.value for each in node.keywords if each.arg)]
            named = all(each.arg for each in node.keywords)
            if named and all(literal_source_of(each) is not None for each in plain):
                yield ast.unparse(ast.Call(ast.Name(name, ast.Load()), node.args, node.keywords))


def call_method(
    sandbox: Sandbox,
    path: str,
    function: StatedFunction,
    inputs: Sequence[CallInput],
    texts: ClassTexts,
    limits: Limits,
    then: str = "",
) -> tuple[AnsweredCall, ...] | str:
    """How calls of a method end, each on a fresh object; or why it cannot be run.

    With ``then``, another method of the object is called with what comes of it. Each call comes to three values: what
    the first one gives, what the second one gives, and what the second one raises.
    """
    owner, _, name = function.qualname.rpartition(".")
    marks = {last_name(each) for each in function.node.decorator_list} - _HARMLESS
    if marks - _KINDS_OF_ACCESS - _OF_THE_CLASS:
        return "a method is wrapped"
    if name.startswith("__") and not name.endswith("__"):
        return "a method has a private name"
    of_class = bool(marks & _OF_THE_CLASS)
    ways = (owner,) if of_class else texts.ways(path, owner)
    if not ways:
        return "no test, example or constructor says how an object is made"
    driver = _driver(path, owner, name, ways, texts.sources, calls=not marks & _KINDS_OF_ACCESS, then=then)
    first = [CallInput(repr((number, None, None)), "{}") for number in range(len(ways))]
    pairs = [(number, given, values) for number in range(len(ways)) for given in inputs if (values := given.values())]
    asked = [CallInput(repr((number, *values)), "{}") for number, _, values in pairs]
    answers = sandbox.call_apart(driver[0], [*first, *asked], driver[1], limits=limits)
    if isinstance(answers, InvalidRun):
        return answers.detail
    able = {n for n in range(len(ways)) if answers[n] is not None and not _is_raised(answers[n])}
    if not able:
        return "no object could be made as tests or examples make it"
    told = zip(pairs, answers[len(first) :], strict=True)
    return tuple(
        AnsweredCall(given, call_of(given, f"{ways[number]}.{name}"), answer.behaviour)
        for (number, given, _), answer in told
        if answer is not None and number in able
    )


def _is_raised(answer: object) -> bool:
    return isinstance(getattr(answer, "behaviour", None), Raised)


def _driver(
    path: str, owner: str, name: str, ways: Sequence[str], sources: Files, *, calls: bool, then: str
) -> tuple[FunctionId, Files]:
    """The function that makes the object and calls the method, in a file beside the class."""
    folder, _, file = path.rpartition("/")
    module, is_package = file.removesuffix(".py"), any(each == f"{folder}/__init__.py" for each, _ in sources)
    home = ("." if module == "__init__" else f".{module}") if is_package else module
    code = f"""\
from {home} import {owner.partition(".")[0]}


def call(way, args, named):
    made = ({"".join(f"lambda: {each}, " for each in ways)})[way]()
    if args is None:
        return None
    found = getattr(made, {name!r})
    value = found(*args, **named) if {calls} else found
    if not {then!r}:
        return value
    try:
        return value, getattr(made, {then!r})(value), ""
    except Exception as problem:
        return value, None, type(problem).__name__
"""
    place = f"{folder}/{_DRIVER}.py" if folder else f"{_DRIVER}.py"
    return FunctionId(place, "call", 4), ((place, code.encode()),)
