"""Fixes that are not one edit of ours: which of them a search builds from words, and without.

Nothing is run. A fix is *reached* where one of the edits that a search would try gives the very tree of the reference.
That is less than what would pass its tests, and the same on a busy machine. The words are hidden among leaves of the
module. They are what the smallest replacements put in (expressions and short statements), and then leaves (names,
attributes, constants) that the faulty function lacks. By itself it is counted what such leaves alone reach.
"""

from __future__ import annotations

import ast
import builtins
import itertools
import random
import tempfile
import textwrap
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

import click
import libcst as cst

from analysis.errors import RepairError
from analysis.facts import FunctionId, Suspect
from analysis.functions import find_function, functions_of
from analysis.trials import Trial
from corpora.bug import Bug, Corpus
from corpora.catalog import open_corpus
from corpora.lab.benchmarks.figures import Figure, Measured, Row
from repair.hunt.candidate_streams import CandidateStream
from repair.hunt.worded import MOST_BUILT, MOST_PLACED, worded_edits
from repair.proposers.search import SearchProposer
from repair.records.functions import edit_scope
from repair.records.ports import Context
from repair.records.task import PatchPlan
from transforms.patch.edit_atoms import edit_atoms
from transforms.patch.printer import Printer
from transforms.tree.proposal import Proposal
from transforms.tree.scope import EditScope

MOST_WORDS = 30
"""Words that a reply may name: the leaves of the reference are hidden among so many."""

MOST_EDITS = MOST_PLACED + MOST_BUILT
"""Edits that either side may draw; a fix that the search reaches with so many alone is one edit of ours."""

LONGEST = 40
"""Characters of such leaves: a docstring is none."""

MOST_TRUE = 3
"""How many of them are of the reference."""

REACHED = Figure("words_reach", 0.4, 0.6)
BY_LEAVES = Figure("words_reach_by_leaves", 0.4, 0.6)
UNREACHED = Figure("words_reach_without", 0.0, 0.0, floor=False)


@dataclass(frozen=True, slots=True)
class Sought:
    """A fix: the faulty function and its module, the tree that is wanted, the leaves it lacks, and what is put in."""

    bug: str
    scope: EditScope
    module: bytes
    wanted: str
    missing: tuple[str, ...]
    pieces: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reached:
    """After how many edits the fix was built from leaves, and from pieces; ``None`` where it was not."""

    fix: Sought
    by_leaves: int | None
    by_pieces: int | None

    @property
    def line(self) -> str:
        """One line for a reader."""
        told = [
            f"{'not reached' if edits is None else f'reached after {edits}'} by {' | '.join(words) or 'no word'}"
            for edits, words in ((self.by_leaves, self.fix.missing), (self.by_pieces, self.fix.pieces))
        ]
        return f"{self.fix.bug}: {'; '.join(told)}"


def sought(corpus: Corpus, bug: Bug) -> Sought | None:
    """The fix of a bug; ``None`` where it is not another text of one function, or one edit of ours."""
    reference = dict(corpus.oracle(bug).reference)
    if bug.fault is None or bug.fault.path not in reference:
        return None
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "tree"
        corpus.write_tree(bug, root)
        module = (root / bug.fault.path).read_bytes()
    span = find_function(functions_of(bug.fault.path, module), bug.fault.qualname)
    if span is None:
        return None
    try:
        scope = edit_scope(((bug.fault.path, module),), span.function)
        right = edit_scope(tuple(reference.items()), span.function)
    except RepairError:
        return None
    wanted = tree_of(right.text)
    if not wanted or wanted == tree_of(scope.text):
        return None
    missing = missing_leaves(scope.text, right.text)
    pieces = tuple(dict.fromkeys((*_pieces(scope, right), *missing)))
    found = Sought(bug.id, scope, module, wanted, missing[:MOST_TRUE], pieces[:MOST_TRUE])
    return None if builds(found, _stream(found).proposals) is not None else found


def _pieces(scope: EditScope, right: EditScope) -> tuple[str, ...]:
    """What the smallest replacements put in, where it is one line; of longer statements their expressions."""
    found: list[str] = []
    for atom in edit_atoms(scope.node, right.node):
        for node in atom.nodes:
            code = textwrap.dedent(cst.Module([]).code_for_node(node)).strip()
            inner = [] if "\n" not in code else [ast.unparse(e) for e in ast.walk(_parse(code)) if _is_telling(e)]
            found += inner or [code]
    names = set(leaves(right.text))
    return tuple(each for each in dict.fromkeys(found) if _is_word(each, names))


def _is_word(code: str, names: Collection[str]) -> bool:
    """Whether somebody might name it: an operator and a bare attribute are none."""
    return bool(_parse(code).body) and (not code.isidentifier() or code in names)


def _is_telling(node: ast.AST) -> bool:
    """Whether it is an expression that says something: no bare name or constant."""
    return isinstance(node, ast.expr) and not isinstance(node, ast.Name | ast.Constant)


def _parse(code: str) -> ast.Module:
    try:
        return ast.parse(code)
    except SyntaxError:
        return ast.Module([], [])


def missing_leaves(before: bytes, after: bytes) -> tuple[str, ...]:
    """Leaves that the text after has and the text before lacks, as code, in their order."""
    known = {leaf.rpartition(".")[2] for leaf in leaves(before)}
    return tuple(dict.fromkeys(leaf for leaf in leaves(after) if leaf.rpartition(".")[2] not in known))


def leaves(text: bytes) -> Iterator[str]:
    """Names, attributes of names, and constants of a text."""
    for node in ast.walk(ast.parse(textwrap.dedent(text.decode("utf-8", "replace")))):
        match node:
            case ast.Name(id=name):
                yield name
            case ast.Constant() | ast.Attribute(value=ast.Name()):
                yield ast.unparse(node)


def given_words(fix: Sought, true: Sequence[str], seed: int) -> tuple[str, ...]:
    """The ``true`` words among leaves of the module and names of Python, in a random order."""
    chance = random.Random(f"{seed} {fix.bug}")
    others = [*dict.fromkeys(leaves(fix.module))]
    chance.shuffle(others)
    usual = sorted(name for name in vars(builtins) if name.islower() and not name.startswith("_"))
    chance.shuffle(usual)
    beside = [each for each in (*others, *usual) if each not in (*fix.missing, *true) and len(each) < LONGEST]
    words = [*true, *beside[: MOST_WORDS - len(true)]]
    chance.shuffle(words)
    return tuple(words)


def builds(fix: Sought, edits: Iterable[object]) -> int | None:
    """After how many of the first edits the wanted tree was built."""
    printer = Printer(fix.scope)
    made = (each for each in edits if isinstance(each, Proposal))
    for number, proposal in enumerate(itertools.islice(made, MOST_EDITS), 1):
        text = printer.render(proposal)
        if isinstance(text, Trial) and tree_of(text.text) == fix.wanted:
            return number
    return None


def tree_of(text: bytes) -> str:
    """The tree of a function as text, by which layout does not count; empty where it is none."""
    try:
        tree = ast.parse(textwrap.dedent(text.decode("utf-8", "replace")))
    except (SyntaxError, ValueError):
        return ""
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(node, ast.FunctionDef) and ast.get_docstring(node) is not None and isinstance(body, list):
            del body[0]
    return ast.dump(tree)


def _stream(fix: Sought) -> CandidateStream:
    """The search of this function, where nothing is known of its failure."""
    function: FunctionId = fix.scope.function
    span = find_function(functions_of(function.path, fix.module), function.qualname)
    assert span is not None, "its scope was opened before"
    plan = PatchPlan(Suspect(function, 1.0, ("it is at fault",)), (), (), "")
    search = SearchProposer()
    made = search.propose(plan, _context(fix))
    return CandidateStream(fix.scope, Printer(fix.scope), span, function.qualname, plan, search, made, 1.0)


def _context(fix: Sought) -> Context:
    return Context(fix.scope, fix.module, (), "", 0, tuple, lambda: 60.0)


def reach(corpus: Corpus, bugs: Iterable[Bug], most: int, seed: int) -> Iterator[Reached]:
    """What becomes of the first so many fixes that are not one edit of ours."""
    fixes = (fix for bug in bugs if (fix := sought(corpus, bug)) is not None)
    for fix in itertools.islice(fixes, most):
        by_leaves, by_pieces = (_builds_of(fix, true, seed) for true in (fix.missing, fix.pieces))
        yield Reached(fix, by_leaves, by_pieces)


def _builds_of(fix: Sought, true: Sequence[str], seed: int) -> int | None:
    """After how many edits the fix is built of these words among others; ``None`` without a word."""
    words = given_words(fix, true, seed)
    return builds(fix, worded_edits(_stream(fix), _context(fix), words, "model")) if true else None


def words_figures(reached: Sequence[Reached]) -> Measured:
    """The shares of these fixes that words reach; without words none, since no such fix is among them."""
    count = max(1, len(reached))
    rows = tuple(
        Row(figure, (("search", sum(each is not None for each in found) / count),))
        for figure, found in (
            (REACHED, [each.by_pieces for each in reached]),
            (BY_LEAVES, [each.by_leaves for each in reached]),
            (UNREACHED, []),
        )
    )
    bare = sum(not each.fix.missing for each in reached)
    note = f"words_reach: {len(reached)} fixes that are not one of {MOST_EDITS} edits; {bare} of them lack no leaf"
    return Measured(rows, notes=(note,))


@click.command()
@click.option("--corpus", required=True, metavar="NAME", help="Such as humaneval:FILE or flat:DIR.")
@click.option("--bugs", default="*", show_default=True, help="Only bugs of such ids.")
@click.option("--most", type=int, default=30, show_default=True, help="Fixes that words are to reach.")
@click.option("--seed", type=int, default=0, show_default=True)
def main(corpus: str, bugs: str, most: int, seed: int) -> None:
    """Say which of so many fixes a search builds from words, of those that are not one edit of it."""
    opened, reached = open_corpus(corpus), []
    named = (bug for bug in opened.bugs() if isinstance(bug, Bug) and fnmatch(bug.id, bugs))
    for each in reach(opened, named, most, seed):
        click.echo(each.line)
        reached.append(each)
    measured = words_figures(reached)
    for row in measured.rows:
        click.echo(f"{row.figure.name}: {row.median:.2f} (target {row.figure.least})")
    click.echo(measured.notes[0])


if __name__ == "__main__":
    main()
