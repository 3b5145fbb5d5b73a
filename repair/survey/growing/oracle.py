"""Who says how a call should end: a sentence of the project, else only the program as it is now."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import assert_never

from analysis.behaviour import (
    Behaviour,
    Call,
    CallResult,
    Difference,
    Raised,
    Returned,
    Rung,
    are_messages_apart,
    literal_of,
    rung_between,
)
from analysis.calls import FOLDERS
from analysis.facts import Files, FunctionId
from analysis.stated.citation import uncited
from analysis.stated.fact import (
    Argument,
    End,
    Fixed,
    Gives,
    GivesKind,
    IsSorted,
    IsWithin,
    Known,
    Operand,
    Raises,
    StatedFact,
)
from analysis.stated.function import Stated
from repair.compare.answers import module_of, parsed_expression, read_answer
from repair.compare.examples import find_example
from repair.compare.ready_answers import write_answer
from repair.records.grown import SaidBy
from repair.survey.constructors import Constructor, constructed, constructors_in, plain_fields
from repair.survey.growing.claim import CallCase, Claim, ClaimKind

LONGEST_MESSAGE = 160
"""Characters of what an exception says, beyond which no test repeats it."""

LONGEST = 400
"""Characters of a call and its claim, beyond which nobody would read the test."""


@dataclass(frozen=True, slots=True)
class CaseMaker:
    """Makes cases of calls of one function. ``constructors`` are those of the project's classes by dotted name."""

    function: FunctionId
    sources: Files
    stated: Stated
    docstring: str
    constructors: tuple[tuple[str, Constructor], ...]
    wrapped: bool = False
    """Whether a decorator may make something else of what the function gives: then a run tells what a test sees."""
    fixtures: tuple[str, ...] = ()
    """Fixtures on whose objects the method's own tests call it."""

    def cases(self, difference: Difference) -> tuple[CallCase, ...]:
        """The tests that may be made of an input, best said first; none where the call cannot be written down.

        What the difference rests on has to be asked for: the tenth digit is not. What an exception says is asked
        for where the two programs differ in nothing else.
        """
        is_told = rung_between(difference.mine, difference.other) >= Rung.VALUE
        if not is_told and not are_messages_apart(difference.mine, difference.other):
            return ()
        plain = self.pinned(difference.call, difference.mine)
        forms = [*([plain] if plain is not None else []), *self._on_fixtures(difference)]
        if not is_told:
            return tuple(each for form in forms for each in self._saying(form, difference))
        cases = tuple(case for form in forms for case in self._claims(form, difference))
        return cases or tuple(self._fields_apart(difference))

    def _saying(self, pinned: CallCase, difference: Difference) -> Iterator[CallCase]:
        """That the exception says what it says; nothing where that names a folder of the run, or is long."""
        text = difference.mine.message if isinstance(difference.mine, Raised) else ""
        node = parsed_expression(text) if len(text) <= LONGEST_MESSAGE else None
        said = node.value if isinstance(node, ast.Constant) else None
        if isinstance(said, str) and not any(folder in said for folder in FOLDERS) and not self._breaks(difference):
            yield replace(pinned, claim=replace(pinned.claim, message=repr(said)))

    def _fields_apart(self, difference: Difference) -> Iterator[CallCase]:
        """Of an object that nothing makes: that its plain fields have their values, for those that differ."""
        other = dict(plain_fields(difference.other))
        for name, value in plain_fields(difference.mine):
            if name in other and other[name] != value and self._may_pin(difference):
                yield from self.of_field(difference.call, name, value)

    def of_field(self, call: Call, name: str, value: str) -> Iterator[CallCase]:
        """The test that a field of what the call gives has a value."""
        nothing = self._written(call, Returned("None"))
        if nothing is not None and not nothing.call.startswith("list("):
            yield replace(nothing, call=f"{nothing.call}.{name}", claim=Claim(ClaimKind.EQUALS, value), does=None)

    def _claims(self, pinned: CallCase, difference: Difference) -> tuple[CallCase, ...]:
        """What may be said of the end of this call, best said first."""
        required = [*self._by_example(pinned, difference)]
        required += [
            replace(pinned, claim=claim, standing=SaidBy.REQUIRED, said=self.stated.cite(fact))
            for fact, claim in self._required(pinned, difference)
        ]
        return (*required, *([pinned, *self._truths(pinned, difference.mine)] if self._may_pin(difference) else []))

    def _truths(self, pinned: CallCase, does: Behaviour) -> Iterator[CallCase]:
        """Of a wrapped function: that the call counts as true or false, whatever the decorator makes of its end.

        Example: a decorator makes an object of a refusal that says why, and that counts as false.
        """
        value = literal_of(does) if isinstance(does, Returned) else None
        if self.wrapped and (value is not None or isinstance(does, Raised)):
            kind = ClaimKind.TRUE if value is not None and value[0] else ClaimKind.FALSE
            yield replace(pinned, claim=Claim(kind))

    def _may_pin(self, difference: Difference) -> bool:
        """Whether what the program does may be told as it is: not where a sentence says otherwise, nor an accident.

        An exception that no ``raise`` of the project made is one: nobody wrote it down anywhere.
        """
        return not difference.is_accident and not self._breaks(difference)

    def _breaks(self, difference: Difference) -> bool:
        return bool(self.stated.broken_by(difference.call, difference.mine))

    def pinned(self, call: Call, does: Behaviour) -> CallCase | None:
        """The test that says that the call ends as it does."""
        return self._written(call, does)

    def _on_fixtures(self, difference: Difference) -> Iterator[CallCase]:
        """The same call on what a fixture gives. Only a run tells whether the program does the same there."""
        if "." not in self.function.qualname or self.function.qualname.endswith("__"):
            return
        call, does = difference.call, difference.mine
        for name in self.fixtures:
            case = self._written(call, does, name) if call.context else None
            if case is not None and case.call.removeprefix("list(").startswith(f"{name}."):
                yield replace(case, fixtures=(name,))

    def _written(self, call: Call, does: Behaviour, instance: str = "") -> CallCase | None:
        """The call and its end as source; ``None`` where it cannot be written, or is too long to be read."""
        text = write_answer(self.function, CallResult(call, does), self.sources, instance)
        if not text:
            return None
        answer = read_answer(text)
        known = dict(self.constructors)
        called = constructed(answer.call, known.get)
        expected = answer.expected if answer.raises else constructed(answer.expected, known.get)
        if not called or not expected or len(called) + len(expected) > LONGEST:
            return None
        claim = Claim(ClaimKind.RAISES if answer.raises else ClaimKind.EQUALS, expected)
        own = self.stated.taken.names[: self.stated.positional]
        return CallCase(self.function.qualname, called, claim, parameters=own, given=call.given, does=does)

    def called(self, function: FunctionId) -> str:
        """The dotted name of a function of the project."""
        return f"{module_of(function.path, self.sources)}.{function.qualname}"

    def _by_example(self, pinned: CallCase, difference: Difference) -> Iterator[CallCase]:
        """The same claim as an example of the docstring makes it."""
        found = find_example(self.docstring, CallResult(difference.call, difference.mine))
        source, _, want = found.partition(" gives ")
        if source and not uncited("EQUALS", pinned.claim.value, f">>> {source} {want}"):
            yield replace(pinned, standing=SaidBy.REQUIRED, said=self.cite_example(f"{source} {want}"))

    def cite_example(self, text: str) -> str:
        """An example of the docstring with its place."""
        return cite_example(self.function, dict(self.sources)[self.function.path], text)

    def _required(self, pinned: CallCase, difference: Difference) -> Iterator[tuple[StatedFact, Claim]]:
        """What facts claim of the call, so that the other program breaks it, and every word of it is cited."""
        known = self.stated.known(difference.call)
        broken = self.stated.broken_by(difference.call, difference.other)
        for fact in self.stated.kept_by(difference.call, difference.mine):
            if fact not in broken:
                continue
            claim = claim_of(fact.end, known, pinned, difference.mine)
            if claim is not None and not uncited(claim.kind.name, claim.value, fact.quote):
                yield fact, claim


def cite_example(function: FunctionId, source: bytes, text: str) -> str:
    """An example of a function's docstring with its place in the file."""
    start = f">>> {text.split(' ')[0]}"
    lines = source.decode("utf-8", "replace").splitlines()
    own = range(function.first_line, len(lines) + 1)
    line = next((number for number in own if start in lines[number - 1]), function.first_line)
    return f'{function.path}:{line} says ">>> {text}"'


def claim_of(end: End, known: Known, pinned: CallCase, does: Behaviour | None) -> Claim | None:
    """What a fact's end claims, as source; ``None`` where it cannot be written down.

    An exception of the project can be where the call was seen to raise it.
    """
    match end:
        case Gives(source):
            return Claim(ClaimKind.EQUALS, source)
        case Raises(name):
            if hasattr(builtins, name):
                return Claim(ClaimKind.RAISES, name)
            same = isinstance(does, Raised) and does.type == name
            return Claim(ClaimKind.RAISES, pinned.claim.value) if same else None
        case GivesKind(kinds):
            names = ["type(None)" if kind == "NoneType" else kind for kind in kinds]
            return Claim(ClaimKind.IS_KIND, names[0] if len(names) == 1 else f"({', '.join(names)})")
        case IsSorted(descending):
            return Claim(ClaimKind.DESCENDING if descending else ClaimKind.SORTED)
        case IsWithin(least, most, counts_items):
            bound = least or most
            value = _value(bound, known) if bound is not None and not (least and most) else ""
            at_least, at_most = _COUNTS if counts_items else _BOUNDS
            return Claim(at_least if least else at_most, value) if value else None
    assert_never(end)


_BOUNDS = (ClaimKind.AT_LEAST, ClaimKind.AT_MOST)
_COUNTS = (ClaimKind.COUNT_AT_LEAST, ClaimKind.COUNT_AT_MOST)


def _value(operand: Operand, known: Known) -> str:
    match operand:
        case Fixed(source):
            return source
        case Argument(name):
            return repr(known[name]) if name in known else ""


def constructors_of(sources: Files, modules: dict[str, str]) -> tuple[tuple[str, Constructor], ...]:
    """The constructors of all classes by dotted name; ``modules`` gives the dotted name of each file."""
    found = ((modules[path], constructors_in(text)) for path, text in sources if modules.get(path))
    return tuple((f"{module}.{name}", taken) for module, own in found for name, taken in own.items())
