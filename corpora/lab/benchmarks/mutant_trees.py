"""Whether two mutants are the same program: their syntax trees, with what Python computes alike written alike."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from analysis.functions import find_function, functions_of
from corpora.lab.benchmarks.mutmut_tree import MutmutMutant, Subject
from repair.records.functions import edit_scope
from transforms.mutants.made import mutants


def missing_mutants(subject: Subject, source: bytes, theirs: Sequence[MutmutMutant]) -> tuple[str, ...]:
    """Names of the mutants of theirs that are not among ours, each with the line that it changes."""
    names = dict.fromkeys(each.qualname for each in theirs)
    return tuple(
        missing
        for name in names
        for missing in _missing_mutants(subject.path, source, name, [each for each in theirs if each.qualname == name])
    )


def _missing_mutants(path: str, source: bytes, qualname: str, theirs: Sequence[MutmutMutant]) -> Iterator[str]:
    span = find_function(functions_of(path, source), qualname)
    assert span is not None, "mutmut has found it"
    scope = edit_scope(((path, source),), span.function)
    own = scope.text.decode(scope.encoding)
    made = {program(scope.header + own)}
    made |= {program(scope.header + mutant.text.decode(scope.encoding)) for mutant in mutants(scope)}
    for each in theirs:
        if program(scope.header + each.text) not in made:
            yield f"{each.name}: {_changed_line(own, each.text)}"


def match_mutants(theirs: Sequence[MutmutMutant], ours: Sequence[tuple[str, str, str]]) -> list[str | None]:
    """For each mutant of theirs the state of ours that is the same program; ``None`` where there is none.

    Ours are a function's name, a text of it that can be parsed alone, and a state.
    """
    states = {(name, program(text)): state for name, text, state in ours}
    return [states.get((each.qualname, program(_method_alone(each.text)))) for each in theirs]


def _method_alone(text: str) -> str:
    """The text of a method below a header, as a scope of ours has it."""
    return f"if 1:\n{text}" if text[:1].isspace() else text


def program(text: str) -> str:
    """The program's tree as text; ``a and (b and c)`` is ``a and b and c``."""
    return ast.dump(_Flat().visit(ast.parse(text)))


class _Flat(ast.NodeTransformer):
    def visit_BoolOp(self, node: ast.BoolOp) -> ast.BoolOp:  # the name that the library calls
        """The operation with the values of its parts of the same kind."""
        self.generic_visit(node)
        values: list[ast.expr] = []
        for each in node.values:
            same = isinstance(each, ast.BoolOp) and type(each.op) is type(node.op)
            values += each.values if isinstance(each, ast.BoolOp) and same else [each]
        return ast.BoolOp(node.op, values)


def _changed_line(own: str, other: str) -> str:
    """The first line of the mutant that is not the function's."""
    lines = set(own.splitlines())
    return next((line.strip() for line in other.splitlines() if line not in lines), "lines left out")
