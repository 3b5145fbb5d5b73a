"""`make learn-weights` and `make check-weights`: the table of the judge's weights, learned and checked."""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import click

from analysis.errors import UsageError
from corpora.lab.judging.records import Judgement, Material, Patch, judgements, materials
from corpora.lab.judging.weighing import (
    BANDS,
    Sample,
    bands_of,
    brier,
    learn,
    ranked_right,
    risks_without_own_project,
    told_in_bands,
)
from repair.checks.weights import Weights, shipped_weights
from repair.records.json_records import to_plain

folders = click.option(
    "--folder",
    "folders",
    type=click.Path(file_okay=False, exists=True, path_type=Path),
    multiple=True,
    required=True,
    metavar="DIR",
    help="Material and judgements of `make bench-judge`; repeatable",
)


@click.group()
def main() -> None:
    """Learn the weights of the judge's features, or check them."""


@main.command(name="learn")
@folders
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), required=True, metavar="FILE")
def learn_weights(folders: Sequence[Path], out: Path) -> None:
    """Write the table that ships: weights, counts and bands, learned from all patches of these folders.

    What was counted of certificates in programs that no rule knew is kept: no judged patch says anything of it.
    """
    samples = read_samples(folders)
    table = learn(samples, datetime.datetime.now(datetime.UTC).date().isoformat())
    table = replace(table, unseen=shipped_weights().unseen)
    out.write_text(json.dumps(to_plain(table), indent=1) + "\n", encoding="utf-8")
    click.echo("\n".join(describe_check(samples, risks_without_own_project(samples))))
    click.echo(f"Written to {out}: {table.patches} patches of {table.projects} projects")


@main.command(name="check")
@folders
@click.option("--anew", is_flag=True, help="Weights learned from these folders, each project by the others alone")
def check_weights(folders: Sequence[Path], anew: bool) -> None:
    """How good the weights are on these patches: bands, Brier score, ROC, and by the way in which patches were made."""
    samples = read_samples(folders)
    risks = risks_without_own_project(samples) if anew else risks_by(shipped_weights(), samples)
    click.echo("\n".join(describe_check(samples, risks)))


def risks_by(weights: Weights, samples: Sequence[Sample]) -> list[float]:
    """The risk of each patch by one table."""
    return [weights.risk_at(sample.features) for sample in samples]


def read_samples(folders: Sequence[Path]) -> list[Sample]:
    """The judged patches of these folders. Raises ``UsageError`` where there are not both right and wrong ones."""
    found = [sample for folder in folders for sample in _samples_in(folder)]
    if len({sample.wrong for sample in found}) < 2:
        where = ", ".join(map(str, folders))
        raise UsageError(
            "No right and wrong patches with features lie there", where=where, remedy="Run `make bench-judge` first."
        )
    return found


def _samples_in(folder: Path) -> Iterator[Sample]:
    said = judgements(folder)
    for material in materials(folder):
        for patch in material.patches:
            judgement = said.get(patch.id)
            if judgement is not None and not judgement.error and judgement.features:
                yield _sample(material, patch, judgement)


def _sample(material: Material, patch: Patch, judgement: Judgement) -> Sample:
    place = material.place
    # In a corpus that somebody wrote each bug is a small project of its own.
    project = place.bug if place.project == Path(place.corpus.partition(":")[2]).name else place.project
    return Sample(project, place.bug, not patch.right, patch.how, dict(judgement.features))


def describe_check(samples: Sequence[Sample], risks: Sequence[float]) -> Iterator[str]:
    """The lines of a check."""
    wrong = sum(sample.wrong for sample in samples)
    projects = len({sample.project for sample in samples})
    right = len(samples) - wrong
    yield f"{right} right and {wrong} wrong patches of {projects} projects; shares as if 1 in 5 were wrong"
    (own, constant), area = brier(samples, risks), ranked_right(samples, risks)
    yield f"Brier score {own:.3f}, a constant's {constant:.3f}; area under the ROC curve {area:.3f}"
    yield "risk up to   patches  projects  wrong  told   are wrong  upper bound"
    for band, told in zip(bands_of(samples, risks), told_in_bands(samples, risks), strict=True):
        shares = f"{told:>5.1%}  {band.share:>9.1%}  {band.upper:>11.1%}"
        yield f"{band.until:>10.0%}  {band.patches:>8}  {band.projects:>8}  {band.wrong:>5}  {shares}"
    yield "by the way they were made: patches, and how many at a risk of at most 2 %"
    for how in dict.fromkeys(sample.how for sample in samples):
        for is_wrong in (True, False):
            own_risks = [r for s, r in zip(samples, risks, strict=True) if s.how == how and s.wrong is is_wrong]
            if own_risks:
                low = sum(risk <= BANDS[0] for risk in own_risks)
                yield f"  {'wrong' if is_wrong else 'right'} {how}: {len(own_risks)}, {low}"


if __name__ == "__main__":
    main()
