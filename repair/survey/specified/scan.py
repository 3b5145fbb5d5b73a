"""``repair spec scan``: the files of a project are read, and what they state is stored; none of its code runs."""

from __future__ import annotations

import ast
import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from analysis.diagnosis import is_test_path
from analysis.function_text import Unreadable, last_name, parse_module
from analysis.project_files import program_files
from analysis.specified.asserted import KnownFunction, facts_of_tests
from analysis.specified.commit_facts import commit_facts
from analysis.specified.declared import class_facts, signature_facts
from analysis.specified.docstring_facts import docstring_facts
from analysis.specified.fact_record import Fact
from analysis.specified.gherkin import read_feature, scenario_facts
from analysis.specified.openapi import InterfaceDocument, dead_references, interface_facts, route_facts
from analysis.specified.requirements import requirement_facts
from analysis.specified.routes import WebRoute, routes_in
from analysis.stated.function import StatedFunction, stated_functions
from repair.observe.parsing import check_sources
from repair.records.specified import UnreadSource
from repair.store.git_history import latest_commits
from repair.survey.specified.yaml_text import read_yaml
from sandbox.workspace import Snapshot

MOST_BYTES = 2 << 20
"""A larger document is not read."""

MOST_SAID = 200
"""Characters of what a document that cannot be read is said to be."""

MOST_DOCUMENTS = 2_000

_NO_SPECIFICATION = re.compile(
    r"^(?:changelog|changes|history|news|release[-_ ]?notes|licen[cs]e|contributors|authors)", re.I
)
_NOT_THE_FUNCTION = frozenset(("overload", "setter", "deleter"))
"""Decorators of what stands beside the function of that name."""

_INTERFACE = re.compile(r"openapi|swagger", re.I)
_SAYS_OPENAPI = re.compile(rb"""^[\s{]*["']?openapi["']?\s*:\s*["']?3\.""", re.M)
"""How a document says that it is one, whatever its file is called."""

_TEST_FOLDERS = frozenset(("test", "tests", "testing", "fixtures"))


@dataclass(frozen=True, slots=True)
class ScannedProject:
    """What the files of a project state.

    ``functions`` are those of the program by ``path:name``; ``trees`` hold its files and those of its tests.
    """

    facts: tuple[Fact, ...] = ()
    unread: tuple[UnreadSource, ...] = ()
    functions: Mapping[str, StatedFunction] = field(default_factory=dict)
    trees: Mapping[str, ast.Module] = field(default_factory=dict)
    documents: Mapping[str, str] = field(default_factory=dict)
    """The documents that were read, by path."""
    routes: tuple[WebRoute, ...] = ()
    files: int = 0

    @property
    def test_paths(self) -> tuple[str, ...]:
        """The files of tests."""
        return tuple(path for path in self.trees if is_test_path(path))


def scan_project(snapshot: Snapshot, root: Path | None = None) -> ScannedProject:
    """The facts of a project as it was copied; with a ``root``, of its latest commits too."""
    scanner = _Scanner(snapshot)
    scanner.read_program()
    scanner.read_documents()
    if root is not None:
        scanner.read_commits(root)
    return scanner.result()


class _Scanner:
    """Reads one part of the project after the other. The program comes first: other parts speak of its functions."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._facts: list[Fact] = []
        self._unread: list[UnreadSource] = []
        self._functions: dict[str, StatedFunction] = {}
        self._trees: dict[str, ast.Module] = {}
        self._documents: dict[str, str] = {}
        self._classes: dict[str, str] = {}
        self._routes: list[WebRoute] = []
        self._named: dict[str, KnownFunction] = {}

    def result(self) -> ScannedProject:
        return ScannedProject(
            tuple(dict.fromkeys(self._facts)),
            tuple(self._unread),
            self._functions,
            self._trees,
            self._documents,
            tuple(self._routes),
            len(self._trees) + len(self._documents),
        )

    def read_program(self) -> None:
        sources = self._snapshot.sources()
        problems = {problem.path: problem.detail for problem in check_sources(sources)}
        self._unread += [UnreadSource(path, 0, f"it cannot be parsed: {why}") for path, why in problems.items()]
        for path, source in sources:
            tree = parse_module(source) if path not in problems else None
            if isinstance(tree, Unreadable):
                self._unread.append(UnreadSource(path, 0, tree.detail))
            elif tree is not None:
                self._trees[path] = tree
        tests = {path for path in self._trees if is_test_path(path)}
        run = {path for path in self._trees if "/" not in path}  # a module at the top counts, unless it only builds
        own = program_files(self._trees, tests, run - {"setup.py", "noxfile.py", "tasks.py", "conftest.py"})
        for path in own:
            self._read_deep(path, partial(self._read_module, path, self._trees[path]))
        self._named = _by_name(self._functions)
        for path in (each.path for each in self._snapshot.entries if each.kind == "file"):
            if path.endswith(".pyi") and path[:-1] in own:
                self._read_deep(path, partial(self._read_stub, path))
        for path in sorted(tests):
            self._read_deep(path, partial(self._read_tests, path))

    def _read_deep(self, path: str, read: Callable[[], None]) -> None:
        """Read a file; one that is nested too deep states nothing beyond what was read of it."""
        try:
            read()
        except (RecursionError, MemoryError):
            self._unread.append(UnreadSource(path, 0, "it is nested too deep"))

    def _read_tests(self, path: str) -> None:
        self._facts += facts_of_tests(path, self._trees[path], self._named)

    def _read_stub(self, path: str) -> None:
        """What a stub says of the functions of its module; a default of ``...`` says no value."""
        source = self._snapshot.read([path]).get(path, b"")
        problems = check_sources([(path, source)])
        tree = parse_module(source) if not problems else None
        if tree is None or isinstance(tree, Unreadable):
            why = problems[0].detail if problems else getattr(tree, "detail", "")
            self._unread.append(UnreadSource(path, 0, f"it cannot be parsed: {why}"))
            return
        for function in stated_functions(path, tree):
            subject = f"{path[:-1]}:{function.qualname}"
            if subject in self._functions and last_name(next(iter(function.node.decorator_list), None)) != "overload":
                facts = signature_facts(path, function)
                self._facts += [replace(fact, subject=subject) for fact in facts if fact.value != "Ellipsis"]

    def _read_module(self, path: str, tree: ast.Module) -> None:
        for function in stated_functions(path, tree):
            if {last_name(each) for each in function.node.decorator_list} & _NOT_THE_FUNCTION:
                continue
            self._functions[f"{path}:{function.qualname}"] = function
            self._facts += signature_facts(path, function)
            self._facts += docstring_facts(path, function)
        found = list(class_facts(path, tree))
        self._facts += found
        for subject in {fact.subject for fact in found}:
            name = subject.partition(":")[2]
            self._classes[name] = "" if name in self._classes else subject
        self._routes += routes_in(path, tree)

    def read_documents(self) -> None:
        paths = [entry.path for entry in self._snapshot.entries if entry.kind == "file"]
        wanted = [path for path in paths if _kind(path)]
        if len(wanted) > MOST_DOCUMENTS:
            why = f"{len(wanted)} documents are more than the {MOST_DOCUMENTS} that are read"
            self._unread.append(UnreadSource(wanted[MOST_DOCUMENTS], 0, why))
        for path in wanted[:MOST_DOCUMENTS]:
            content = self._snapshot.read([path]).get(path)
            if content is not None:
                self._read_document(path, content)
        self._facts += route_facts(self._routes)

    def _read_document(self, path: str, content: bytes) -> None:
        kind = _kind(path)
        if kind == "data" and not (len(content) <= MOST_BYTES and _SAYS_OPENAPI.search(content)):
            return
        if len(content) > MOST_BYTES:
            why = f"{len(content)} bytes are more than the {MOST_BYTES} that are read"
            self._unread.append(UnreadSource(path, 0, why))
            return
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError as problem:
            line = content[: problem.start].count(b"\n") + 1
            self._unread.append(UnreadSource(path, line, "it is no UTF-8: write it in UTF-8"))
            return
        self._documents[path] = text
        if kind == "feature":
            scenarios, problems = read_feature(text)
            self._unread += [UnreadSource(path, each.line, each.why) for each in problems]
            self._facts += scenario_facts(path, scenarios, self._named)
        elif kind == "markdown":
            self._facts += requirement_facts(path, text, self._named)
        else:
            self._read_interface(path, text)

    def _read_interface(self, path: str, text: str) -> None:
        try:
            data = read_data(path, text)
        except (ValueError, RecursionError, MemoryError) as problem:
            line = getattr(problem, "lineno", 0) or 0
            self._unread.append(UnreadSource(path, line, str(problem) or type(problem).__name__))
            return
        if not isinstance(data, dict):
            self._unread.append(UnreadSource(path, 1, "it holds no mapping"))
            return
        try:
            self._take_interface(InterfaceDocument(path, data, text))
        except (TypeError, ValueError, AttributeError, KeyError, RecursionError) as problem:  # keys of mixed kinds, say
            said = f"it is no OpenAPI document that can be read: {type(problem).__name__}: {problem}"
            self._unread.append(UnreadSource(path, 1, said[:MOST_SAID]))

    def _take_interface(self, document: InterfaceDocument) -> None:
        if document.problem:
            self._unread.append(UnreadSource(document.path, 1, document.problem))
            return
        for reference, line in dead_references(document):
            self._unread.append(UnreadSource(document.path, line, f"{reference} leads nowhere"))
        classes = {name: subject for name, subject in self._classes.items() if subject}
        self._facts += tuple(interface_facts(document, self._routes, self._named, classes))

    def read_commits(self, root: Path) -> None:
        commits = latest_commits(root, sorted(self._trees)) if self._trees else ()
        self._facts += commit_facts(commits or (), self._functions)


def read_data(path: str, text: str) -> Any:
    """The data of a JSON or YAML file. Raises ``ValueError`` that says what is wrong, and where."""
    if not path.endswith(".json"):
        return read_yaml(text)
    try:
        return json.loads(text)
    except json.JSONDecodeError as problem:
        raise ValueError(f"it is no JSON: {problem.msg} in line {problem.lineno}") from problem


def _kind(path: str) -> str:
    """What sort of document a file is, by its name; empty for none that is read."""
    name = path.rpartition("/")[2]
    if name.endswith(".feature"):
        return "feature"
    if name.endswith((".md", ".markdown")):
        return "" if _NO_SPECIFICATION.match(name) else "markdown"
    if name.endswith((".json", ".yaml", ".yml")) and not _TEST_FOLDERS & set(path.split("/")[:-1]):
        return "interface" if _INTERFACE.search(name) else "data"
    return ""


def _by_name(functions: Mapping[str, StatedFunction]) -> dict[str, KnownFunction]:
    """The plain functions by name, as far as one name means one function of the program."""
    names = Counter(subject.partition(":")[2].rpartition(".")[2] for subject in functions)
    return {
        function.qualname: KnownFunction(subject, function)
        for subject, function in functions.items()
        if "." not in function.qualname and names[function.qualname] == 1
    }
