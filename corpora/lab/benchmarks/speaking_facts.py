"""How many right patches that are withheld have a fact that speaks of their question.

`python -m corpora.lab.benchmarks.speaking_facts RESULTS`, with what `repair bench run` and `repair bench score` left.
Facts are read in the program as it was before the patch. This is an upper bound of what facts could ever settle.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click

from analysis.behaviour import Call
from analysis.functions import functions_of
from analysis.stated.fact import Always, applies
from analysis.stated.function import Stated, stated_of
from corpora.bench.agreement import Standing
from corpora.bench.grading import read_rows
from corpora.bug import Bug
from corpora.catalog import open_corpus
from repair.compare.answers import parsed_expression

NO_FACT, ELSEWHERE, OF_ALL, UNDECIDED, SPEAKS = KINDS = (
    "the function states nothing",
    "facts speak of other calls",
    "a fact holds of every call",
    "a fact has a condition that nobody can decide",
    "a fact speaks of the call in question",
)
"""What a function states beside a question, in rising order of what it could settle."""


@dataclass(frozen=True, slots=True)
class Withheld:
    """A right patch that was not certified, its first question's call, and what the function states beside it."""

    bug: str
    call: str
    kind: str


@click.command()
@click.argument("results", type=click.Path(exists=True, file_okay=False, path_type=Path))
def main(results: Path) -> None:
    """Count, and name each patch."""
    found = list(withheld_in(results))
    for each in found:
        click.echo(f"{each.bug}: {each.kind}; {each.call or 'no call is in question'}")
    for kind in KINDS:
        click.echo(f"{sum(each.kind == kind for each in found)} of {len(found)}: {kind}")


def withheld_in(results: Path) -> Iterator[Withheld]:
    """The right patches of a bench's results that were found first and not certified."""
    rows, _ = read_rows(results)
    for row in rows:
        agreement = row.score.agreement if row.score is not None else None
        result = row.record.result
        if agreement is None or agreement.standing is not Standing.AGREES or result is None:
            continue
        if result.status != "plausible" or not result.patches:
            continue
        patch = result.patches[0]
        asked = next((seen.asked for seen in patch.evidence if seen.asked is not None and seen.asked.call), None)
        stated = _stated(row.cell.corpus, row.cell.bug, patch.file, patch.function)
        call = asked.call if asked is not None else ""
        yield Withheld(row.cell.bug, call, kind_of(stated, call))


def kind_of(stated: Stated, call: str) -> str:
    """What a function states beside a question. ``call`` is shown as a question shows it: ``add(2) on Cart()``.

    Example: "Returns 0 for an empty list" speaks of ``total([])``, and of ``total([1])`` says nothing.
    """
    name, bracket, rest = call.partition("(")
    known = stated.known(Call(name, f"{bracket}{_arguments(rest)}"))
    kinds = [NO_FACT, *([ELSEWHERE] if stated.facts else [])]
    for fact in stated.facts:
        if isinstance(fact.condition, Always):
            kinds.append(OF_ALL)
        elif not fact.is_decidable:
            kinds.append(UNDECIDED)
        elif call and applies(fact.condition, known):
            kinds.append(SPEAKS)
    return max(kinds, key=KINDS.index)


def _arguments(rest: str) -> str:
    """What stands in a call's parentheses, with the closing one, in a text that goes on with its instance."""
    parts = rest.split(" on ")
    heads = (" on ".join(parts[:end]) for end in range(1, len(parts) + 1))
    return next((head for head in heads if parsed_expression(f"f({head}") is not None), rest)


def _stated(corpus: str, name: str, path: str, qualname: str) -> Stated:
    """What the function of the unpatched program states; nothing where it is not there."""
    opened = open_corpus(corpus)
    bug = next((each for each in opened.bugs() if isinstance(each, Bug) and each.id == name), None)
    if bug is None:
        return Stated(path)
    with tempfile.TemporaryDirectory() as folder:
        opened.write_tree(bug, Path(folder, "tree"))
        text = Path(folder, "tree", path).read_bytes()
    found = next((each.function for each in functions_of(path, text) if each.function.qualname == qualname), None)
    return stated_of(found, text) if found is not None else Stated(path)


if __name__ == "__main__":
    main()
