"""`make decisive`: how often each operator, gate and tier of trials decided an outcome, from records of runs.

An operator decides where its edit is the answer of a run. A gate's claim decides where it is the first that kept a
patch from a certificate. What is in no record, and gives no fix of a real history, is proposed for deletion: the
report names it, and deletes nothing.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import click

from corpora.bench.record import read_records
from corpora.lab.judging.records import judgements
from repair.front.run_inputs import own_counts
from repair.records.result import PatchView, Status
from repair.records.verdict import Decision
from transforms.operators.catalog import MENDING

ANSWERS = (Status.CERTIFIED, Status.PLAUSIBLE)
_SINGLE = re.compile(r"'[^']*'|\"[^\"]*\"|`[^`]*`|-?\d+(\.\d+)?")


@dataclass(frozen=True, slots=True)
class Decisions:
    """How often what decided: ``operators`` by corpus and name, ``claims`` by gate and wording, ``tiers`` by trials."""

    operators: Counter[tuple[str, str]] = field(default_factory=Counter)
    claims: Counter[tuple[str, str]] = field(default_factory=Counter)
    tiers: Counter[str] = field(default_factory=Counter)
    runs: Counter[str] = field(default_factory=Counter)

    def count_answer(self, corpus: str, patches: Sequence[PatchView]) -> None:
        """Count the answer of a search, each edit of a pair for its operator, and what kept it from a certificate."""
        answer = next((patch for patch in patches if patch.rank == 1 and patch.status in ANSWERS), None)
        if answer is None:
            return
        for name in operators_of(answer.operator):
            self.operators[corpus, name] += 1
        evidence = ((e.gate, e.decision, e.claim) for e in answer.evidence)
        self.count_claims(evidence)

    def count_claims(self, evidence: Iterable[tuple[str, str, str]]) -> None:
        """Count the first gate that did not accept, with its claim apart from names and numbers."""
        for gate, decision, claim in evidence:
            if decision != Decision.ACCEPT.value:
                self.claims[gate, wording(claim)] += 1
                return


def operators_of(text: str) -> tuple[str, ...]:
    """The operators of an edit: a pair has two, joined by ``+``."""
    return tuple(name.strip() for name in text.split("+") if name.strip())


def wording(claim: str) -> str:
    """A claim without what is the patch's own: texts in quotes and numbers."""
    return _SINGLE.sub("…", claim)


def collect(benches: Iterable[Path], judged: Iterable[Path]) -> Decisions:
    """Read the records of ``repair bench run`` and of ``make bench-judge``."""
    found = Decisions()
    for folder in benches:
        records, _ = read_records(folder)
        for record in records:
            if record.result is not None:
                found.runs[record.cell.corpus] += 1
                found.tiers.update(record.result.counts.tiers)
                found.count_answer(record.cell.corpus, record.result.patches)
    for folder in judged:
        for said in judgements(folder).values():
            found.runs["judged patches"] += 1
            found.count_claims((gate.gate, gate.decision, gate.claim) for gate in said.gates if not gate.late)
    return found


def report(found: Decisions) -> Iterator[str]:
    """The tables as lines of text."""
    fixes = own_counts().operators
    total: Counter[str] = Counter()
    for (_, name), count in found.operators.items():
        total[name] += count
    yield "runs: " + (", ".join(f"{corpus} {count}" for corpus, count in sorted(found.runs.items())) or "none")
    yield ""
    yield "operator                      answers  fixes of histories"
    known = [operator.name for operator in MENDING]
    for name in sorted(known, key=lambda name: (-total[name], -fixes.get(name, 0.0), name)):
        yield f"{name:30}{total[name]:7}{fixes.get(name, 0.0):20.1f}"
    idle = [name for name in known if not total[name] and not fixes.get(name)]
    yield ""
    yield f"proposed for deletion, {len(idle)} of {len(known)}: no answer here, no fix of a history"
    yield f"  {', '.join(idle) or 'none'}"
    yield ""
    yield "first gate that kept a patch from a certificate"
    for (gate, claim), count in found.claims.most_common():
        yield f"{count:6}  {gate}: {claim}"
    yield ""
    yield "trials by tier: " + (", ".join(f"{tier} {count}" for tier, count in found.tiers.most_common()) or "none")


@click.command()
@click.option("--records", "benches", multiple=True, type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--judged", multiple=True, type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--out", type=click.Path(path_type=Path), default=Path("build/bench/decisive.json"), show_default=True)
def main(benches: tuple[Path, ...], judged: tuple[Path, ...], out: Path) -> None:
    """Count what decided in records of ``repair bench run`` (--records) and of ``make bench-judge`` (--judged)."""
    if not benches and not judged:
        raise click.UsageError("Name records to read, with --records DIR or --judged DIR; both may be repeated.")
    found = collect(benches, judged)
    for line in report(found):
        click.echo(line)
    out.parent.mkdir(parents=True, exist_ok=True)
    values = {
        "runs": dict(found.runs),
        "operators": [[*key, count] for key, count in sorted(found.operators.items())],
        "claims": [[*key, count] for key, count in found.claims.most_common()],
        "tiers": dict(found.tiers),
    }
    out.write_text(json.dumps(values, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
