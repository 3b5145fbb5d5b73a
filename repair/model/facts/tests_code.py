"""The failing test cut to what led to its failure, what it takes from around it, and a test that passes."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from analysis.facts import TestId
from analysis.function_text import FunctionNode, Unreadable, first_line_of, last_name, names_in, statements
from analysis.quality.case import Case, find_case, read_tests
from repair.model.facts.matter import Matter, clip, from_margin, one_line, shown_value

MOST_TEST, MOST_DECORATOR, MOST_CASES, MOST_PIECE, MOST_PASSING = 1600, 160, 400, 700, 900
MOST_NAMED = 80
"""Characters of a further argument of a ``parametrize``."""

LINES_AROUND = 8
"""Lines above and below the failing one that are shown of a test that is no function of its file."""

MOST_LOOKED_AT = 12
"""Passing tests that are looked at."""

_SET_UPS = ("setUp", "setup_method", "setUpClass", "setup_class", "asyncSetUp", "setup")


def failing_test(matter: Matter) -> str:
    """The test without what stands behind the line that failed and, where it is long, what has no part in it."""
    case, frame = matter.case, matter.test_frame
    if case is None:
        lines = matter.lines_of(matter.test_path)
        return from_margin(lines[max(0, frame.line - LINES_AROUND) : frame.line + LINES_AROUND]) if frame else ""
    body = kept_statements(case, frame.line if frame else 0)
    lines = [*_head(matter, case)]
    whole = "\n".join(_indented(matter, statement) for statement in body)
    if len(whole) > MOST_TEST:
        kept = sliced(body)
        lines += ["    …" if statement not in kept else _indented(matter, statement) for statement in body]
        lines = [line for n, line in enumerate(lines) if line != "    …" or lines[n - 1] != "    …"]
    else:
        lines.append(whole)
    return clip("\n".join(lines), MOST_TEST + MOST_DECORATOR + MOST_CASES)


def kept_statements(case: Case, line: int) -> list[ast.stmt]:
    """The statements of the test up to the one that failed; all of them where that is not known."""
    body = case.function.body
    failed = next((n for n, s in enumerate(body) if first_line_of(s) <= line <= (s.end_lineno or s.lineno)), len(body))
    return body[: failed + 1]


def sliced(body: Sequence[ast.stmt]) -> list[ast.stmt]:
    """The last statement, and those before it that make or change what it uses."""
    *before, last = body
    needed, kept = set(names_in(last)), [last]
    for statement in reversed(before):
        if not _is_assertion(statement) and needed & _touched(statement):
            kept.append(statement)
            needed |= names_in(statement)
    return kept


def _is_assertion(statement: ast.stmt) -> bool:
    match statement:
        case ast.Assert():
            return True
        case ast.Expr(value=ast.Call(func=func)):
            return last_name(func).startswith("assert")
    return False


def _touched(statement: ast.stmt) -> set[str]:
    """The names that a statement binds, or whose values it may change: ``x`` of ``x = 1`` and of ``x.add(1)``."""
    found = {n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    for node in ast.walk(statement):
        match node:
            case ast.Call(func=ast.Attribute(value=base)) | ast.Attribute(value=base, ctx=ast.Store()):
                found |= names_in(base)
            case ast.Subscript(value=base, ctx=ast.Store()):
                found |= names_in(base)
            case ast.Import() | ast.ImportFrom():
                found |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                found.add(name)
    return found


def _head(matter: Matter, case: Case) -> Iterator[str]:
    """Decorators, cut where they are long, and the line of ``def``, below that of the class."""
    if case.classes:
        yield f"# in {'.'.join(each.name for each in case.classes)}"
    for decorator in case.function.decorator_list:
        text = ast.unparse(decorator)
        cases = _cases(decorator, str(matter.diagnosis.failure.test)) if len(text) > MOST_DECORATOR else ""
        shown = cases or one_line(text, MOST_DECORATOR)
        yield f"@{shown}" + ("  # cut" if "…" in shown and "…" not in text else "")
    lines = matter.lines_of(matter.test_path)
    yield from_margin(
        lines[case.function.lineno - 1 : case.function.body[0].lineno - 1] or [f"def {case.function.name}():"]
    )


def _cases(decorator: ast.expr, test: str) -> str:
    """The cases of a ``parametrize`` that is long, that of the failing test first; empty for another decorator."""
    match decorator:
        case ast.Call(func=func, args=[names, ast.List(elts=cases) | ast.Tuple(elts=cases), *_], keywords=named):
            if last_name(func) != "parametrize":
                return ""
            failing = test.partition("[")[2].removesuffix("]")
            ordered = sorted(cases, key=lambda each: _id_of(each) != failing)
            shown = one_line(", ".join(map(ast.unparse, ordered)), MOST_CASES)
            said = "".join(
                f", {each.arg}={one_line(ast.unparse(each.value), MOST_NAMED)}" for each in named if each.arg
            )
            return f"{ast.unparse(func)}({ast.unparse(names)}, [{shown}]{said})"
    return ""


def _id_of(case: ast.expr) -> str:
    """The name that pytest gives to a case made of plain values: ``3-a-True``; of others it is another one."""
    values = case.elts if isinstance(case, ast.Tuple | ast.List) else [case]
    return "-".join(str(each.value) if isinstance(each, ast.Constant) else ast.unparse(each) for each in values)


def _indented(matter: Matter, statement: ast.stmt) -> str:
    return "\n".join(f"    {line}".rstrip() for line in matter.source_of(matter.test_path, statement).split("\n"))


def what_the_test_uses(matter: Matter) -> str:
    """Fixtures, set-up methods, helpers and constants that the kept part of the test names, each clipped."""
    case = matter.case
    if case is None:
        return ""
    body = kept_statements(case, matter.test_frame.line if matter.test_frame else 0)
    whole = sum(len(_indented(matter, each)) for each in body)
    used = frozenset[str]().union(*(names_in(each) for each in (body if whole <= MOST_TEST else sliced(body))))
    asked = [each.arg for each in case.function.args.args if each.arg not in ("self", "cls")]
    pieces = [*_set_ups(matter, case), *_fixtures(matter, case, asked), *_helpers(matter, case, used)]
    return "\n".join(dict.fromkeys(piece for piece in pieces if piece))


def _set_ups(matter: Matter, case: Case) -> Iterator[str]:
    for owner in case.classes:
        for part in owner.body:
            if isinstance(part, FunctionNode) and part.name in _SET_UPS:
                yield clip(matter.source_of(matter.test_path, part), MOST_PIECE)
            elif isinstance(part, ast.Assign | ast.AnnAssign):
                yield one_line(ast.unparse(part), 160)


def _fixtures(matter: Matter, case: Case, asked: Sequence[str], depth: int = 2) -> Iterator[str]:
    """The fixtures of these names, nearest first, and those that they ask for in turn."""
    for name in asked:
        found = next(_definitions(matter, case, name), None)
        if found is None:
            continue
        path, node = found
        where = f"# {path}\n" if path != matter.test_path else ""
        yield where + clip(matter.source_of(path, node), MOST_PIECE)
        if depth > 1:
            yield from _fixtures(matter, case, [each.arg for each in node.args.args], depth - 1)


def _definitions(matter: Matter, case: Case, name: str) -> Iterator[tuple[str, FunctionNode]]:
    """Where a fixture may be defined: the test's classes, its file, ``conftest.py`` of its folder and those above."""
    scopes: list[tuple[str, Sequence[ast.stmt]]] = [(matter.test_path, owner.body) for owner in reversed(case.classes)]
    scopes.append((matter.test_path, case.module.body))
    for folder in PurePosixPath(matter.test_path).parents:
        path = (folder / "conftest.py").as_posix()
        tree = matter.tree_of(path)
        scopes += [(path, tree.body)] if tree else []
    for path, body in scopes:
        for node in statements(body):
            if isinstance(node, FunctionNode) and name in _fixture_names(node):
                yield path, node


def _fixture_names(node: FunctionNode) -> set[str]:
    for decorator in node.decorator_list:
        call = decorator if isinstance(decorator, ast.Call) else None
        if last_name(call.func if call else decorator) in ("fixture", "yield_fixture"):
            named = [k.value for k in call.keywords if k.arg == "name"] if call else []
            return {str(n.value) for n in named if isinstance(n, ast.Constant)} or {node.name}
    return set()


def _helpers(matter: Matter, case: Case, used: frozenset[str]) -> Iterator[str]:
    """Functions, classes and constants of the test's module that it names."""
    for node in statements(case.module.body):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name) if name in used:
                yield clip(matter.source_of(matter.test_path, node), MOST_PIECE)
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in used:
                yield f"{name} = {shown_value(name, ast.unparse(value), 400)}"


def passing_test(matter: Matter) -> str:
    """The nearest passing test that runs the function: of the failing test's file and naming it, if there is one."""
    name = matter.plan.function.qualname.split(".")[-1]
    near = sorted(matter.context.passing(), key=lambda each: not each.startswith(f"{matter.test_path}::"))
    shown = [text for test in near[:MOST_LOOKED_AT] if (text := _source(matter, test))]
    return next((text for text in shown if name in text), shown[0] if shown else "")


def _source(matter: Matter, test: TestId) -> str:
    path = test.split("::", 1)[0]
    file = read_tests(matter.texts.get(path, b""))
    case = None if isinstance(file, Unreadable) else find_case(file, test)
    if case is None or (matter.case is not None and case.function is matter.case.function):
        return ""
    if path == matter.test_path and matter.case is not None and case.function.lineno == matter.case.function.lineno:
        return ""  # another case of the failing test
    return f"# {test}\n" + clip(matter.source_of(path, case.function), MOST_PASSING)
