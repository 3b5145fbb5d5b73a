"""What facts are made of: the plan, the context and the function, and what is read of them once."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from analysis.assertion_text import GotAndWanted, read_assertion
from analysis.edit_kind import suspicious_lines
from analysis.errors import UnparseableError
from analysis.facts import Diagnosis, Frame
from analysis.frames import telling_exception
from analysis.function_text import FunctionNode, Unreadable, first_line_of, parse_module, without_docstring
from analysis.functions import source_encoding
from analysis.quality.case import Case, find_case, read_tests
from repair.model.numbered import NumberedFunction
from repair.records.ports import Context
from repair.records.secret_names import CREDENTIALS
from repair.records.task import PatchPlan

MOST_BYTES = 400_000
"""A larger file is not read for a fact."""

HIDDEN = "'[hidden]'"
"""What stands for a text that may be a secret."""

_SECRET = re.compile(r"pass(word|wd|phrase)|secret|credential|(api|private|access|auth)_?(key|token)", re.IGNORECASE)
"""Names of such texts in programs, where a ``key`` or a ``token`` is usually none."""


@dataclass(frozen=True)
class Matter:
    """One bug as a packet sees it. ``diagnosis`` is that of the first failing test."""

    plan: PatchPlan
    context: Context
    numbered: NumberedFunction

    @property
    def diagnosis(self) -> Diagnosis:
        """What is known of the first failing test."""
        return self.plan.diagnoses[0]

    @cached_property
    def texts(self) -> Mapping[str, bytes]:
        """The project's Python files by their paths: those of the failing tests and the function's own at least."""
        tests = {path: text.encode("utf-8", "surrogatepass") for path, text in self.context.test_sources}
        return {**tests, **dict(self.context.sources), self.plan.function.path: self.context.module_source}

    def tree_of(self, path: str) -> ast.Module | None:
        """The tree of one file; ``None`` where it is not there, too large, or cannot be read."""
        if path not in self._trees:
            text = self.texts.get(path)
            tree = parse_module(text) if text is not None and len(text) <= MOST_BYTES else None
            self._trees[path] = tree if isinstance(tree, ast.Module) else None
        return self._trees[path]

    @cached_property
    def _trees(self) -> dict[str, ast.Module | None]:
        return {}

    def lines_of(self, path: str) -> list[str]:
        """The lines of one file, as the parser counts them."""
        text = self.texts.get(path, b"")
        try:
            decoded = text.decode(source_encoding(text), "replace")
        except (UnparseableError, LookupError):
            decoded = text.decode("latin-1")
        return re.split(r"\r\n|\n|\r", decoded.removeprefix("\ufeff"))

    def source_of(self, path: str, node: ast.stmt) -> str:
        """The lines of a statement, decorators included, from the left margin."""
        lines = self.lines_of(path)[first_line_of(node) - 1 : node.end_lineno]
        return from_margin(lines)

    @cached_property
    def module(self) -> ast.Module | None:
        """The tree of the function's own file."""
        return self.tree_of(self.plan.function.path)

    @cached_property
    def around(self) -> tuple[ast.stmt, ...]:
        """The classes and functions around the function, outermost first."""
        return tuple(self._path()[:-1])

    @cached_property
    def node(self) -> FunctionNode | None:
        """The function in its file's tree."""
        found = self._path()
        return found[-1] if found and isinstance(found[-1], FunctionNode) else None

    def _path(self) -> list[ast.stmt]:
        """The definitions from the module down to the function; empty where it is not found."""
        wanted = self.plan.function
        waiting: list[tuple[ast.AST, tuple[ast.stmt, ...]]] = [(self.module, ())] if self.module else []
        while waiting:
            around, path = waiting.pop()
            for child in ast.iter_child_nodes(around):
                if isinstance(child, FunctionNode | ast.ClassDef):
                    here = (*path, child)
                    if isinstance(child, FunctionNode) and first_line_of(child) == wanted.first_line:
                        return list(here)
                    waiting.append((child, here))
                elif isinstance(child, ast.stmt | ast.ExceptHandler):
                    waiting.append((child, path))
        return []

    @cached_property
    def owner(self) -> ast.ClassDef | None:
        """The class that the function is a method of."""
        last = self.around[-1] if self.around else None
        return last if isinstance(last, ast.ClassDef) else None

    @cached_property
    def test_path(self) -> str:
        """The file of the first failing test."""
        return str(self.diagnosis.failure.test).split("::", 1)[0]

    @cached_property
    def case(self) -> Case | None:
        """The first failing test, where its file can be read."""
        file = read_tests(self.texts.get(self.test_path, b""))
        return None if isinstance(file, Unreadable) else find_case(file, self.diagnosis.failure.test)

    @cached_property
    def test_frame(self) -> Frame | None:
        """The innermost frame in the failing test's own function."""
        raised = telling_exception(self.diagnosis.failure)
        own = [frame for frame in (raised.frames if raised else ()) if frame.path == self.test_path]
        inside = [f for f in own if self.case is not None and _holds(self.case.function, f.line)]
        found = inside or own
        return found[-1] if found else None

    @cached_property
    def said(self) -> GotAndWanted:
        """What the failing test got and what it wanted."""
        return read_assertion(self.diagnosis, tuple(self.texts.items()))

    @cached_property
    def ran(self) -> frozenset[int]:
        """The lines of the function that failing tests ran; none where that is not known."""
        return frozenset(line for line, score in self.plan.suspect.line_scores if score > 0)

    @cached_property
    def suspicious(self) -> frozenset[int]:
        """The most suspicious lines of the function."""
        return frozenset(suspicious_lines(self.plan.suspect.line_scores))


def _holds(node: ast.stmt, line: int) -> bool:
    return first_line_of(node) <= line <= (node.end_lineno or node.lineno)


def from_margin(lines: Iterable[str]) -> str:
    """The lines with the indentation that all of them share taken away; trailing space, too."""
    kept = [line.rstrip().expandtabs() for line in lines]
    shared = min((len(line) - len(line.lstrip()) for line in kept if line), default=0)
    return "\n".join(line[shared:] for line in kept).strip("\n")


def clip(text: str, most: int) -> str:
    """The text, cut behind a whole line where it is longer, which is said."""
    if len(text) <= most:
        return text
    cut = text[: most - 6]
    return (cut.rsplit("\n", 1)[0] if "\n" in cut else cut) + "\n[cut]"


def one_line(text: str, most: int) -> str:
    """The text on one line, cut with a sign; blanks within a line stay, since two texts may differ in nothing else."""
    line = " ".join(filter(None, map(str.strip, text.splitlines())))
    return line if len(line) <= most else line[: most - 1] + "…"


def shown_value(name: str, text: str, most: int = 160) -> str:
    """A value's text; hidden where its name or its text says that it may be a secret."""
    is_text = text.lstrip("rRbBuUfF")[:1] in ("'", '"')
    if (is_text and _SECRET.search(name)) or CREDENTIALS.search(text):
        return HIDDEN
    return one_line(_TEXT.sub(HIDDEN, text) if _SECRET.search(name) else without_secrets(text), most)


_TEXT = re.compile(r"""('{3}|"{3}).*?\1|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*\"""", re.DOTALL)


def without_secrets(text: str) -> str:
    """Code with every text in it hidden, where any word of it says that one may be a secret; no password in an address.

    Comments count as well: whoever quotes a password there has it hidden, with all other texts.
    """
    known = CREDENTIALS.sub("://[hidden]@", text)
    return _TEXT.sub(HIDDEN, known) if _SECRET.search(known) else known


def signature(node: FunctionNode) -> str:
    """The head of a function on one line, without decorators: ``def price(count: int) -> int``."""
    kind = "async def" if isinstance(node, ast.AsyncFunctionDef) else "def"
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return without_secrets(f"{kind} {node.name}({ast.unparse(node.args)}){returns}")


def first_sentence(node: FunctionNode | ast.ClassDef | ast.Module) -> str:
    """The first line of the docstring, empty where there is none."""
    return next(iter((ast.get_docstring(node) or "").strip().splitlines()), "")


Field = ast.Assign | ast.AnnAssign
"""A statement that gives a name of a class or a module its value, or its annotation alone."""


def assignment(node: Field, most: int = 160) -> str:
    """The statement on one line, a value that may be secret hidden: ``LIMIT: int = 10``."""
    target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
    name = ast.unparse(target)
    annotation = f": {ast.unparse(node.annotation)}" if isinstance(node, ast.AnnAssign) else ""
    value = f" = {shown_value(name, ast.unparse(node.value), most)}" if node.value is not None else ""
    return f"{name}{annotation}{value}"


MOST_SHORT = 420
"""Characters of the body of a function that is told whole beside the one to mend."""


def is_short(node: FunctionNode, text: str) -> bool:
    """Whether a function of this text is told whole: a few statements, with nothing in it that may be a secret."""
    body = "\n".join(map(ast.unparse, without_docstring(node.body)))
    return len(body) <= MOST_SHORT and without_secrets(text) == text
