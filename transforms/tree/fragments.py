"""Pieces of source text, as a model returns them, as nodes that fit into a function of another file.

Any indentation will do. Text is never shifted, since that would reach into multi-line strings. The parser reads it as
it stands, under a header where it is indented. The blocks print anew with the unit of the file that they go to.
"""

from __future__ import annotations

from functools import lru_cache

import libcst as cst

Statement = cst.SimpleStatementLine | cst.BaseCompoundStatement


def parse_expression(text: str) -> cst.BaseExpression | None:
    """The one expression that the text is, or nothing."""
    text = text.strip()
    for form in (text, f"({text})", f"(\n{text}\n)") if text else ():
        try:
            return cst.parse_expression(form)
        except (cst.ParserSyntaxError, ValueError, RecursionError):
            continue
    return None


def parse_statements(text: str) -> tuple[Statement, ...] | None:
    """The statements that the text is, at whatever depth it stands, or nothing."""
    text = text.replace("\r\n", "\n").strip("\n")
    text = f"{text}\n"
    for form in _readings(text):
        try:
            module = cst.parse_module(form)
        except (cst.ParserSyntaxError, ValueError, RecursionError):
            continue
        return _block_of(module, indented=form is not text)
    return None


def syntax_problem(text: str) -> str:
    """What keeps the text from being statements, with its line; empty where nothing does."""
    first, problem = "", ""
    for form in _readings(f"{text}\n"):
        try:
            cst.parse_module(form)
        except cst.ParserSyntaxError as found:
            line = found.raw_line - (form.count("\n") - text.count("\n") - 1)
            problem = f"line {max(1, line)}: {found.message.splitlines()[0]}"
        except (ValueError, RecursionError) as found:
            problem = str(found)
        else:
            return ""
        first = first or problem
    return first


class Fragments:
    """Parses each text once: edits of one function use the same few over and over. For one thread."""

    def __init__(self) -> None:
        self.expression = lru_cache(MOST_KEPT)(parse_expression)
        self.statements = lru_cache(MOST_KEPT)(parse_statements)


MOST_KEPT = 2000


def _readings(text: str) -> list[str]:
    """The text itself; under a header; and with its first line as deep as the least deep of the others.

    A model often strips the first line of an indented block and leaves the rest as it was.
    """
    if text[:1] in (" ", "\t"):
        return [f"if 1:\n{text}"]
    depths = [line[: len(line) - len(line.lstrip())] for line in text.split("\n")[1:] if line.strip()]
    shallow = min(depths, key=len, default="")
    return [text, f"if 1:\n{shallow}{text}"] if shallow else [text]


def _block_of(module: cst.Module, *, indented: bool) -> tuple[Statement, ...] | None:
    body = module.body
    if indented:
        header = body[0]
        if len(body) != 1 or not isinstance(header, cst.If) or header.orelse is not None:
            return None
        body = header.body.body  # type: ignore[assignment] # a header of one line has statements alone
    flat = module.code.count("\n") <= len(body)  # each on a line of its own: no block has an indentation
    statements = tuple(body) if flat else tuple(_with_default_indent(s) for s in body)
    comments = [line for line in module.header if line.comment is not None]
    if indented or not statements or not comments:
        return statements
    # Those above the first statement of a module belong to the module; here, to the statement.
    return (statements[0].with_changes(leading_lines=[*comments, *statements[0].leading_lines]), *statements[1:])


class _DefaultIndent(cst.CSTTransformer):
    def leave_IndentedBlock(
        self, original_node: cst.IndentedBlock, updated_node: cst.IndentedBlock
    ) -> cst.IndentedBlock:
        return updated_node.with_changes(indent=None)


def _with_default_indent(statement: Statement) -> Statement:
    new = statement.visit(_DefaultIndent())
    assert isinstance(new, (cst.SimpleStatementLine, cst.BaseCompoundStatement)), "only indentation changes"
    return new
