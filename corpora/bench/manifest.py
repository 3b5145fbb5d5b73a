"""What a directory of records is about: ``manifest.json``, written before the first cell is run."""

from __future__ import annotations

import dataclasses
import json
import os
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from pathlib import Path
from typing import Literal

from analysis.errors import UsageError
from corpora.bench.configuration import Configuration
from corpora.bench.plan import Listed, Plan, full_corpus_name
from corpora.json_lines import JsonRecord
from repair.front.opening import ENGINE_PACKAGES
from repair.store.atomic import replace_file

FILE = "manifest.json"
SCHEMA: Literal["repair.bench.manifest/1"] = "repair.bench.manifest/1"


Sample = Literal["in-sample", "held-out"]


@dataclass(frozen=True, slots=True)
class Manifest(JsonRecord):
    """All that is run into one directory, by however many commands and shards. ``started`` is ISO time in UTC.

    ``samples`` say of corpora whether the methods were made or tuned with them; of others nobody has said it.
    """

    called = "manifest"
    schema: Literal["repair.bench.manifest/1"] = field(default=SCHEMA, kw_only=True)
    corpora: tuple[str, ...]
    configurations: tuple[Configuration, ...]
    seeds: tuple[int, ...]
    bugs: tuple[Listed, ...]
    started: str
    versions: dict[str, str] = field(default_factory=dict)
    machine: dict[str, str] = field(default_factory=dict)
    samples: dict[str, Sample] = field(default_factory=dict)


def manifest_of(
    corpora: Sequence[str],
    configurations: Sequence[Configuration],
    seeds: Sequence[int],
    plan: Plan,
    started: str,
    samples: Mapping[str, Sample],
) -> Manifest:
    """The manifest of a plan, with this machine and these versions."""
    return Manifest(
        corpora=tuple(corpora),
        configurations=tuple(configurations),
        seeds=tuple(seeds),
        bugs=(*plan.bugs, *plan.set_aside),
        started=started,
        versions={name: version(name) for name in ENGINE_PACKAGES},
        machine={
            "system": platform.platform(),
            "processor": platform.machine(),
            "cores": str(os.cpu_count() or 1),
            "python": platform.python_version(),
        },
        samples=dict(samples),
    )


def read_manifest(directory: Path) -> Manifest | None:
    """The directory's manifest, ``None`` where there is none; raises ``UsageError`` for a damaged one."""
    path = directory / FILE
    try:
        return Manifest.from_json(json.loads(path.read_bytes()))
    except FileNotFoundError:
        return None
    except ValueError as problem:
        raise UsageError(
            f"The manifest is damaged: {problem}", where=str(path), remedy="Mend it, or name another --out."
        ) from problem


def write_manifest(directory: Path, manifest: Manifest) -> None:
    """Write the manifest, whole or not at all."""
    replace_file(directory / FILE, json.dumps(manifest.to_json(), indent=1).encode() + b"\n")


def join_manifests(old: Manifest, new: Manifest) -> Manifest:
    """Both together, where the directory may hold both; raises ``UsageError`` for what would mix two things."""
    known = {configuration.name: configuration for configuration in old.configurations}
    for configuration in new.configurations:
        before = known.get(configuration.name, configuration)
        if before != configuration:
            raise UsageError(
                f"The configuration {configuration.name!r} is another one than before",
                where=", ".join(
                    f"{key}: {was!r}, now {value!r}"
                    for key, was in dataclasses.asdict(before).items()
                    if (value := getattr(configuration, key)) != was
                ),
                remedy="Give it another name, or name another --out.",
            )
    places = {full_corpus_name(corpus): corpus for corpus in old.corpora}
    for corpus in new.corpora:
        spelled = places.get(full_corpus_name(corpus), corpus)
        if spelled != corpus:
            raise UsageError(f"The records call the corpus {spelled}", where=corpus, remedy="Call it so here too.")
    for corpus in old.samples.keys() & new.samples.keys():
        if old.samples[corpus] != new.samples[corpus]:
            raise UsageError(
                f"The corpus was said to be {old.samples[corpus]}", where=corpus, remedy="Name another --out."
            )
    listed = {(entry.corpus, entry.bug): entry for entry in (*old.bugs, *new.bugs)}
    return replace(
        old,
        corpora=tuple(dict.fromkeys((*old.corpora, *new.corpora))),
        configurations=tuple({**known, **{c.name: c for c in new.configurations}}.values()),
        seeds=tuple(sorted({*old.seeds, *new.seeds})),
        bugs=tuple(listed.values()),
        samples={**old.samples, **new.samples},
    )


def samples_of(corpora: Sequence[str], in_sample: Sequence[str], held_out: Sequence[str]) -> dict[str, Sample]:
    """What was said of the corpora, by their names; raises ``UsageError`` for one that is not among them, or both."""
    known = {full_corpus_name(corpus): corpus for corpus in corpora}
    found: dict[str, Sample] = {}
    said: tuple[tuple[Sample, Sequence[str]], ...] = (("in-sample", in_sample), ("held-out", held_out))
    for sample, names in said:
        for name in names:
            corpus = known.get(full_corpus_name(name))
            if corpus is None:
                remedy = f"Name one of {', '.join(dict.fromkeys(known.values()))}."
                raise UsageError("No such corpus is run", where=f"--{sample} {name}", remedy=remedy)
            if found.get(corpus, sample) != sample:
                raise UsageError("Both in-sample and held out", where=name, remedy="Say one of them.")
            found[corpus] = sample
    return found
