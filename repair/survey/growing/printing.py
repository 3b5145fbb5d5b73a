"""Cases as a file of tests in the project's own style: its imports, functions or classes, several of one form in one.

Each test says who says so: in a comment that quotes a sentence with its place, or in a docstring that nobody does.
Comments hold any text but line ends, so that no quote can end them.
"""

from __future__ import annotations

import ast
import builtins
import keyword
import re
import sys
import textwrap
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace

from analysis.quality.oracle import PINNED
from repair.compare.answers import PersonsAnswer, dotted_names_in
from repair.records.grown import SaidBy
from repair.survey.growing.claim import CallCase, Claim, ClaimKind, is_float_inside
from repair.survey.growing.style import WritingStyle

SEVERAL = 3
"""So many cases of one form become one test with a table."""

WIDTH = 100
"""Columns of a comment, and of an import, before it is wrapped."""

_NOBODY = f"{PINNED}so it behaves now; nobody said that it should."
_OWN = ("pytest", "unittest", "expected", "self", "found", "raised", "message", "request")
TAKEN = frozenset((*_OWN, *dir(builtins), *keyword.kwlist))
_SIGNS = {
    ClaimKind.AT_LEAST: (">=", "{}"),
    ClaimKind.AT_MOST: ("<=", "{}"),
    ClaimKind.COUNT_AT_LEAST: (">=", "len({})"),
    ClaimKind.COUNT_AT_MOST: ("<=", "len({})"),
}
_METHODS = {
    "is": "assertIs",
    "≈": "assertAlmostEqual",
    "==": "assertEqual",
    "isinstance": "assertIsInstance",
    ">=": "assertGreaterEqual",
    "<=": "assertLessEqual",
}
"""What unittest calls each relation."""


@dataclass(frozen=True, slots=True)
class PrintedTests:
    """A file of tests. ``tests`` are node ids below the file, without a table's rows, each with its cases in order."""

    text: str
    tests: tuple[tuple[str, tuple[CallCase, ...]], ...]


@dataclass(frozen=True, slots=True)
class FilePrinter:
    """Prints cases. ``modules`` are the project's dotted names."""

    style: WritingStyle
    modules: Set[str]

    def print_tests(self, cases: Sequence[CallCase], *, grouped: bool = True) -> PrintedTests:
        """The file. Without ``grouped`` each case is a test of its own."""
        names = _Names.of(cases, self.style, self.modules)
        groups = list(_groups(cases, names)) if grouped else [(case,) for case in cases]
        taken: set[str] = set()
        blocks, tests = [], []
        for group in groups:
            name = _free(_test_name(group), taken)
            lines = self._table(name, group, names) if len(group) > 1 else self._single(name, group[0], names)
            blocks.append(lines)
            tests.append((f"{CLASS}::{name}" if self.style.unittest else name, tuple(group)))
        body = self._in_class(blocks) if self.style.unittest else [line for each in blocks for line in ("", "", *each)]
        head = self._head(names, any("pytest." in line for each in blocks for line in each))
        return PrintedTests("\n".join([*head, *body]) + "\n", tuple(tests))

    def _head(self, names: _Names, uses_pytest: bool) -> list[str]:
        whole = {*names.whole, *(("unittest",) if self.style.unittest else ("pytest",) if uses_pytest else ())}
        return import_block(whole, names.parts, self.modules)

    def _in_class(self, blocks: Sequence[Sequence[str]]) -> list[str]:
        lines = ["", "", f"class {CLASS}(unittest.TestCase):"]
        for number, block in enumerate(blocks):
            lines += [*([""] if number else []), *(f"    {line}" if line else "" for line in block)]
        return lines

    def _single(self, name: str, case: CallCase, names: _Names) -> list[str]:
        given = "self" if self.style.unittest else ", ".join(case.fixtures)
        call, claim = names.shorten(case.call), replace(case.claim, value=names.shorten(case.claim.value))
        body = [*_comment(case), *self._assertion(call, claim)]
        return [f"def {name}({given}):", *(f"    {line}" for line in body)]

    def _table(self, name: str, group: Sequence[CallCase], names: _Names) -> list[str]:
        """One test with a row for each case; all are calls of one form."""
        calls = [_called(names.shorten(case.call)) for case in group]
        columns = self._columns(group[0], calls[0], names)
        last, claim = _last_column(group[0].claim, names)
        values = [[ast.unparse(node) for node in (*call.args, *(k.value for k in call.keywords))] for call in calls]
        ends = [names.shorten(each.claim.value) if last == "expected" else each.claim.message for each in group]
        rows = [[*row, end] for row, end in zip(values, ends, strict=True)] if last else values
        heads = [*columns, last] if last else columns
        call = calls[0]
        passed = [*columns[: len(call.args)]]
        passed += [f"{k.arg}={column}" for k, column in zip(call.keywords, columns[len(call.args) :], strict=True)]
        said = _comment(group[0])
        body = self._assertion(f"{ast.unparse(call.func)}({', '.join(passed)})", claim)
        written = [row[0] if len(row) == 1 else f"({', '.join(row)})" for row in rows]
        if not self.style.unittest:
            return [
                f"@pytest.mark.parametrize({_quoted(heads)}, [",
                *(f"    {row}," for row in written),
                "])",
                f"def {name}({', '.join((*group[0].fixtures, *heads))}):",
                *(f"    {line}" for line in (*said, *body)),
            ]
        target = ", ".join(heads)
        shown = ", ".join(f"{column}={column}" for column in columns)
        return [
            f"def {name}(self):",
            *(f"    {line}" for line in said),
            f"    for {target} in [",
            *(f"        {row}," for row in written),
            "    ]:",
            f"        with self.subTest({shown}):",
            *(f"            {line}" for line in body),
        ]

    def _columns(self, case: CallCase, call: ast.Call, names: _Names) -> list[str]:
        """The names of what a row gives: those of the parameters where they are free."""
        known = case.parameters
        own = [known[n] if n < len(known) else f"given_{n + 1}" for n in range(len(call.args))]
        own += [str(k.arg) for k in call.keywords]
        used = {*TAKEN, *names.used, *case.fixtures}
        return [f"{name}_" if name in used else name for name in own]

    def _assertion(self, call: str, claim: Claim) -> list[str]:
        return assertion_lines(call, claim, unittest=self.style.unittest)


CLASS = "TestGrown"


def import_block(whole: Set[str], parts: Mapping[str, Set[str]], modules: Set[str]) -> list[str]:
    """The imports of a file of tests: what is imported whole from elsewhere, then what is of the project's modules."""
    outside = sorted(name for name in whole if name not in modules)
    own = [f"import {name}" for name in sorted(whole - {*outside})]
    own += [line for module, taken in sorted(parts.items()) for line in _import_lines(module, sorted(taken))]
    first = [f"import {name}" for name in outside]
    return [*first, *([""] if first and own else []), *own]


def _import_lines(module: str, names: Sequence[str]) -> list[str]:
    """An import of these names, a line for each where one line would be long."""
    line = f"from {module} import {', '.join(names)}"
    return [line] if len(line) <= WIDTH else [f"from {module} import (", *(f"    {name}," for name in names), ")"]


def assertion_lines(call: str, claim: Claim, *, unittest: bool) -> list[str]:
    """The statements that hold the claim, in the words of pytest or of unittest."""
    value = claim.value

    def says(left: str, relation: str, right: str) -> str:
        if unittest:
            return f"self.{_METHODS[relation]}({left}, {right})"
        if relation == "isinstance":
            return f"assert isinstance({left}, {right})"
        return f"assert {left} == pytest.approx({right})" if relation == "≈" else f"assert {left} {relation} {right}"

    match claim.kind:
        case ClaimKind.EQUALS if value in ("None", "True", "False"):
            return [says(call, "is", value)]
        case ClaimKind.EQUALS if is_float_inside(value):
            near = not unittest or isinstance(_parsed(value), ast.Constant)  # unittest knows no near collections
            return [says(call, "≈" if near else "==", value)]
        case ClaimKind.EQUALS:
            return [says(call, "==", value)]
        case ClaimKind.RAISES:
            raises = "self.assertRaises" if unittest else "pytest.raises"
            if not claim.message:
                return [f"with {raises}({value}):", f"    {call}"]
            end = f"str(raised.{'exception' if unittest else 'value'})"
            return [f"with {raises}({value}) as raised:", f"    {call}", says(end, "==", claim.message)]
        case ClaimKind.TRUE | ClaimKind.FALSE:
            holds = claim.kind is ClaimKind.TRUE
            return [f"self.assert{holds}({call})" if unittest else f"assert {'' if holds else 'not '}{call}"]
        case ClaimKind.IS_KIND:
            return [says(call, "isinstance", value)]
        case ClaimKind.SORTED | ClaimKind.DESCENDING:
            down = ", reverse=True" if claim.kind is ClaimKind.DESCENDING else ""
            return [f"found = list({call})", says("found", "==", f"sorted(found{down})")]
    sign, around = _SIGNS[claim.kind]
    return [says(around.format(call), sign, value)]


def _comment(case: CallCase) -> list[str]:
    """Who says so, on lines of their own: in a docstring that nobody does, by which a judge knows such a test."""
    if case.standing is SaidBy.PINNED:
        return [f'"""{PINNED}{case.said}; nobody said so."""' if case.said else f'"""{_NOBODY}"""']
    return as_comment(f"{case.standing.value.capitalize()}: {case.said}")


def as_comment(said: str) -> list[str]:
    """Words as the lines of a comment, whatever they hold."""
    line = " ".join(re.sub(r"[\x00-\x1f\x7f\x85\u2028\u2029]", " ", said).split())
    return [f"# {each}" for each in textwrap.wrap(line, WIDTH, break_long_words=False, break_on_hyphens=False)]


def _groups(cases: Sequence[CallCase], names: _Names) -> Iterator[tuple[CallCase, ...]]:
    """The cases in order, those of one form together where they are several."""
    forms: dict[object, list[CallCase]] = {}
    for number, case in enumerate(cases):
        forms.setdefault(_form(case, names) or number, []).append(case)
    for group in forms.values():
        if len(group) >= SEVERAL:
            yield tuple(group)
        else:
            yield from ((case,) for case in group)


def _form(case: CallCase, names: _Names) -> object:
    """What cases share that fit into one table; ``None`` for one that fits into none."""
    call = _parsed(names.shorten(case.call))
    if not isinstance(call, ast.Call) or not (call.args or call.keywords) or not _is_dotted(call.func):
        return None
    if not all(map(_is_literal, (*call.args, *(k.value for k in call.keywords)))):
        return None
    value, raises = case.claim.value, case.claim.kind is ClaimKind.RAISES
    if not raises and (case.claim.kind is not ClaimKind.EQUALS or not _is_literal(_parsed(value))):
        return None
    if not raises and (is_float_inside(value) or value in ("None", "True", "False")):
        return None
    shape = (len(call.args), tuple(k.arg for k in call.keywords))
    return (
        case.fixtures,
        ast.unparse(call.func),
        shape,
        case.standing,
        case.said,
        case.claim.kind,
        value if raises else "",
        bool(case.claim.message),
    )


def _last_column(claim: Claim, names: _Names) -> tuple[str, Claim]:
    """What a table tells of each row's end, ``""`` for nothing; and the claim in its words."""
    if claim.kind is not ClaimKind.RAISES:
        return "expected", Claim(claim.kind, "expected")
    last = "message" if claim.message else ""
    return last, Claim(claim.kind, names.shorten(claim.value), last)


@dataclass(frozen=True, slots=True)
class _Names:
    """What is imported: ``parts`` of modules by name, others ``whole``; ``used`` are the names that stand for these."""

    short: Mapping[tuple[str, ...], str]
    whole: Set[str]
    parts: Mapping[str, Set[str]]
    used: Set[str]

    @classmethod
    def of(cls, cases: Sequence[CallCase], style: WritingStyle, modules: Set[str]) -> _Names:
        chains = {
            tuple(chain)
            for case in cases
            for chain in dotted_names_in(PersonsAnswer(case.call, case.claim.value or "None", raises=False))
            if chain[0] not in case.fixtures
        }
        homes = {chain: _module_of(chain, modules) for chain in chains}
        owners: dict[str, set[str]] = {}
        for chain, module in homes.items():
            rest = chain[len(module.split(".")) :] if module else ()
            if rest:
                owners.setdefault(rest[0], set()).add(module)
        short: dict[tuple[str, ...], str] = {}
        whole: set[str] = set()
        parts: dict[str, set[str]] = {}
        for chain, module in homes.items():
            rest = chain[len(module.split(".")) :] if module else ()
            if not module or not rest:
                whole |= {module} if module else set()
                continue
            name = rest[0]
            clear = len(owners[name]) == 1 and name not in TAKEN and not name.lower().startswith("test")
            if module in modules and module not in style.dotted and clear:
                parts.setdefault(module, set()).add(name)
                short[chain] = ".".join(rest)
            else:
                whole.add(module)
        used = {name for taken in parts.values() for name in taken} | {name.split(".")[0] for name in whole}
        return cls(short, whole, parts, used)

    def shorten(self, text: str) -> str:
        """The expression with the names that are imported."""
        parsed = _parsed(text)
        return ast.unparse(_Shortened(self.short).visit(parsed)) if parsed is not None and self.short else text


class _Shortened(ast.NodeTransformer):
    def __init__(self, short: Mapping[tuple[str, ...], str]) -> None:
        self._short = short

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        chain: list[str] = []
        inner: ast.expr = node
        while isinstance(inner, ast.Attribute):
            chain.insert(0, inner.attr)
            inner = inner.value
        if isinstance(inner, ast.Name) and (known := self._short.get((inner.id, *chain))):
            return ast.parse(known, mode="eval").body
        return self.generic_visit(node)


def _module_of(chain: Sequence[str], modules: Set[str]) -> str:
    for end in range(len(chain), 0, -1):
        name = ".".join(chain[:end])
        if name in modules or (end == 1 and name in sys.stdlib_module_names):
            return name
    return ""


def _test_name(group: Sequence[CallCase]) -> str:
    """``test_parcel``, with the exception where one is raised: ``test_discount_raises_value_error``."""
    first = group[0]
    own = re.sub(r"\W+", "_", first.function).strip("_").lower()
    if first.claim.kind is not ClaimKind.RAISES:
        return f"test_{own}"
    error = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", first.claim.value.rpartition(".")[2]).lower()
    return f"test_{own}_raises_{error}"


def _free(name: str, taken: set[str]) -> str:
    found = next(each for each in (name, *(f"{name}_{n}" for n in range(2, 10_000))) if each not in taken)
    taken.add(found)
    return found


def _quoted(heads: Sequence[str]) -> str:
    if len(heads) == 1:
        return f'"{heads[0]}"'
    return "({})".format(", ".join(f'"{head}"' for head in heads))


def _parsed(text: str) -> ast.expr | None:
    try:
        return ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _called(text: str) -> ast.Call:
    call = _parsed(text)
    assert isinstance(call, ast.Call), "only calls have a form"
    return call


def _is_dotted(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) or (isinstance(node, ast.Attribute) and _is_dotted(node.value))


def _is_literal(node: ast.expr | None) -> bool:
    try:
        ast.literal_eval(node) if node is not None else None
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return False
    return node is not None
