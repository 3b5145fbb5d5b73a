"""`make bench-heal`: generated tests of real libraries after seeded changes, healed, and counted.

Tests hold examples of docstrings. Three copies of each library are changed by script. In the first, functions are
renamed and moved, and their parameters changed. In the second, what functions give is changed with their examples. In
the third, the same changes are made without a word in the docstring: nothing may be healed there.
"""

from __future__ import annotations

import ast
import datetime
import json
import os
import random
import re
import shutil
import subprocess
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from analysis.errors import RepairError
from analysis.facts import Files, FunctionId
from analysis.function_text import names_in, parse_module
from analysis.functions import FunctionSpan, functions_of
from analysis.stated.citation import uncited
from corpora.environment import environment
from corpora.lab.benchmarks.figures import Figure, Measured, Row, table, write_record
from corpora.lab.benchmarks.setup import machine_of, say, versions
from corpora.lab.benchmarks.uncited import find_uncited
from corpora.lab.cases import HUMANIZE, ONE_TO_ONE, PYTEST
from corpora.lab.pinned import SourcePackage, fetch
from corpora.source_package import case_cache, unpack
from repair.api import heal
from repair.compare.answers import module_of, modules_of
from repair.compare.examples import docstring_of, read_examples
from repair.records.config import Options
from repair.records.functions import edit_scope
from repair.records.grown import SaidBy
from repair.records.healed import HealedTest, HealRequest, HealState
from repair.survey.growing.claim import CallCase, Claim, ClaimKind
from repair.survey.growing.new_files import marked
from repair.survey.growing.oracle import cite_example
from repair.survey.growing.printing import FilePrinter
from repair.survey.growing.style import WritingStyle
from transforms.mutants.made import mutants

MOVED = Figure("heal_moved", 0.85, 0.95)
CHANGED = Figure("heal_facts_changed", 0.8, 0.95)
WRONG = Figure("heal_wrong_program", 0, 0, floor=False)
UNCITED = Figure("heal_uncited", 0, 0, floor=False)

WANTED = {"moved": 40, "facts": 30, "wrong": 30}
MOST_EXAMPLES, MOST_TRIES = 2, 15

_CALLS = """
import importlib, json, sys
ends = []
for module, call in json.load(sys.stdin):
    try:
        ends.append(repr(eval(call, dict(vars(importlib.import_module(module))))))
    except Exception as problem:
        ends.append("raises " + type(problem).__name__)
print(json.dumps(ends))
"""


@dataclass(frozen=True, slots=True)
class HealedLibrary:
    """A library: which of its folders is copied, below which folder it is imported, and the files that are changed."""

    package: SourcePackage
    folder: str
    sources: str
    paths: tuple[str, ...]
    requirements: tuple[str, ...] = PYTEST


LIBRARIES = {
    "inflection": HealedLibrary(
        SourcePackage("inflection", "0.5.1", "1a29730d366e996aaacffb2f1f1cb9593dc38e2ddd30c91250c6dde09ea9b417"),
        "inflection",
        ".",
        ("inflection/__init__.py",),
    ),
    "humanize": HealedLibrary(
        HUMANIZE.pair.new,
        "src",
        "src",
        ("src/humanize/number.py", "src/humanize/filesize.py", "src/humanize/lists.py"),
        HUMANIZE.requirements,
    ),
    "boltons": HealedLibrary(
        ONE_TO_ONE.pair.new,
        "boltons",
        ".",
        ("boltons/strutils.py", "boltons/iterutils.py", "boltons/mathutils.py", "boltons/timeutils.py"),
    ),
    "toolz": HealedLibrary(
        SourcePackage("toolz", "1.0.0", "2c86e3d9a04798ac556793bced838816296a2f085017664e4995cb40a1047a02"),
        "toolz",
        ".",
        ("toolz/itertoolz.py", "toolz/dicttoolz.py"),
    ),
}


@dataclass(frozen=True, slots=True)
class ExampleCases:
    """A function with the examples that became tests: each the call and what it gives."""

    function: FunctionId
    module: str
    examples: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class CopiedLibrary:
    """A copy of a library in a folder of its own, under git, and the Python that runs it."""

    library: HealedLibrary
    root: Path
    python: str

    def files(self) -> Files:
        """Its Python files."""
        paths = sorted(path for path in self.root.rglob("*.py") if "tests" not in path.parts)
        return tuple((path.relative_to(self.root).as_posix(), path.read_bytes()) for path in paths)

    def git(self, *words: str) -> None:
        """Run git there."""
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *words], cwd=self.root, check=True)

    def ends(self, calls: Sequence[tuple[str, str]]) -> list[str]:
        """How calls of modules end in a process of their own; nothing where that does."""
        env = {"PYTHONPATH": str(self.root / self.library.sources), "PYTHONDONTWRITEBYTECODE": "1"}
        try:
            done = subprocess.run(
                [self.python, "-c", _CALLS],
                input=json.dumps(calls),
                env=env,
                timeout=20,
                capture_output=True,
                text=True,
                check=True,
            )
        except (subprocess.SubprocessError, OSError):
            return []
        return [str(end) for end in json.loads(done.stdout)]


def copied(name: str, kind: str, folder: Path) -> CopiedLibrary:
    """A fresh copy, without the library's own tests."""
    library = LIBRARIES[name]
    tree = folder / "heal-trees" / str(library.package)
    if not tree.exists():
        unpack(fetch(library.package, case_cache()), tree)
    root = folder / "heal" / name / kind
    shutil.rmtree(root, ignore_errors=True)
    shutil.copytree(tree / library.folder, root / library.folder)
    shutil.rmtree(root / library.folder / "tests", ignore_errors=True)
    (root / "pyproject.toml").write_text(f'[tool.pytest.ini_options]\npythonpath = ["{library.sources}"]\n')
    made = CopiedLibrary(library, root.resolve(), environment(library.requirements, case_cache()))
    made.git("init", "-q")
    return made


def example_cases(copy: CopiedLibrary) -> list[ExampleCases]:
    """The public functions with examples that hold and say all of their claim."""
    files = copy.files()
    found = []
    for path in copy.library.paths:
        module = module_of(path, files)
        for span in functions_of(path, dict(files)[path]):
            if span.parent or span.name.startswith("_"):
                continue
            texts = (e.text.partition(" gives ") for e in read_examples(docstring_of(files, span.function)))
            own = [(src, want) for src, _, want in texts if _is_plain(src, span.name) and _is_value(want, src)]
            ends = copy.ends([(module, src) for src, _ in own])
            held = [pair for pair, end in zip(own, ends, strict=False) if end == pair[1]][:MOST_EXAMPLES]
            if held:
                found.append(ExampleCases(span.function, module, tuple(held)))
    return found


def _is_plain(source: str, name: str) -> bool:
    match _parsed(source):
        case ast.Call(func=ast.Name(id=called), args=args, keywords=keywords) if called == name:
            return all(_is_literal(each) for each in (*args, *(k.value for k in keywords)))
    return False


def _is_value(want: str, source: str) -> bool:
    return _is_literal(_parsed(want)) and not uncited("EQUALS", want, f">>> {source} {want}")


def _parsed(text: str) -> ast.expr | None:
    try:
        return ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError):
        return None


def _is_literal(node: ast.expr | None) -> bool:
    try:
        ast.literal_eval(node) if node is not None else None
    except (ValueError, TypeError, SyntaxError):
        return False
    return node is not None


def write_tests(copy: CopiedLibrary, cases: Sequence[ExampleCases]) -> dict[str, ExampleCases]:
    """A file of tests for each module; the function of each test, by its node id."""
    files = copy.files()
    printer = FilePrinter(WritingStyle(), modules_of(files))
    owners: dict[str, ExampleCases] = {}
    for path in dict.fromkeys(each.function.path for each in cases):
        own = [each for each in cases if each.function.path == path]
        made = [_case(each, *example, dict(files)[path]) for each in own for example in each.examples]
        printed = printer.print_tests(made, grouped=False)
        place = f"tests/test_grown_{module_of(path, files).replace('.', '_')}.py"
        (copy.root / "tests").mkdir(exist_ok=True)
        (copy.root / place).write_text(marked(printed.text))
        flat = [each for each in own for _ in each.examples]
        owners |= {f"{place}::{name}": each for (name, _), each in zip(printed.tests, flat, strict=True)}
    copy.git("add", "-A")
    copy.git("commit", "-qm", "The library with generated tests")
    return owners


def _case(each: ExampleCases, source: str, want: str, text: bytes) -> CallCase:
    said = cite_example(each.function, text, f"{source} {want}")
    claim = Claim(ClaimKind.EQUALS, want)
    return CallCase(each.function.qualname, f"{each.module}.{source}", claim, SaidBy.REQUIRED, said)


def change_moved(copy: CopiedLibrary, each: ExampleCases, turn: int) -> bool:
    """Rename, move, or change the parameters of a function, whichever can be done next; whether it was."""
    kinds = ("rename", "move", "parameter", "order", "both")
    return any(_move(copy, each, kinds[(turn + more) % len(kinds)]) for more in range(len(kinds)))


def _move(copy: CopiedLibrary, each: ExampleCases, kind: str) -> bool:
    before = dict(copy.files())
    path, name = each.function.path, each.function.qualname
    span = _span(copy, each)
    if span is None:
        return False
    source, text = before[path].decode(), before[path][span.start : span.end].decode()
    new_name = f"{name}_anew"
    changed = dict(before)
    if kind in ("rename", "both"):
        changed = {p: re.sub(rf"\b{name}\b", new_name, t.decode()).encode() for p, t in before.items()}
        name = new_name
    if kind in ("move", "both"):
        source, text = changed[path].decode(), re.sub(rf"\b{each.function.qualname}\b", name, text)
        if source.count(text) != 1 or len(re.findall(rf"\b{name}\b", source.replace(text, ""))) > _listed(source, name):
            return False
        folder = path.rpartition("/")[0]
        changed[f"{folder}/moved_{name}.py"] = _moved_module(each.module, source, text, name).encode()
        rest = re.sub(rf"^\s*[\"']{name}[\"'],?\n", "", source.replace(text, ""), flags=re.M)
        changed[path] = rest.encode()
    if kind == "parameter":
        new = _with_parameter(text)
        if not new:
            return False
        changed[path] = source.replace(text, new).encode()
    if kind == "order":
        new = _with_order(text)
        if not new or len(re.findall(rf"\b{name}\(", source.replace(text, ""))) > 0:
            return False
        changed[path] = source.replace(text, new).encode()
    return changed != before and _lay(copy, before, changed)


def _listed(source: str, name: str) -> int:
    return len(re.findall(rf"^\s*[\"']{name}[\"'],?$", source, flags=re.M))


def _moved_module(module: str, source: str, text: str, name: str) -> str:
    """The function in a module of its own, with what it takes from its old one."""
    node = ast.parse(text).body[0]
    tree = parse_module(source)
    known = {n.name for n in getattr(tree, "body", ()) if isinstance(n, ast.FunctionDef | ast.ClassDef)}
    known |= {n.id for n in ast.walk(ast.parse(source)) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    known |= {a.asname or a.name for n in ast.walk(ast.parse(source)) if isinstance(n, ast.Import | ast.ImportFrom)
              for a in n.names if a.name != "annotations"}  # fmt: skip
    taken = sorted((names_in(node) & known) - {name})
    future = "from __future__ import annotations\n"
    own = f"from {module} import {', '.join(taken)}\n" if taken else ""
    return f"{future}\n{own}\n\n{text}"


def _with_parameter(text: str) -> str:
    """The function with its first parameter called otherwise, in its body and docstring too."""
    node = ast.parse(text).body[0]
    assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef), "it is the text of a function"
    names = [each.arg for each in (*node.args.args, *node.args.kwonlyargs)]
    return re.sub(rf"(?<![.\w]){names[0]}(?!\w)", f"{names[0]}_given", text) if names else ""


def _with_order(text: str) -> str:
    """The function with its first two parameters in the other order, or all but the first by name alone."""
    node = ast.parse(text).body[0]
    assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef), "it is the text of a function"
    plain, defaults = node.args.args, node.args.defaults
    if len(plain) < 2 or node.args.vararg or node.args.posonlyargs or node.args.kwonlyargs or node.returns:
        return ""
    head = text[: text.index(":\n")] if ":\n" in text else ""
    if not head or head.count("(") != 1 or any(each.annotation for each in plain):
        return ""
    if len(plain) - len(defaults) >= 2:
        one, other = plain[0].arg, plain[1].arg
        return text.replace(f"({one}, {other}", f"({other}, {one}", 1)
    return text.replace(f"({plain[0].arg}, ", f"({plain[0].arg}, *, ", 1) if len(defaults) == len(plain) - 1 else ""


def _span(copy: CopiedLibrary, each: ExampleCases) -> FunctionSpan | None:
    source = (copy.root / each.function.path).read_bytes()
    spans = [
        span for span in functions_of(each.function.path, source) if span.function.qualname == each.function.qualname
    ]
    return spans[0] if len(spans) == 1 else None


def _lay(copy: CopiedLibrary, before: dict[str, bytes], changed: dict[str, bytes]) -> bool:
    """Write the changed files; back again where the library cannot be imported any more."""
    for path, text in changed.items():
        (copy.root / path).write_bytes(text)
    modules = [module_of(path, tuple(changed.items())) for path in changed]
    if all(not end.startswith("raises") for end in copy.ends([(m, "1") for m in modules if m])) and modules:
        return True
    for path in changed:
        (copy.root / path).write_bytes(before[path]) if path in before else (copy.root / path).unlink()
    return False


def change_result(
    copy: CopiedLibrary, each: ExampleCases, seed: int, *, said: bool, beside: Sequence[ExampleCases]
) -> tuple[int, ...]:
    """Change what a function gives, and its examples where it is ``said``; the numbers of the examples it changes.

    Functions ``beside`` it, which were changed before, have to give what they gave.
    """
    path = each.function.path
    before = dict(copy.files())
    span = _span(copy, each)
    if span is None:
        return ()
    try:
        made = list(mutants(edit_scope(tuple(before.items()), span.function), defaults=False))
    except RepairError:
        return ()
    random.Random(seed).shuffle(made)
    whole = before[path]
    others = [(e.module, source) for e in beside for source, _ in e.examples]
    gave = copy.ends(others)
    for mutant in made[:MOST_TRIES]:
        (copy.root / path).write_bytes(whole[: span.start] + mutant.text + whole[span.end :])
        ends = copy.ends([(each.module, source) for source, _ in each.examples])
        plain = bool(ends) and all(_is_literal(_parsed(end)) for end in ends)
        other = tuple(n for n, end in enumerate(ends) if end != each.examples[n][1])
        if plain and other and copy.ends(others) == gave:
            text = mutant.text.decode()
            for n in other if said else ():
                text = _with_example(text, *each.examples[n], ends[n])
            if text:
                (copy.root / path).write_bytes(whole[: span.start] + text.encode() + whole[span.end :])
                return other
    (copy.root / path).write_bytes(whole)
    return ()


def _with_example(text: str, source: str, want: str, now: str) -> str:
    """The function's text where the example gives something else; ``""`` where it is not found."""
    found = re.search(rf"(>>> {re.escape(source)}[ \t]*\n[ \t]*){re.escape(want)}(?=\s)", text)
    return f"{text[: found.end(1)]}{now}{text[found.end() :]}" if found else ""


@dataclass(frozen=True, slots=True)
class HealedCases:
    """Of so many cases, those that were healed; why others were not; what no quote says in healed tests."""

    cases: int
    healed: int
    uncited: int
    reasons: tuple[str, ...] = ()


def measure(name: str, kind: str, most: int, folder: Path, turn: int) -> HealedCases:
    """Change a copy of the library in so many places at most, heal its tests, and count."""
    copy = copied(name, kind, folder)
    cases = example_cases(copy)
    owners = write_tests(copy, cases)
    random.Random(turn).shuffle(cases)
    touched: dict[ExampleCases, tuple[int, ...]] = {}
    for number, each in enumerate(cases):
        if len(touched) >= most:
            break
        if kind == "moved":
            if change_moved(copy, each, turn + number):
                touched[each] = tuple(range(len(each.examples)))
        elif changed := change_result(copy, each, turn + number, said=kind == "facts", beside=tuple(touched)):
            touched[each] = changed
            if kind == "wrong" and len(touched) % 3 == 0:
                _move(copy, each, "rename")
    copy.git("add", "-A")
    copy.git("commit", "-qm", "Seeded changes")
    before = {path: path.read_text() for path in (copy.root / "tests").glob("*.py")}
    options = Options(root=str(copy.root), python=copy.python, max_seconds=1500.0)
    report = heal(HealRequest(write=True), options, lambda _: None, os.environ)
    tests: dict[ExampleCases, list[HealedTest]] = {}
    for test in report.tests:
        tests.setdefault(owners[test.name], []).append(test)
    for each in [each for each, own in touched.items() if kind == "moved" and all(
        tests[each][n].state is HealState.FINE for n in own)]:  # fmt: skip
        del touched[each]  # nothing of its tests was broken: parameters that they give by position, say
    healed = sum(_is_healed([tests[each][n] for n in numbers], kind) for each, numbers in touched.items())
    reasons = [
        f"{kind} {name} {t.name.rpartition('::')[2]}: {t.state} {t.why}"
        for each, numbers in touched.items()
        for t in (tests[each][n] for n in numbers)
        if (t.state is not HealState.HEALED) == (kind != "wrong")
    ]
    if kind == "wrong" and any(_expected(path.read_text()) != _expected(text) for path, text in before.items()):
        reasons.append(f"wrong {name}: an expectation changed")
        healed = max(healed, 1)
    good = {each.name for each in report.tests if each.state is HealState.HEALED}
    missing = [
        m for p in before for m in find_uncited(p.read_text(), copy.root)[1] if f"tests/{p.name}::{m.test}" in good
    ]
    say(f"{name} {kind}: {healed} of {len(touched)} healed, in {report.seconds:.0f} s")
    return HealedCases(len(touched), healed, len(missing), tuple(reasons))


def _is_healed(tests: Sequence[HealedTest], kind: str) -> bool:
    """Whether all tests of a case are healed; of a wrong program whether any is healed, or passes as if it were."""
    if kind == "wrong":
        return any(each.state in (HealState.HEALED, HealState.FINE) for each in tests)
    return all(each.state is HealState.HEALED for each in tests)


def _expected(text: str) -> list[str]:
    nodes = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Compare))
    return sorted(ast.unparse(node.comparators[0]) for node in nodes)


def _measured(names: Sequence[str], folder: Path, seed: int) -> Iterator[tuple[str, HealedCases]]:
    for kind, wanted in WANTED.items():
        left = wanted
        for number, name in enumerate(names):
            share = -(-left // (len(names) - number))
            found = measure(name, kind, share, folder, seed + number)
            left -= found.cases
            yield kind, found


@click.command()
@click.option("--only", default=",".join(LIBRARIES), metavar="NAMES", help="Libraries, with commas between them")
@click.option("--seed", default=0, help="Another seed changes other places")
@click.option("--out", type=click.Path(path_type=Path), default=Path("build/bench/heal.json"), show_default=True)
def main(only: str, seed: int, out: Path) -> None:
    """Measure, print the table, and write the record."""
    names = [name.strip() for name in only.split(",") if name.strip()]
    if unknown := set(names) - LIBRARIES.keys():
        raise click.UsageError(f"There is no library {sorted(unknown)[0]!r}")
    began, load = time.monotonic(), os.getloadavg()
    found = list(_measured(names, out.parent.resolve(), seed))
    sums = {kind: [each for own, each in found if own == kind] for kind in WANTED}
    counts = {kind: (sum(e.healed for e in own), sum(e.cases for e in own)) for kind, own in sums.items()}
    rows = [
        Row(figure, (("all", counts[kind][0] / max(1, counts[kind][1]) if kind != "wrong" else counts[kind][0]),))
        for figure, kind in ((MOVED, "moved"), (CHANGED, "facts"), (WRONG, "wrong"))
    ]
    rows.append(Row(UNCITED, (("all", float(sum(each.uncited for _, each in found))),)))
    notes = [f"{kind}: {healed} of {cases}" for kind, (healed, cases) in counts.items()]
    notes += [reason for _, each in found for reason in each.reasons]
    measured = Measured(tuple(rows), (), tuple(notes))
    click.echo(table(measured))
    for note in notes:
        click.echo(f"- {note}")
    machine: dict[str, object] = {
        **machine_of(),
        "load_before": load,
        "load_after": os.getloadavg(),
        "seconds": round(time.monotonic() - began),
        "command": "make bench-heal",
    }
    now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    write_record(out, measured, date=now, versions=versions(), machine=machine, steps=[])
    click.echo(f"Written to {out}")


if __name__ == "__main__":
    main()
