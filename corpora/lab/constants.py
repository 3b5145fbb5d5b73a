"""`make constants`: the page of numbers that change a verdict, from the modules in which verdicts are made.

A number stands beside its meaning, in the docstring below it; the page lists both, and a test keeps it true.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "constants.md"

ROOMS = (
    ("Gates", "repair/gates"),
    ("Tests that newly fail, run again", "repair/observe/second_look.py"),
    ("Checks", "repair/checks"),
    ("Comparing a candidate with other programs", "repair/compare"),
    ("Choosing and judging", "repair/engine"),
    ("Rules on the text of an edit", "transforms/rules"),
    ("Mutants, and other programs beside a patch", "transforms/mutants"),
    ("What a change can newly do", "analysis/capability.py"),
    ("Special cases", "analysis/special_cases.py"),
    ("Calls and their neighbours", "analysis/calls.py"),
    ("Work", "analysis/line_counts.py"),
    ("Asking a server to compare", "sandbox/warm_comparison.py"),
    ("Asking a server for work and values", "sandbox/warm_questions.py"),
    ("Comparing calls in the target", "sandbox/probe/_repair_probe/compare"),
)
"""What verdicts hang on, as titles and places below the repository."""

HEAD = """# Numbers that change a verdict

Made by `make constants` from the modules in which verdicts are made; a test keeps it so. To change one of these
numbers is to change what is certified: measure it with `make bench-judge` before and after, and write both figures
into [benchmarks](benchmarks.md).
"""


@dataclass(frozen=True, slots=True)
class Constant:
    """A number, or several, at the top level of a module; ``meaning`` is the docstring below, empty where none is."""

    name: str
    value: str
    meaning: str
    path: str


def constants() -> Iterator[tuple[str, tuple[Constant, ...]]]:
    """For each room its constants, in the order of files and lines."""
    for title, place in ROOMS:
        start = ROOT / place
        paths = [start] if start.is_file() else sorted(start.rglob("*.py"))
        yield title, tuple(constant for path in paths for constant in constants_of(path))


def constants_of(path: Path) -> Iterator[Constant]:
    """The numbers that one module names at its top level."""
    body = ast.parse(path.read_bytes()).body
    for node, following in zip(body, [*body[1:], None], strict=True):
        if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None or not is_number(node.value):
            continue
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
        yield Constant(
            ast.unparse(target).strip("()"),
            ast.unparse(node.value),
            _meaning(following),
            path.relative_to(ROOT).as_posix(),
        )


def is_number(node: ast.expr) -> bool:
    """Whether an expression is a number, or a tuple or table of numbers alone."""
    match node:
        case ast.Constant(value=bool()):
            return False
        case ast.Constant(value=int() | float()):
            return True
        case ast.UnaryOp(operand=operand):
            return is_number(operand)
        case ast.BinOp(left=left, right=right):
            return is_number(left) and is_number(right)
        case ast.Tuple(elts=elements) | ast.Dict(values=elements):
            return bool(elements) and all(map(is_number, elements))
    return False


def page() -> str:
    """The page as it should be."""
    lines = [HEAD]
    for title, found in constants():
        if not found:
            continue
        lines += [f"## {title}", "", "| name | value | meaning | in |", "| --- | --- | --- | --- |"]
        lines += [
            f"| `{each.name}` | `{_cell(each.value)}` | {_cell(each.meaning)} | `{each.path}` |" for each in found
        ]
        lines.append("")
    return "\n".join(lines)


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")


def _meaning(node: ast.stmt | None) -> str:
    match node:
        case ast.Expr(value=ast.Constant(value=str(text))):
            return " ".join(text.split())
    return ""


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("``", "`")


if __name__ == "__main__":
    main()
