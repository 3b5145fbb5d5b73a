"""What a function's docstring says, as facts: ends of calls, kinds, examples, and what parameters must be."""

from __future__ import annotations

import ast
import doctest
import re
from collections.abc import Iterator
from dataclasses import dataclass

from analysis.specified.fact_record import Extractor, Fact, Predicate, QuotePlace
from analysis.specified.kinds_text import kinds_text
from analysis.specified.parameters import parameter_facts
from analysis.stated.condition import Taken
from analysis.stated.docstring import docstring_of, sentences_of
from analysis.stated.fact import (
    AllOf,
    Always,
    AnyOf,
    Argument,
    Certainty,
    Compares,
    Condition,
    FactSource,
    Fixed,
    Gives,
    GivesKind,
    IsEmpty,
    IsKind,
    IsSorted,
    IsWithin,
    Negated,
    Operand,
    Raises,
    StatedFact,
    Undecided,
)
from analysis.stated.function import StatedFunction
from analysis.stated.sentence import plain_text

_MOST_LETTERS = 400
_MOST_EXAMPLES = 50


def docstring_facts(path: str, function: StatedFunction) -> Iterator[Fact]:
    """What the docstring of a function, and the words around it, say of it."""
    subject = f"{path}:{function.qualname}"
    for stated in function.stated.facts:
        if stated.source is not FactSource.ANNOTATION:
            yield from facts_from_stated(stated, subject, path, Extractor.DOCSTRING)
    own = docstring_of(function.node)
    if own is None:
        return
    text, first = own
    for said in parameter_facts(text, {each.arg for each in _parameters(function)}):
        place = QuotePlace(path, first + said.line)
        yield Fact(subject, said.predicate, said.value, place, said.quote, Extractor.DOCSTRING, said.name)
    yield from _example_facts(text, first, path, subject, function)
    yield from _property_facts(text, first, path, subject, function)


def facts_from_stated(
    stated: StatedFact, subject: str, path: str, extractor: Extractor, requirement: str = "", end_line: int = 0
) -> Iterator[Fact]:
    """The facts that a sentence states, in the words of the store; one of two bounds each."""
    place = QuotePlace(path, stated.line, end_line)
    when = condition_text(stated.condition)
    sure = stated.certainty is Certainty.CERTAIN
    for predicate, value in _ends(stated):
        yield Fact(
            subject, predicate, value, place, stated.quote, extractor, "", when, requirement, sure=sure, means=stated
        )


def _ends(stated: StatedFact) -> Iterator[tuple[Predicate, str]]:
    match stated.end:
        case Gives(source):
            yield Predicate.RETURNS, source
        case Raises(name):
            yield Predicate.RAISES, name
        case GivesKind(kinds):
            yield Predicate.TYPE, kinds_text(kinds)
        case IsSorted(descending):
            yield Predicate.ORDER, "descending" if descending else "ascending"
        case IsWithin(least, most, counts_items):
            predicate = Predicate.LENGTH if counts_items else Predicate.RANGE
            for bound, sign in ((least, ">="), (most, "<=")):
                if bound is not None:
                    yield predicate, f"{sign} {_operand_text(bound)}"


def condition_text(condition: Condition) -> str:
    """A condition in words: ``n < 0``, ``items is empty``; what nobody can decide stands in quotes."""
    match condition:
        case Always():
            return ""
        case Compares(left, sign, right):
            return f"{_operand_text(left)} {sign} {_operand_text(right)}"
        case IsEmpty(name, kinds):
            return f"{name} is empty" + (f" {' or '.join(kinds)}" if kinds else "")
        case IsKind(name, kinds):
            return f"{name} is {' or '.join(kinds)}"
        case Negated(inner):
            return f"not ({condition_text(inner)})"
        case AnyOf(parts):
            return " or ".join(condition_text(each) for each in parts)
        case AllOf(parts):
            return " and ".join(condition_text(each) for each in parts)
        case Undecided(text):
            return f'"{text}"' if text else '""'


def _operand_text(operand: Operand) -> str:
    return operand.name if isinstance(operand, Argument) else operand.source


@dataclass(frozen=True, slots=True)
class CallClaim:
    """A plain call of a function and what it is said to come to: a value as source, or an exception's name."""

    name: str
    condition: Condition
    end: Gives | Raises

    def stated(self, quote: str, line: int) -> StatedFact:
        """The same as a fact with its words."""
        return StatedFact(self.condition, self.end, quote, line)


def call_condition(call: ast.Call, taken: Taken, positional: int) -> Condition | None:
    """What a plain call says of the arguments: each parameter has this value. ``None`` where one is no literal."""
    if len(call.args) > positional or any(isinstance(each, ast.Starred) for each in call.args):
        return None
    given: dict[str, ast.expr] = dict(zip(taken.names, call.args, strict=False))
    if any(each.arg is None or each.arg not in taken.names or each.arg in given for each in call.keywords):
        return None
    given |= {str(each.arg): each.value for each in call.keywords}
    parts: list[Condition] = []
    for name in taken.names:
        source = literal_source_of(given[name]) if name in given else taken.default(name)
        if source is None and name in given:
            return None
        if source is not None:
            parts.append(Compares(Argument(name), "==", Fixed(source)))
    return AllOf(tuple(parts)) if len(parts) != 1 else parts[0]


def literal_source_of(node: ast.expr) -> str | None:
    """The literal as source that can be read again; ``None`` for anything else."""
    try:
        source = repr(ast.literal_eval(node))
        ast.literal_eval(source)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return None
    return source if len(source) <= _MOST_LETTERS else None


def _example_facts(text: str, first: int, path: str, subject: str, function: StatedFunction) -> Iterator[Fact]:
    """``>>> f(3)`` with what stands below, as long as it is a plain call of the function and a plain value."""
    try:
        examples = doctest.DocTestParser().get_examples(text)
    except ValueError:
        return
    name = function.qualname.rpartition(".")[2]
    for each in examples[:_MOST_EXAMPLES]:
        claim = example_claim(each, name, function)
        if claim is not None:
            quote = f">>> {each.source.strip()} {each.want.strip()}"
            stated = claim.stated(quote, first + each.lineno)
            yield from facts_from_stated(stated, subject, path, Extractor.DOCTEST, "", first + each.lineno + 1)


def example_claim(example: doctest.Example, name: str, function: StatedFunction) -> CallClaim | None:
    """What an example claims of a plain call of the function."""
    if doctest.SKIP in example.options:
        return None
    try:
        call = ast.parse(example.source.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if not isinstance(call, ast.Call) or ast.unparse(call.func).rpartition(".")[2] != name or function.is_method:
        return None
    condition = call_condition(call, function.stated.taken, function.stated.positional)
    if condition is None:
        return None
    if example.exc_msg is not None:
        return CallClaim(name, condition, Raises(example.exc_msg.partition(":")[0].strip().rpartition(".")[2]))
    try:
        value = literal_source_of(ast.parse(example.want.strip(), mode="eval").body) if example.want.strip() else None
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return CallClaim(name, condition, Gives(value)) if value is not None else None


_SUBJECT = r"(?:(?:this (?:function|method|operation)|it|{name}(?:\(\))?) )"
_OTHER = r"(?:the )?(?:function |method )?(?P<other>[A-Za-z_][\w.]*?)(?:\(\))?"
_PROPERTIES = (
    (Predicate.IDEMPOTENT, rf"(?:{_SUBJECT}|\w+ing )?(?:is )?idempotent"),
    (
        Predicate.IDEMPOTENT,
        r"(?:calling|applying|running) (?:it|this|{name}(?:\(\))?) twice (?:gives|returns|does) the same"
        r"(?: as (?:calling it )?once)?",
    ),
    (Predicate.IDEMPOTENT, r"{name}\({name}\((?P<given>\w+)\)\) (?:==|equals|gives|is) {name}\((?P=given)\)"),
    (Predicate.ROUND_TRIP, rf"{_SUBJECT}?(?:is )?(?:the )?inverse of {_OTHER}"),
    (Predicate.ROUND_TRIP, r"(?P<other>[A-Za-z_][\w.]*)\({name}\((?P<given>\w+)\)\) (?:==|equals|gives|is) (?P=given)"),
    (
        Predicate.EQUALS,
        rf"(?:{_SUBJECT}?(?:is )?(?:(?:the )?same as|equivalent to|identical to|(?:an? )?alias (?:of|for))"
        rf"|(?:returns|gives) (?:exactly )?(?:the same(?: value| result)? as|what)) {_OTHER}"
        r"(?: (?:does|gives|returns))?",
    ),
    (Predicate.EQUALS, r"{name}\((?P<given>\w+)\) (?:==|equals|is) (?P<other>[A-Za-z_][\w.]*)\((?P=given)\)"),
    (
        Predicate.NEVER,
        rf"{_SUBJECT}?(?:never raises|does not raise)"
        r"(?: an? (?:exception|error)| anything| (?:an? )?(?P<other>(?-i:[A-Z])\w+))?",
    ),
)
"""Whole sentences that state a property; a sentence that says more, or with a condition, states none of these."""


def _property_facts(text: str, first: int, path: str, subject: str, function: StatedFunction) -> Iterator[Fact]:
    """Properties of all calls: twice as once, undone by another function, never raising."""
    for sentence in sentences_of(text, first):
        found = property_in(plain_text(sentence.text), function.node.name)
        if found is None:
            continue
        predicate, value = found
        names_another = re.search(rf"[`*]{re.escape(value)}\b|\b{re.escape(value)}\(", sentence.text)
        if predicate is not Predicate.EQUALS or names_another:  # "the same as before" names no function
            place = QuotePlace(path, sentence.line)
            yield Fact(subject, predicate, value, place, sentence.text, Extractor.DOCSTRING)


def property_in(sentence: str, name: str) -> tuple[Predicate, str] | None:
    """The property that a sentence without marks states of the function of this name, and its value."""
    plain = sentence.strip().rstrip(".").strip()
    for predicate, form in _PROPERTIES:
        found = re.fullmatch(form.replace("{name}", re.escape(name)), plain, re.IGNORECASE)
        if found is not None:
            other = found.groupdict().get("other")
            value = other or {Predicate.IDEMPOTENT: "True", Predicate.NEVER: "Exception"}.get(predicate, "")
            return None if value.lower() in ("this", "it", name.lower()) else (predicate, value)
    return None


def _parameters(function: StatedFunction) -> list[ast.arg]:
    arguments = function.node.args
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
