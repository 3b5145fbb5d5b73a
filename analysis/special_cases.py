"""Special-casing: new literals that repeat what the failing tests put in or expect.

A literal counts as new when neither the old function nor its module holds it. Literals in messages of
exceptions, in subscripts, in thresholds and among the operands of arithmetic are free: there they are
no answer by themselves.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from analysis.danger import DangerLevel, Use, use_at
from analysis.function_text import (
    FunctionNode,
    last_name,
    names_in,
    own_nodes,
    parameters_of,
    parents,
    upwards,
    without_docstring,
)
from analysis.literals import Literal, NotLiteral, is_common, literal_or, literals_in

_BUILTINS = frozenset(dir(builtins))
_ASKING = ("startswith", "endswith", "match", "fullmatch", "__eq__", "__contains__", "eq", "is_", "contains")
_LOOKING = (*_ASKING, "count", "find", "index", "rfind", "rindex", "search")
_WORDS = re.compile(r"[\w ./-]{2,}")
_MOSTLY = 0.8
"""The share of an expected text that a text of the patch has to be, to count as that text."""

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_MESSAGES = (ast.Raise, ast.Assert, ast.Expr)
_JOINING = (ast.JoinedStr, ast.FormattedValue, ast.BinOp, ast.Attribute)
"""What puts a text together with something else: an f-string, a format, a sum, a method of its own."""

_FINGERPRINTS = frozenset({"hash", "crc32", "adler32", "hexdigest", "digest", "md5", "sha1", "sha256"})
_METHODS = "get pop setdefault range getattr hasattr round split join strip ljust rjust"
_LOOKUPS = frozenset(_METHODS.split())


@dataclass(frozen=True, slots=True)
class Known:
    """Literals that are free, those that the failing tests expect and put in, and what these tests are called.

    ``mentions`` says whether a text occurs in the program or in what its tests write down.
    """

    free: frozenset[Literal]
    expected: frozenset[Literal]
    inputs: frozenset[Literal]
    names: frozenset[str] = frozenset()
    mentions: Callable[[str], bool] = lambda text: True

    def is_new(self, value: Literal) -> bool:
        """Whether the value stands nowhere in the old code and is not one that every program uses."""
        respaced = isinstance(value, str) and bool(value.strip()) and value.strip() in self.free
        return not (is_common(value) or value in self.free or respaced)

    def is_of_test(self, value: Literal) -> bool:
        """Whether the value is new, and one of the failing tests mentions it."""
        return self.is_new(value) and (value in self.inputs or value in self.expected)


def special_cases(old: FunctionNode, new: FunctionNode, known: Known) -> Iterator[Use]:
    """The places where the new function answers what the tests ask instead of what they mean."""
    for node in ast.walk(new):
        match node:
            case ast.If(test=test, body=body) | ast.While(test=test, body=body):
                yield from _uses_of_branch(_triggers(test), list(body), node.lineno, known)
            case ast.IfExp(test=test, body=value):
                yield from _uses_of_branch(_triggers(test), [value], node.lineno, known)
            case ast.match_case(pattern=pattern, body=body):
                yield from _uses_of_branch(list(literals_in(pattern)), list(body), body[0].lineno, known)
            case ast.Dict(keys=keys, values=values):
                yield from _uses_of_table(keys, values, node.lineno, known)
            case ast.Compare() | ast.Call():
                yield from _uses_of_question(node, known)
    yield from _answers(old, new, known)
    yield from _tests_named(new, known)
    yield from _uses_of_packed(new, known)


def _uses_of_packed(new: FunctionNode, known: Known) -> Iterator[Use]:
    """Texts that hold several of the tests' values: a table, or a choice, in the form of one literal."""
    values = {str(v) for v in known.inputs | known.expected if isinstance(v, (str, int, float))}
    long = sorted((re.escape(v) for v in values if len(v) > 1), key=len, reverse=True)
    if not long:
        return
    mentioned = re.compile(rf"(?<!\w)(?:{'|'.join(long)})(?!\w)")
    above = parents(new)
    for node in ast.walk(new):
        text = literal_or(node, None) if isinstance(node, ast.expr) else None
        if not isinstance(text, str) or not known.is_new(text):
            continue
        # Part of what an exception says, or of a docstring.
        if any(isinstance(p, _MESSAGES) and not isinstance(n, ast.Call) for n, p in upwards(node, above)):
            continue
        found = sorted(set(mentioned.findall(text)))
        if len(found) > 1:
            claim = f"holds {found[0]!r} and {found[1]!r}, which the failing tests mention, in one text"
            yield _use(DangerLevel.REVIEW, f"packed:{text}", int(getattr(node, "lineno", 0)), claim)


def _tests_named(new: FunctionNode, known: Known) -> Iterator[Use]:
    """Texts that name a failing test, or its file: nothing but a test run can tell them."""
    for statement in without_docstring(new.body):
        for node in (statement, *own_nodes(statement, ())):
            text = literal_or(node, None) if isinstance(node, ast.expr) else None
            told = next((n for n in known.names if isinstance(text, str) and n in text), "")
            if told and text not in known.free:
                yield use_at(node, "runner", told, f"names {told}, which is a failing test or its file")


def _use(severity: DangerLevel, key: str, line: int, claim: str) -> Use:
    return Use("special case", severity, f"special case:{line}:{key}", line, claim)


def _triggers(test: ast.expr) -> list[Literal]:
    """Literals that the condition asks for by equality, membership or a method that compares.

    What something is divided by for its remainder is none: every multiple is asked for.
    """
    found: list[Literal] = []
    for node in ast.walk(test):
        match node:
            case ast.Compare(left=left, ops=ops, comparators=rights):
                if any(isinstance(op, (ast.Eq, ast.Is, ast.In, ast.NotEq, ast.NotIn)) for op in ops):
                    found += [v for side in (left, *rights) for v in literals_in(_undivided(side))]
            case ast.Call(func=func, args=args) if last_name(func) in _ASKING:
                found += [v for a in args for v in literals_in(a)]
    return found


def _undivided(side: ast.expr) -> ast.expr:
    match side:
        case ast.BinOp(left=left, op=ast.Mod(), right=ast.Constant(value=int())) if not isinstance(left, ast.Constant):
            return left
    return side


def _uses_of_branch(triggers: list[Literal], body: list[ast.AST], line: int, known: Known) -> Iterator[Use]:
    asked = [v for v in triggers if known.is_new(v)]
    if not asked:
        return
    of_test = [v for v in asked if known.is_of_test(v)]
    answers = [value for part in body for value in _outcomes(part)]
    if of_test and any(_is_telling_answer(a, known) for a in answers):
        yield _use(DangerLevel.REJECT, "branch", line, f"answers a fixed value where the input is {of_test[0]!r}")
    elif of_test:
        claim = f"treats {of_test[0]!r}, which the failing test mentions, on its own"
        yield _use(DangerLevel.REVIEW, "branch", line, claim)
    elif any(known.is_new(literal_or(a, None)) for a in answers):
        yield _use(DangerLevel.REVIEW, "branch", line, f"answers a fixed value for the one input {asked[0]!r}")


def _outcomes(part: ast.AST) -> Iterator[ast.expr]:
    """What a branch hands on: values returned, yielded or assigned; for an expression, itself."""
    if isinstance(part, ast.expr):
        yield part
        return
    for node in (part, *own_nodes(part, _SCOPES)):
        match node:
            case ast.Return(value=ast.expr() as value) | ast.Yield(value=ast.expr() as value):
                yield value
            case ast.Assign(value=value) | ast.AnnAssign(value=ast.expr() as value):
                yield value


def _is_telling_answer(value: ast.expr, known: Known) -> bool:
    """The answer depends on nothing that the caller gave, and is not a common one."""
    if any(v in known.expected and known.is_new(v) for v in literals_in(value)):
        return True
    constant = not (names_in(value) - _BUILTINS)
    return constant and any(not is_common(v) for v in literals_in(value))


def _uses_of_table(keys: list[ast.expr | None], values: list[ast.expr], line: int, known: Known) -> Iterator[Use]:
    rows = [(literal_or(k, None), v) for k, v in zip(keys, values, strict=True)]
    if any(known.is_of_test(k) and _is_telling_answer(v, known) for k, v in rows):
        yield _use(DangerLevel.REJECT, "table", line, "looks up what the failing test puts in, in a table of answers")
    elif sum(known.is_new(k) and known.is_new(literal_or(v, None)) for k, v in rows) > 1:
        yield _use(DangerLevel.REVIEW, "table", line, "looks up answers in a new table of literals")


def _uses_of_question(node: ast.Compare | ast.Call, known: Known) -> Iterator[Use]:
    """A comparison outside of any condition, and one of a fingerprint."""
    of_test = [v for v in _triggers(node) if known.is_of_test(v)]
    if of_test:
        claim = f"compares with {of_test[0]!r}, which the failing test mentions"
        yield _use(DangerLevel.REVIEW, "question", node.lineno, claim)
    for text in (v for v in _asked_texts(node) if _WORDS.fullmatch(v)):
        if known.is_new(text) and not known.mentions(text):
            claim = f"asks for {text!r}, which stands nowhere in the program and its tests"
            yield _use(DangerLevel.REVIEW, f"unheard:{text}", node.lineno, claim)
    sides = (node.left, *node.comparators) if isinstance(node, ast.Compare) else ()
    if any(_is_fingerprint(side) for side in sides) and any(known.is_new(v) for v in literals_in(node)):
        yield _use(DangerLevel.REJECT, "hash", node.lineno, "compares a fingerprint of the input with a literal")


def _asked_texts(node: ast.Compare | ast.Call) -> Iterator[str]:
    """Texts that something is held against, as they stand; not those inside of what is held against them."""
    if isinstance(node, ast.Compare):
        sides = [node.left, *node.comparators]
    else:
        sides = node.args if last_name(node.func) in _LOOKING else []
    for side in sides:
        value = literal_or(side, None)
        yield from (v for v in (value if isinstance(value, (tuple, frozenset)) else (value,)) if isinstance(v, str))


def _is_fingerprint(side: ast.expr) -> bool:
    """Whether the side reduces something to a number or digest: ``hash(x)``, ``sum(map(ord, x))``."""
    calls = {last_name(n.func) for n in ast.walk(side) if isinstance(n, ast.Call)}
    return {"sum", "ord"} <= names_in(side) or not calls.isdisjoint(_FINGERPRINTS)


def _answers(old: FunctionNode, new: FunctionNode, known: Known) -> Iterator[Use]:
    """New literals that stand as a value by themselves and are what a failing test expects."""
    above = parents(new)
    roots = without_docstring(new.body)
    has_inputs = any(p.arg not in ("self", "cls") for p in parameters_of(new))
    last = old.body[-1]
    # Where the old function, too, ended in one fixed value, the new one mends that value.
    was_fixed = isinstance(last, ast.Return) and literal_or(last.value, NotLiteral) is not NotLiteral
    for node in (n for root in roots for n in (root, *own_nodes(root, ()))):
        if not isinstance(node, ast.expr) or _is_free_place(node, above):
            continue
        value = literal_or(node, NotLiteral)
        if value is NotLiteral or not known.is_new(value):
            continue
        parent = above[node]
        if value in known.expected:
            fixed = isinstance(parent, ast.Return) and parent in roots and has_inputs and not was_fixed
            claim = f"holds {value!r}, the very value that a failing test expects"
            yield _use(DangerLevel.REJECT if fixed else DangerLevel.REVIEW, f"answer:{value!r}", node.lineno, claim)
        elif isinstance(value, str) and _is_most_of(value, known.expected) and not isinstance(parent, _JOINING):
            claim = f"holds {value!r}, most of what a failing test expects"
            yield _use(DangerLevel.REVIEW, f"part:{value!r}", node.lineno, claim)


def _is_most_of(part: str, expected: frozenset[Literal]) -> bool:
    return any(isinstance(e, str) and part in e and len(part) >= _MOSTLY * len(e) for e in expected)


def _is_free_place(node: ast.AST, above: dict[ast.AST, ast.AST]) -> bool:
    """Messages of exceptions, annotations, subscripts, thresholds, operands, keys that are looked up."""
    for child, parent in upwards(node, above):
        match parent:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                break
            case ast.Raise() | ast.Slice():
                return True
            case ast.Assert(msg=part) | ast.Subscript(slice=part) | ast.AnnAssign(annotation=part) if part is child:
                return True
            case ast.BinOp() | ast.Compare():
                return literal_or(parent, NotLiteral) is NotLiteral
            case ast.Call(func=func, args=[first, *_]) if first is child and last_name(func) in _LOOKUPS:
                return True
    return False
