"""A reader of grown tests that knows nothing of the engine: does each required claim stand in a sentence that is there?

It reads text alone: the comment of a test, the file that the comment names, and the values in its assertions.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator, Mapping

PLACE = re.compile(r'Required: (?P<path>\S+?):(?P<line>\d+) says "(?P<quote>.*)"\Z', re.DOTALL)
SPELLED = {"0": ("zero", "negative"), "1": ("one",), "2": ("two",), "3": ("three",), "None": ("nothing",)}
EMPTY = {"[]": "empty list", "()": "empty tuple", "{}": "empty dict", "''": "empty string"}


def complaints(text: str, project: Mapping[str, str]) -> list[str]:
    """What is wrong with the required tests of a file; ``project`` are the texts of the program's files."""
    found = []
    for function, comment in required_tests(text):
        said = PLACE.match(comment)
        if said is None:
            found.append(f"{function.name} names no place")
            continue
        if not stands_there(said["quote"], project.get(said["path"], ""), int(said["line"])):
            found.append(f"{function.name} quotes what does not stand there")
        values = [part for node in claims(function) for part in parts(node)]
        found += [f"{function.name} claims {part}" for part in values if not is_said(part, said["quote"])]
    return found


def required_tests(text: str) -> Iterator[tuple[ast.FunctionDef, str]]:
    """Each test whose comment begins with the word, and that comment in one line."""
    comments = {
        token.start[0]: token.string.lstrip("# ")
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type == tokenize.COMMENT
    }
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            own = " ".join(comments[n] for n in range(node.lineno + 1, node.body[0].lineno) if n in comments)
            if own.startswith("Required"):
                yield node, own


def plain(text: str) -> str:
    return re.sub(r"[\s`*_>\\]+", "", text)


def stands_there(quote: str, source: str, line: int) -> bool:
    """Whether the words begin in that line of the file, or in the few after it; marks and line ends do not count."""
    near = plain(" ".join(source.splitlines()[line - 1 : line + 12]))
    words = [plain(part) for part in re.split(r": |\s", quote, maxsplit=1)]
    return plain(quote) in near or all(part in near for part in words)


def claims(function: ast.FunctionDef) -> Iterator[ast.expr]:
    """The claimed side of each assertion, and the rows of a table's last column."""
    for node in ast.walk(function):
        match node:
            case ast.Assert(test=ast.Compare(comparators=[claimed])):
                yield claimed
            case ast.Assert(test=ast.Call(func=ast.Name(id="isinstance"), args=[_, kind])):
                yield kind
            case ast.With(items=[ast.withitem(context_expr=ast.Call(args=[raised]))]):
                yield raised
    for decorator in function.decorator_list:
        if isinstance(decorator, ast.Call) and isinstance(decorator.args[-1], ast.List):
            names = ast.literal_eval(decorator.args[0])
            rows = decorator.args[-1].elts
            yield from (row.elts[-1] for row in rows if "expected" in names and isinstance(row, ast.Tuple))


def parts(node: ast.expr) -> Iterator[str]:
    if ast.unparse(node) in EMPTY:
        yield ast.unparse(node)
        return
    for each in ast.walk(node):
        if isinstance(each, ast.Constant):
            yield repr(each.value)
        elif isinstance(each, ast.Name) and each.id not in ("pytest", "expected", "found", "sorted"):
            yield each.id


def is_said(part: str, quote: str) -> bool:
    low = quote.lower()
    if part in EMPTY and EMPTY[part] in low:
        return True
    bare = part.strip("'\"")
    return bare.lower() in low or any(word in low for word in SPELLED.get(part, ()))
