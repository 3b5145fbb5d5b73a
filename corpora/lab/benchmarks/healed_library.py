"""Copies of real libraries with generated tests, for ``make bench-heal``: what functions claim, by which words.

A test holds one call and what it gives. Half of the functions have examples, as their authors wrote them. Of the others
the script makes a sentence of each example, "f(1) returns 2.", since few authors write such sentences.
"""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from analysis.facts import Files, FunctionId
from analysis.functions import FunctionSpan, functions_of
from analysis.stated.citation import uncited
from analysis.stated.fact import Gives
from analysis.stated.function import stated_of
from corpora.environment import environment
from corpora.lab.agent_claims import values_of
from corpora.lab.cases import HUMANIZE, ONE_TO_ONE, PYTEST
from corpora.lab.pinned import SourcePackage, fetch
from corpora.source_package import case_cache, unpack
from repair.compare.answers import module_of, modules_of
from repair.compare.examples import docstring_of, read_examples
from repair.records.grown import SaidBy
from repair.survey.growing.claim import CallCase, Claim, ClaimKind
from repair.survey.growing.new_files import marked
from repair.survey.growing.oracle import cite_example
from repair.survey.growing.printing import FilePrinter
from repair.survey.growing.style import WritingStyle

MOST_EXAMPLES = 2
MOST_SECONDS = 20.0


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
    """A function with the words that became tests: each the call and what it gives, as examples or as sentences."""

    function: FunctionId
    module: str
    examples: tuple[tuple[str, str], ...]
    in_sentences: bool = False


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
        asked = [
            f"from importlib import import_module\nglobals().update(vars(import_module({m!r})))\n{c}" for m, c in calls
        ]
        return values_of(self.root / self.library.sources, self.python, asked, MOST_SECONDS)


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
    """The public functions with examples that hold and say all of their claim; every second one's in sentences."""
    found = []
    for path in copy.library.paths:
        functions = [each for each in _public(copy, path) if _examples_of(copy, each)]
        for each in functions[1::2]:
            _write_sentences(copy, each)
        for span in _public(copy, path):
            told, by_example = _sentences_of(copy, span), _examples_of(copy, span)
            if told or by_example:
                module = module_of(path, copy.files())
                found.append(ExampleCases(span.function, module, tuple(told or by_example), in_sentences=bool(told)))
    return found


def _public(copy: CopiedLibrary, path: str) -> list[FunctionSpan]:
    spans = functions_of(path, (copy.root / path).read_bytes())
    return [span for span in spans if not span.parent and not span.name.startswith("_")]


def _examples_of(copy: CopiedLibrary, span: FunctionSpan) -> list[tuple[str, str]]:
    """The examples of the docstring that hold."""
    files = copy.files()
    texts = (e.text.partition(" gives ") for e in read_examples(docstring_of(files, span.function)))
    own = [(src, want) for src, _, want in texts if _is_plain(src, span.name) and _is_value(want, src)]
    ends = copy.ends([(module_of(span.function.path, files), src) for src, _ in own])
    return [pair for pair, end in zip(own, ends, strict=False) if end == pair[1]][:MOST_EXAMPLES]


def _write_sentences(copy: CopiedLibrary, span: FunctionSpan) -> None:
    """Make sentences of the function's examples, below its first ones; nothing where the sentences are not read."""
    place = copy.root / span.function.path
    whole = place.read_bytes()
    text = whole[span.start : span.end].decode()
    for source, want in _examples_of(copy, span):
        form = rf"^([ \t]*)>>> {re.escape(source)}[ \t]*\n[ \t]*{re.escape(want)}[ \t]*\n"
        found = re.search(form, text, re.MULTILINE)
        below = re.search(r"\"\"\"[^\n]*(?:\n[ \t]*\S[^\n]*)*\n[ \t]*\n", text)
        if found and below and below.end() <= found.start():
            before, between = text[: below.end()], text[below.end() : found.start()]
            text = f"{before}{found[1]}{_sentence(source, want)}\n\n{between}{text[found.end() :]}"
    place.write_bytes(whole[: span.start] + text.encode() + whole[span.end :])
    if not any(_sentences_of(copy, each) for each in _public(copy, span.function.path) if each.name == span.name):
        place.write_bytes(whole)


def _sentence(source: str, want: str) -> str:
    return f"{source} returns {want}."


def _sentences_of(copy: CopiedLibrary, span: FunctionSpan) -> list[tuple[str, str]]:
    """The calls, and what they give, of which sentences of the docstring say so."""
    stated = stated_of(span.function, (copy.root / span.function.path).read_bytes())
    said = [fact.quote.removesuffix(".").partition(" returns ") for fact in stated.facts if isinstance(fact.end, Gives)]
    return list(dict.fromkeys((src, want) for src, _, want in said if _is_plain(src, span.name) and want))


def _is_plain(source: str, name: str) -> bool:
    match parsed(source):
        case ast.Call(func=ast.Name(id=called), args=args, keywords=keywords) if called == name:
            return all(is_literal(each) for each in (*args, *(k.value for k in keywords)))
    return False


def _is_value(want: str, source: str) -> bool:
    return is_literal(parsed(want)) and not uncited("EQUALS", want, f">>> {source} {want}")


def parsed(text: str) -> ast.expr | None:
    try:
        return ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError):
        return None


def with_other_end(text: str, source: str, want: str, now: str) -> str:
    """The function's text where the words say that the call gives something else; ``""`` where none say it."""
    call = re.escape(source)
    found = re.search(rf"(>>> {call}[ \t]*\n[ \t]*|{call} returns ){re.escape(want)}(?=\s|\.\s)", text)
    return f"{text[: found.end(1)]}{now}{text[found.end() :]}" if found else ""


def is_literal(node: ast.expr | None) -> bool:
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
    if each.in_sentences:
        stated = stated_of(each.function, text)
        said = next(stated.cite(fact) for fact in stated.facts if fact.quote == _sentence(source, want))
    claim = Claim(ClaimKind.EQUALS, want)
    return CallCase(each.function.qualname, f"{each.module}.{source}", claim, SaidBy.REQUIRED, said)
