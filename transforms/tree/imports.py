"""Imports that an edit declares: checked by form, and put where they belong by the engine."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import libcst as cst

from transforms.tree.candidate import Rejected, RejectReason
from transforms.tree.shape import same_shape

_FORM = re.compile(r"(import\s+[\w. ,]+|from\s+[\w.]+\s+import\s+[\w ,]+)")
_LONGEST = 300


def parse_imports(path: str, imports: Sequence[str]) -> tuple[cst.SimpleStatementLine, ...] | Rejected:
    """The statements of a proposal's import lines, for the file at ``path``.

    One plain ``import x`` or ``from x import y [as z]`` each: no star, no ``__future__``, no second
    statement, and no relative import that leaves the file's own package tree.
    """
    statements: list[cst.SimpleStatementLine] = []
    for line in imports:
        statement = _parse_import(path, line.strip())
        if isinstance(statement, Rejected):
            return statement
        if not any(same_shape(statement, other) for other in statements):
            statements.append(statement)
    return tuple(statements)


def imported_modules(lines: Sequence[str]) -> tuple[str, ...]:
    """The modules that well-formed import lines name, relative ones left out, without repeats."""
    names: dict[str, None] = {}
    for line in lines:
        kind, rest = line.strip().split(None, 1)
        if kind == "from":
            names[rest.split(None, 1)[0]] = None
        else:
            names.update(dict.fromkeys(part.split()[0] for part in rest.split(",") if part.strip()))
    return tuple(name for name in names if not name.startswith("."))


def _parse_import(path: str, line: str) -> cst.SimpleStatementLine | Rejected:
    # The form is settled before the parser sees the line: a reply must not choose how deep it recurses.
    if len(line) > _LONGEST or not _FORM.fullmatch(line):
        return Rejected(RejectReason.IMPORT, f"{line[:80]!r} is not one plain import statement")
    try:
        statement = cst.parse_statement(line)
    except cst.ParserSyntaxError:
        return Rejected(RejectReason.IMPORT, f"{line!r} does not parse")
    if not isinstance(statement, cst.SimpleStatementLine):
        return Rejected(RejectReason.IMPORT, f"{line!r} is not one plain import statement")
    small = statement.body[0]
    if isinstance(small, cst.ImportFrom):
        if isinstance(small.module, cst.Name) and small.module.value == "__future__":
            return Rejected(RejectReason.IMPORT, "a future import changes the whole module")
        if len(small.relative) > path.count("/"):
            return Rejected(RejectReason.IMPORT, f"{line!r} leaves the package of {path}")
    return cst.SimpleStatementLine([small])


def with_imports(function: cst.FunctionDef, statements: Sequence[cst.SimpleStatementLine]) -> cst.FunctionDef:
    """The function with the imports at the head of its body, after the docstring; those it has are left out."""
    if not statements:
        return function
    body = as_block(function.body)
    missing = [s for s in statements if not any(same_shape(s, own) for own in body.body)]
    if not missing:
        return function
    at = 1 if function.get_docstring() is not None else 0
    return function.with_changes(body=body.with_changes(body=[*body.body[:at], *missing, *body.body[at:]]))


def as_block(suite: cst.BaseSuite) -> cst.IndentedBlock:
    """The suite as a block of lines: each statement behind a colon on a line of its own."""
    if isinstance(suite, cst.IndentedBlock):
        return suite
    assert isinstance(suite, cst.SimpleStatementSuite), "a body is a block or stands on the line of its header"
    lines = [cst.SimpleStatementLine([s.with_changes(semicolon=cst.MaybeSentinel.DEFAULT)]) for s in suite.body]
    if lines:
        lines[-1] = lines[-1].with_changes(trailing_whitespace=suite.trailing_whitespace)
    return cst.IndentedBlock(lines)


@dataclass(frozen=True, slots=True)
class ModuleImports:
    """A file with lines added at one offset."""

    source: bytes
    offset: int
    added: bytes


def at_module_level(path: str, source: bytes, imports: Sequence[str], before: int) -> ModuleImports | Rejected:
    """The file with the imports after its last import that stands above its first definition.

    Without such an import they follow the module's docstring, or its head of comments. The place always
    lies above the offset ``before``, so that an edit further down keeps its lines together.
    """
    statements = parse_imports(path, imports)
    if isinstance(statements, Rejected):
        return statements
    try:
        module = cst.parse_module(source)
    except (cst.ParserSyntaxError, RecursionError, ValueError) as problem:
        return Rejected(RejectReason.UNPARSEABLE, f"{path}: {problem}")
    missing = [s for s in statements if not any(same_shape(s, own) for own in module.body)]
    offset = _place(module, source, before)
    if offset is None:
        return Rejected(RejectReason.IMPORT, f"{path} has no place for an import above the function")
    text = "".join(module.code_for_node(s) for s in missing)
    if source[:offset].lstrip(b"\xef\xbb\xbf") and source[offset - 1 : offset] not in (b"\n", b"\r"):
        return Rejected(RejectReason.IMPORT, f"{path} has no line end where an import could go")
    added = text.encode(_bare_encoding(module))
    return ModuleImports(source[:offset] + added + source[offset:], offset, added)


def _place(module: cst.Module, source: bytes, before: int) -> int | None:
    """Offset after the last leading import, else after the docstring, else after the head of comments."""
    bom = 3 if source.startswith(b"\xef\xbb\xbf") else 0
    count = 1 if module.get_docstring() is not None else 0
    for index, statement in enumerate(module.body):
        if isinstance(statement, (cst.FunctionDef, cst.ClassDef)):
            break
        small = statement.body if isinstance(statement, cst.SimpleStatementLine) else ()
        is_import = any(isinstance(each, (cst.Import, cst.ImportFrom)) for each in small)
        if is_import and bom + len(_head(module, index + 1)) <= before:
            count = index + 1
    head = _head(module, count)
    if source[bom : bom + len(head)] != head or bom + len(head) > before:
        return None
    return bom + len(head)


def _head(module: cst.Module, count: int) -> bytes:
    if not count and not module.header:
        return b""
    code = module.with_changes(body=module.body[:count], footer=[], has_trailing_newline=True).code
    return code.encode(_bare_encoding(module))


def _bare_encoding(module: cst.Module) -> str:
    """The module's encoding without the byte order mark that goes with it once a file."""
    return module.encoding.lower().removesuffix("-sig")
