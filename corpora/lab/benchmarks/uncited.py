"""Whether what grown tests are required to claim stands in the sentences that they quote, read anew from the files.

Nothing of the engine is used: two readers that share no code seldom make the same mistake.
`python -m corpora.lab.benchmarks.uncited PROJECT FILE…` prints what no quote says; exit status 1 where there is any.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_SAID = re.compile(r'Required: (?P<path>\S+?):(?P<line>\d+) says "(?P<quote>.*)"$')
_NEAR = 12
"""So many lines from the place that is named the quote has to stand."""

_WORDS = {
    "0": ("zero", "negative", "positive"), "1": ("one",), "2": ("two",), "3": ("three",),
    "None": ("none", "nothing"), "True": ("true",), "False": ("false",),
    "[]": ("empty list",), "()": ("empty tuple",),
    "{}": ("empty dict", "empty mapping"), "''": ("empty str", "empty text"),
}  # fmt: skip
"""Words that stand for a value."""

_RELATIONS = {
    "raises": ("rais", "throw", "error", "exception"),
    "sorted": ("sort", "order", "ascend", "descend", "increas", "decreas", "reverse"),
    ">=": ("least", "negative", "minimum", ">=", "≥", "never less", "below"),
    "<=": ("most", "maximum", "up to", "more than", "<=", "≤", "above"),
}
"""Words of which one has to stand in the quote, for relations that values do not show."""


@dataclass(frozen=True, slots=True)
class UncitedClaim:
    """A part of a claim that the quote does not say, or a quote that does not stand where it should."""

    test: str
    part: str
    quote: str

    def __str__(self) -> str:
        return f"{self.test}: {self.part} is not said by {self.quote!r}"


def find_uncited(text: str, project: Path) -> tuple[int, list[UncitedClaim]]:
    """How many required tests a file holds, and what their quotes do not say."""
    lines, count, found = text.splitlines(), 0, []
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.FunctionDef) or not node.name.startswith("test"):
            continue
        said = _comment(lines[node.lineno : node.body[0].lineno - 1])
        if not said.startswith("Required:"):
            continue
        count += 1
        match = _SAID.match(said)
        if match is None:
            found.append(UncitedClaim(node.name, "its source", said))
            continue
        quote = match["quote"]
        if not _stands(quote, project / match["path"], int(match["line"])):
            found.append(UncitedClaim(node.name, f"{match['path']}:{match['line']}", quote))
        missing = [part for part in _parts(node) if not _is_said(part, quote)]
        found += [UncitedClaim(node.name, part, quote) for part in missing]
    return count, found


def _comment(lines: list[str]) -> str:
    return " ".join(line.strip().lstrip("#").strip() for line in lines if line.strip().startswith("#"))


def _stands(quote: str, file: Path, line: int) -> bool:
    """Whether the words of the quote stand there, whatever marks are between them."""
    if not file.is_file():
        return False
    near = file.read_text("utf-8", "replace").splitlines()[max(0, line - _NEAR) : line + _NEAR]
    return _bare(quote) in _bare(" ".join(near))


def _bare(text: str) -> str:
    return " ".join(re.findall(r"\w+", text))


def _parts(test: ast.FunctionDef) -> Iterator[str]:
    """Relations, exceptions and literals of what the test claims, not of what it gives."""
    expected = [value for decorator in test.decorator_list for value in _last_column(decorator)]
    for node in ast.walk(test):
        match node:
            case ast.With(items=[ast.withitem(context_expr=ast.Call(args=[error]))]):
                yield from ("raises", ast.unparse(error).rpartition(".")[2])
            case ast.Assert(test=ast.Compare(ops=[ast.Eq()], comparators=[ast.Call(func=ast.Name(id="sorted"))])):
                yield "sorted"
            case ast.Assert(test=ast.Compare(ops=[sign], comparators=[value])):
                if isinstance(sign, ast.GtE | ast.LtE):
                    yield ">=" if isinstance(sign, ast.GtE) else "<="
                table = isinstance(value, ast.Name) and value.id == "expected"
                for each in expected if table else [value]:
                    yield from _literals(each)
            case ast.Assert(test=ast.Call(func=ast.Name(id="isinstance"), args=[_, kinds])):
                yield from (each.id for each in ast.walk(kinds) if isinstance(each, ast.Name) and each.id != "type")
            case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name), args=[_, value]):
                if name.startswith("assert"):
                    yield from _literals(value)


def _last_column(decorator: ast.expr) -> Iterator[ast.expr]:
    match decorator:
        case ast.Call(args=[ast.Tuple(), ast.List(elts=rows)]):
            yield from (row.elts[-1] for row in rows if isinstance(row, ast.Tuple))


def _literals(value: ast.expr) -> Iterator[str]:
    if isinstance(value, ast.List | ast.Tuple | ast.Dict) and ast.unparse(value) in _WORDS:
        yield ast.unparse(value)
        return
    inside = [each for each in ast.walk(value) if isinstance(each, ast.Constant)]
    yield from (ast.unparse(each) for each in inside)


def _is_said(part: str, quote: str) -> bool:
    lower = quote.lower()
    if part in _RELATIONS:
        return any(word in lower for word in _RELATIONS[part])
    if any(word in lower for word in _WORDS.get(part, ())):
        return True
    bare = part.strip("'\"")
    return part in quote or (bool(bare) and re.search(rf"(?<!\w){re.escape(bare)}(?!\w)", quote) is not None)


def main(words: list[str]) -> int:
    """Read the files; print what is uncited, and how many required tests there were."""
    project, files = Path(words[0]), [Path(word) for word in words[1:]]
    count, found = 0, []
    for file in files:
        own, missing = find_uncited(file.read_text("utf-8"), project)
        count += own
        found += missing
    for each in found:
        sys.stdout.write(f"{each}\n")
    sys.stdout.write(f"{count} required tests in {len(files)} files, {len(found)} uncited\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
