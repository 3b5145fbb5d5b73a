"""Material and judgements as JSON lines: appended whole, read again in the next run, torn lines passed over."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeVar

from analysis.errors import TargetError
from analysis.facts import Digest, digest
from corpora.json_lines import JsonLines, lines_of
from repair.records.json_records import from_plain, to_plain

MATERIAL = "material.jsonl"
JUDGEMENTS = "judgements.jsonl"

UPSTREAM = "reference"
"""How the fix that upstream made is marked."""

Line = TypeVar("Line")


@dataclass(frozen=True, slots=True)
class Place:
    """Which program a patch is for: a bug of a corpus, and which half of its tests is shown (-1: all of them)."""

    corpus: str
    bug: str
    project: str
    shown: int = -1

    @property
    def is_held_out(self) -> bool:
        """Whether this bug may only be counted: half of the mined ones, by their names."""
        return self.corpus.startswith("mined:") and int(digest(self.bug)[:8], 16) % 2 == 1


@dataclass(frozen=True, slots=True)
class Patch:
    """One patch that passes every visible test, and why it is known to be right or wrong.

    ``how`` is the way it was made, ``label`` the single case of it. ``basis`` says what settled it: reference,
    inputs, held-out tests; ``inputs`` are those on which a right one was compared.
    """

    place: Place
    right: bool
    how: str
    label: str
    diff: str
    basis: str
    witness: str = ""
    inputs: int = 0

    @property
    def id(self) -> Digest:
        """What names the patch in judgements."""
        return digest(self.place.corpus, self.place.bug, str(self.place.shown), self.diff)


@dataclass(frozen=True, slots=True)
class Material:
    """What was made of one bug. ``reason`` says why there is nothing; ``dropped`` counts patches that did not do."""

    place: Place
    failing: tuple[str, ...] = ()
    patches: tuple[Patch, ...] = ()
    dropped: Mapping[str, int] = field(default_factory=dict)
    reason: str = ""
    seconds: float = 0.0
    schema: Literal["repair.judge.material/1"] = "repair.judge.material/1"


@dataclass(frozen=True, slots=True)
class GateSaid:
    """What one gate said of a patch. ``late`` is asked for comparison alone, after another gate had rejected."""

    gate: str
    decision: str
    claim: str
    seconds: float
    witness: str = ""
    late: bool = False


@dataclass(frozen=True, slots=True)
class Judgement:
    """The judge's word on one patch. ``error`` says why there is none: the machine, or a defect of ours.

    ``tests_seconds`` is what the visible tests take, without what starts them; ``gates_seconds`` all gates together.
    """

    patch: str
    status: str
    gates: tuple[GateSaid, ...] = ()
    gates_seconds: float = 0.0
    tests_seconds: float = 0.0
    error: str = ""
    revision: str = ""
    features: Mapping[str, float] = field(default_factory=dict)
    """What its risk is made of, of all changed functions the riskiest."""
    risk: float | None = None
    asked: bool = False
    """Whether its question was put to the fix, where there was one."""
    answer: str = ""
    """What the fix answered; empty where it cannot, or nothing was asked."""
    after: str = ""
    """The word after that answer."""
    second: str = ""
    """The word of a second opinion, and its sentence; empty where no model was asked."""
    second_asked: bool = False
    """Whether the question is that between the patch and the second opinion."""
    doubts: tuple[str, ...] = ()
    """All doubts with their features and strengths, for whoever looks for the judge's errors."""
    schema: Literal["repair.judge.judgement/1"] = "repair.judge.judgement/1"


def append(path: Path, lines: Sequence[Material | Judgement]) -> None:
    """Add whole lines, each durable; a line that was torn off before is cut away."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with JsonLines(path) as file:
            file.append(*map(to_plain, lines))
    except OSError as problem:
        raise TargetError(
            f"A line cannot be written: {problem.strerror}",
            where=str(path),
            remedy="What was written before is kept. Make room, then run the same command again.",
        ) from problem


def materials(folder: Path) -> tuple[Material, ...]:
    """What was made so far, the last word on each bug."""
    found = {(m.place.corpus, m.place.bug): m for m in _read(folder / MATERIAL, Material)}
    return tuple(found.values())


def judgements(folder: Path) -> dict[str, Judgement]:
    """The last judgement of each patch."""
    return {judgement.patch: judgement for judgement in _read(folder / JUDGEMENTS, Judgement)}


def _read(path: Path, kind: type[Line]) -> Iterator[Line]:
    for line in lines_of(path) if path.is_file() else ():
        try:
            values: Any = json.loads(line)
            made: Line = from_plain(kind, values, "line")
        except ValueError:  # torn, and made again by this run
            continue
        yield made
