"""Two-place bugs, two seeded faults in one function each: what a search mends that goes on from what came near.

A fault is a mutant of the bug's reference that some test notices, and that one edit of the search takes back. The two
stand on different lines, and each of them alone leaves some test passing that fails with both. So there are partial
fixes to be found. Nothing of the reference is known to the search.
"""

from __future__ import annotations

import ast
import itertools
import os
import random
import shutil
import tempfile
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from analysis.errors import RepairError
from analysis.facts import Files, InvalidRun, Outcome, TestId, TestRun
from analysis.functions import find_function, functions_of
from analysis.trials import Trial, TrialState
from corpora.bug import Bug, Corpus
from corpora.catalog import open_corpus
from corpora.lab.benchmarks.figures import Figure, Measured, Row
from corpora.lab.benchmarks.search_once import Searched, search_tree
from repair.front.run_inputs import limits_of
from repair.proposers.search import SearchProposer
from repair.records.functions import as_trial, edit_scope
from sandbox.sandbox import LocalSandbox
from sandbox.target import open_target
from transforms.enumerate.proposals import proposals_and_pauses
from transforms.ingredients.within_reach import ingredients_of
from transforms.mutants.made import Mutant, mutants
from transforms.operators.operator import Neighbourhood
from transforms.patch.apply import place, render
from transforms.patch.edit_atoms import edit_atoms, unite
from transforms.patch.printer import Printer
from transforms.tree.proposal import Origin, Proposal
from transforms.tree.scope import EditScope

MOST_MUTANTS = 24
"""Mutants of one reference that are tried to see whether a test notices them."""

MOST_PAIRS = 12

SECONDS = 3600.0
"""For each search, whose end its number of edits decides: figures are the same on a busy machine."""

MOST_EDITS = 1500
"""Edits of a function with one fault among which the one has to be that takes it back."""

PAIR_EDITS = 3000
"""Edits that a search draws for a two-place bug. With twice as many it meets many pairs by chance, among its own."""

FUSED = Figure("fusion", 0.5, 0.7)
UNFUSED = Figure("fusion_without", 0.1, 0.0, floor=False)


@dataclass(frozen=True, slots=True)
class TwoFaults:
    """One bug: the text of the program with both faults, where it belongs, and what the faults are."""

    bug: str
    program: Files
    function: str
    faults: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Tried:
    """One bug and what became of it, with near-misses and without."""

    bug: str
    faults: tuple[str, str]
    joined: Searched
    plain: Searched

    @property
    def line(self) -> str:
        """One line for a reader."""
        words = [
            f"{name} {'mended' if each.found else 'not mended'} after {each.result.counts.executed}"
            for name, each in (("with", self.joined), ("without", self.plain))
        ]
        origin = self.joined.origins[0] if self.joined.found else self.joined.result.best
        return f"{self.bug}: {self.joined.failing} failing; {'; '.join(words)}; {origin}; {' | '.join(self.faults)}"


def two_faults(corpus: Corpus, bug: Bug, root: Path, seed: int) -> TwoFaults | None:
    """The reference with two faults that tests notice one by one; ``None`` where no two are found. Fills the root."""
    if bug.fault is None:
        return None
    corpus.write_tree(bug, root)
    reference = corpus.oracle(bug).reference
    for path, text in reference:
        (root / path).write_bytes(text)
    source = dict(reference).get(bug.fault.path, b"")
    span = find_function(functions_of(bug.fault.path, source), bug.fault.qualname)
    if span is None:
        return None
    scope = edit_scope(reference, span.function)
    noticed = _noticed(root, bug, scope, random.Random(f"{seed} {bug.id}"))
    for one, other, text in noticed:
        program = tuple((path, place(scope, text) if path == bug.fault.path else known) for path, known in reference)
        for path, content in program:
            (root / path).write_bytes(content)
        return TwoFaults(bug.id, program, str(bug.fault), (one.label, other.label))
    return None


def _noticed(root: Path, bug: Bug, scope: EditScope, chance: random.Random) -> list[tuple[Mutant, Mutant, bytes]]:
    """Pairs of such mutants."""
    every = list(mutants(scope))
    chance.shuffle(every)
    target = open_target(str(root), environ=os.environ)
    with LocalSandbox(target, limits=limits_of(60.0), selection=bug.environment.tests) as sandbox:
        run = sandbox.run(())
        passing = [] if isinstance(run, InvalidRun) else [r.test for r in run.results if r.outcome is Outcome.PASSED]
        if isinstance(run, InvalidRun) or len(passing) < max(2, len(run.results)):
            return []
        killed = _failed(sandbox, passing, [as_trial(scope, m.text, m.label) for m in every[:MOST_MUTANTS]])
        left = [m for m in every[:MOST_MUTANTS] if m.text in killed and _is_one_edit(scope, m)]
        pairs = [(a, b) for n, a in enumerate(left) for b in left[n + 1 :] if a.line != b.line]
        chance.shuffle(pairs)
        made = [(a, b, text) for a, b in pairs[:MOST_PAIRS] if (text := _both(scope, a, b)) is not None]
        return [each for each in made if _has_parts(sandbox, passing, scope, each)]


def _has_parts(
    sandbox: LocalSandbox, tests: Sequence[TestId], scope: EditScope, pair: tuple[Mutant, Mutant, bytes]
) -> bool:
    """Whether each fault alone fails fewer tests than both of them do."""
    one, other, both = (
        {result.test for result in run.results if result.outcome is not Outcome.PASSED}
        if isinstance(run := sandbox.run(tests, ((scope.function.path, place(scope, text)),)), TestRun)
        else set()
        for text in (pair[0].text, pair[1].text, pair[2])
    )
    return bool(one and other) and one < both and other < both


def _is_one_edit(scope: EditScope, fault: Mutant) -> bool:
    """Whether one of the first edits of the faulty function gives the function back, but for layout."""
    files = ((scope.function.path, place(scope, fault.text)),)
    faulty = edit_scope(files, scope.function, fault.text)
    near = Neighbourhood(ingredients_of(files[0][1], scope.function))
    printer, wanted = Printer(faulty), _tree(scope.text)
    made = (each for each in proposals_and_pauses(faulty, near) if each is not None)
    for proposal in itertools.islice(made, MOST_EDITS):
        text = printer.render(proposal)
        if isinstance(text, Trial) and _tree(text.text) == wanted:
            return True
    return False


def _tree(text: bytes) -> str:
    try:
        return ast.dump(ast.parse(textwrap.dedent(text.decode("utf-8", "replace"))))
    except (SyntaxError, ValueError):
        return ""


def _failed(sandbox: LocalSandbox, tests: Sequence[TestId], trials: Sequence[Trial]) -> set[bytes]:
    """The texts with which some test fails by itself, and none hangs before."""
    session = sandbox.warm(tests)
    if isinstance(session, InvalidRun):
        return set()
    try:
        states = {outcome.digest: outcome.state for outcome in session.trials(trials)}
    finally:
        session.close()
    return {trial.text for trial in trials if states.get(trial.digest) is TrialState.FAILED}


def _both(scope: EditScope, one: Mutant, other: Mutant) -> bytes | None:
    """The text with both faults."""
    texts = [edit_scope(((scope.function.path, place(scope, m.text)),), scope.function, m.text) for m in (one, other)]
    atoms = unite(edit_atoms(scope.node, each.node) for each in texts)
    made = None if atoms is None else render(scope, Proposal(scope.function, atoms, Origin("seeded", "both")))
    return made.text if isinstance(made, Trial) else None


def try_bugs(corpus: Corpus, most: int, edits: int, seed: int) -> Iterator[Tried]:
    """The first so many bugs in which two faults can be seeded."""
    found = 0
    for bug in (each for each in corpus.bugs() if isinstance(each, Bug)):
        if found >= most:
            return
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder) / "tree"
            try:
                made = two_faults(corpus, bug, root, seed)
                if made is None:
                    continue
                joined, plain = (
                    search_tree(
                        root, bug.environment.tests, (SearchProposer(),), SECONDS, most=edits, joins=joins, seed=seed
                    )
                    for joins in (True, False)
                )
            except RepairError as problem:
                click.echo(f"{bug.id}: left out: {problem.found}", err=True)
                continue
            finally:
                shutil.rmtree(root, ignore_errors=True)
            found += 1
            yield Tried(bug.id, made.faults, joined, plain)


def fusion_figures(tried: Sequence[Tried]) -> Measured:
    """The shares of bugs that are mended with near-misses and without."""
    count = max(1, len(tried))
    rows = (
        Row(FUSED, (("search", sum(each.joined.found for each in tried) / count),)),
        Row(UNFUSED, (("search", sum(each.plain.found for each in tried) / count),)),
    )
    return Measured(rows, notes=(f"fusion: {len(tried)} two-place bugs",))


@click.command()
@click.option("--corpus", required=True, metavar="NAME", help="Such as humaneval:FILE or quixbugs:DIR.")
@click.option("--most", type=int, default=30, show_default=True, help="Bugs that are made.")
@click.option("--edits", type=int, default=PAIR_EDITS, show_default=True, help="Edits that a search draws.")
@click.option("--seed", type=int, default=0, show_default=True)
def main(corpus: str, most: int, edits: int, seed: int) -> None:
    """Seed two faults in each of so many functions, and say how many a search mends."""
    tried = []
    for each in try_bugs(open_corpus(corpus), most, edits, seed):
        click.echo(each.line)
        tried.append(each)
    for row in fusion_figures(tried).rows:
        click.echo(f"{row.figure.name}: {row.median:.2f} (target {row.figure.least})")


if __name__ == "__main__":
    main()
