"""`make bench-heal`: generated tests of real libraries after seeded changes, healed, and counted.

Tests hold examples and sentences of docstrings. Three copies of each library are changed by script. In the first,
functions are renamed and moved, and their parameters changed. In the second, what functions give is changed with their
words. In the third, the same changes are made without a word in the docstring: nothing may be healed there.
"""

from __future__ import annotations

import ast
import datetime
import os
import random
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from analysis.errors import RepairError
from analysis.function_text import names_in
from analysis.functions import FunctionSpan, functions_of
from corpora.lab.benchmarks.figures import Figure, Measured, Row, table, write_record
from corpora.lab.benchmarks.healed_library import (
    LIBRARIES,
    CopiedLibrary,
    ExampleCases,
    copied,
    example_cases,
    is_literal,
    parsed,
    with_other_end,
    write_tests,
)
from corpora.lab.benchmarks.setup import machine_of, say, versions
from corpora.lab.benchmarks.uncited import find_uncited
from repair.api import heal
from repair.compare.answers import module_of
from repair.records.config import Options
from repair.records.functions import edit_scope
from repair.records.healed import HealedTest, HealRequest, HealState
from transforms.mutants.made import mutants

MOVED = Figure("heal_moved", 0.85, 0.95)
CHANGED = Figure("heal_facts_changed", 0.8, 0.95)
WRONG = Figure("heal_wrong_program", 0, 0, floor=False)
UNCITED = Figure("heal_uncited", 0, 0, floor=False)

WANTED = {"moved": 40, "facts": 30, "wrong": 30}
MOST_TRIES = 15


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
    known: set[str] = set()
    for each in ast.parse(source).body:
        if isinstance(each, ast.FunctionDef | ast.ClassDef):
            known.add(each.name)
            continue
        inner = list(ast.walk(each))
        known |= {n.id for n in inner if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        known |= {n.name for n in inner if isinstance(n, ast.FunctionDef | ast.ClassDef)}
        imports = [n for n in inner if isinstance(n, ast.Import | ast.ImportFrom)]
        known |= {a.asname or a.name for n in imports for a in n.names if a.name != "annotations"}
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
    modules = [module for path in changed if (module := module_of(path, tuple(changed.items())))]
    if copy.ends([(module, "1") for module in modules]) == ["1"] * len(modules):
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
        plain = bool(ends) and all(is_literal(parsed(end)) for end in ends)
        other = tuple(n for n, end in enumerate(ends) if end != each.examples[n][1])
        if plain and other and copy.ends(others) == gave:
            text = mutant.text.decode()
            for n in other if said else ():
                text = with_other_end(text, *each.examples[n], ends[n])
            if text:
                (copy.root / path).write_bytes(whole[: span.start] + text.encode() + whole[span.end :])
                return other
    (copy.root / path).write_bytes(whole)
    return ()


@dataclass(frozen=True, slots=True)
class HealedCases:
    """Of so many cases, those that were healed; why others were not; what no quote says in healed tests."""

    cases: int
    healed: int
    uncited: int
    in_sentences: int
    """Cases whose words are sentences."""
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
    return HealedCases(len(touched), healed, len(missing), sum(each.in_sentences for each in touched), tuple(reasons))


def _is_healed(tests: Sequence[HealedTest], kind: str) -> bool:
    """Whether all tests of a case are healed; of a wrong program whether any is healed, or passes as if it were."""
    if kind == "wrong":
        return any(each.state in (HealState.HEALED, HealState.FINE) for each in tests)
    return all(each.state is HealState.HEALED for each in tests)


def _expected(text: str) -> list[str]:
    nodes = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Compare))
    return sorted(ast.unparse(node.comparators[0]) for node in nodes)


def _measured(names: Sequence[str], kinds: Sequence[str], folder: Path, seed: int) -> Iterator[tuple[str, HealedCases]]:
    for kind in kinds:
        left = WANTED[kind]
        for number, name in enumerate(names):
            share = -(-left // (len(names) - number))
            found = measure(name, kind, share, folder, seed + number)
            left -= found.cases
            yield kind, found


@click.command()
@click.option("--only", default=",".join(LIBRARIES), metavar="NAMES", help="Libraries, with commas between them")
@click.option("--kinds", default=",".join(WANTED), metavar="KINDS", help="Kinds of changes, in their order")
@click.option("--seed", default=0, help="Another seed changes other places")
@click.option("--out", type=click.Path(path_type=Path), default=Path("build/bench/heal.json"), show_default=True)
def main(only: str, kinds: str, seed: int, out: Path) -> None:
    """Measure, print the table, and write the record."""
    names = [name.strip() for name in only.split(",") if name.strip()]
    if unknown := set(names) - LIBRARIES.keys():
        raise click.UsageError(f"There is no library {sorted(unknown)[0]!r}")
    if unknown := set(kinds.split(",")) - WANTED.keys():
        raise click.UsageError(f"There is no kind {sorted(unknown)[0]!r}")
    began, load = time.monotonic(), os.getloadavg()
    found = list(_measured(names, kinds.split(","), out.parent.resolve(), seed))
    sums = {kind: [each for own, each in found if own == kind] for kind in WANTED}
    counts = {kind: (sum(e.healed for e in own), sum(e.cases for e in own)) for kind, own in sums.items()}
    rows = [
        Row(figure, (("all", counts[kind][0] / max(1, counts[kind][1]) if kind != "wrong" else counts[kind][0]),))
        for figure, kind in ((MOVED, "moved"), (CHANGED, "facts"), (WRONG, "wrong"))
        if kind in kinds.split(",")
    ]
    rows.append(Row(UNCITED, (("all", float(sum(each.uncited for _, each in found))),)))
    said = {kind: sum(each.in_sentences for each in own) for kind, own in sums.items()}
    notes = [f"{kind}: {healed} of {cases}, {said[kind]} by sentences" for kind, (healed, cases) in counts.items()]
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
