"""All bugs of all corpora in turn: what has to be made and judged, by processes of which any may die."""

from __future__ import annotations

import fnmatch
import os
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from analysis.errors import RepairError
from analysis.facts import digest
from corpora.bug import Bug, Corpus, SetAside
from corpora.catalog import open_corpus, parse_name
from corpora.environment import interpreter_of
from corpora.lab.judging.hidden_half import HALVED, Halved
from corpora.lab.judging.judging import judge_patches
from corpora.lab.judging.known_patches import read_known
from corpora.lab.judging.material import make
from corpora.lab.judging.records import (
    JUDGEMENTS,
    MATERIAL,
    Judgement,
    Material,
    Patch,
    Place,
    append,
    judgements,
    materials,
)
from corpora.lab.judging.subjects import Terms
from corpora.source_package import case_cache
from corpora.workers import work_each

Listen = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Plan:
    """What to work on: corpora, the interpreter of those that need one, a pattern of ids, and until when."""

    corpora: tuple[str, ...]
    pythons: tuple[tuple[str, str], ...] = ()
    bugs: str = "*"
    jobs: int = 1
    until: float = float("inf")
    known: bool = False
    """Whether patches that lie beside the bugs are read, and none are made."""

    def python(self, corpus: str) -> str:
        """The interpreter that the user named for this corpus."""
        return dict(self.pythons).get(corpus, "")


@dataclass(frozen=True, slots=True)
class _Making:
    place: Place
    bug: Bug
    terms: Terms
    until: float
    known: bool


@dataclass(frozen=True, slots=True)
class _Judging:
    material: Material
    patches: tuple[Patch, ...]
    bug: Bug
    terms: Terms
    until: float


def make_all(plan: Plan, folder: Path, terms: Terms, listen: Listen) -> tuple[str, ...]:
    """Make what was not made before; gives a sentence on each corpus that is not there."""
    known = {(m.place.corpus, m.place.bug) for m in materials(folder)}
    missing: list[str] = []
    tasks = []
    for corpus in plan.corpora:
        try:
            for bug in _bugs(corpus, plan.bugs):
                halved = 0 if _loader(corpus) in HALVED else -1
                place = Place(corpus, bug.id, _project(corpus, bug, known=plan.known), halved)
                if (corpus, bug.id) not in known:
                    tasks.append(
                        _Making(place, bug, replace(terms, python=plan.python(corpus)), plan.until, plan.known)
                    )
        except RepairError as problem:
            missing.append(f"{corpus} is left out: {problem}")
            listen(missing[-1])
    tasks.sort(key=lambda task: digest(task.place.corpus, task.place.bug))
    for number, found in enumerate(work_each(_make, tasks, plan.jobs, _missing_material), 1):
        if found is None:
            continue  # its time was up before it began
        append(folder / MATERIAL, [found])
        right = sum(patch.right for patch in found.patches)
        told = found.reason or f"{right} right, {len(found.patches) - right} wrong"
        listen(
            f"made {number} of {len(tasks)}: {found.place.project} {found.place.bug}: {told} ({found.seconds:.0f} s)"
        )
    return tuple(missing)


def judge_all(plan: Plan, folder: Path, terms: Terms, revision: str, listen: Listen, *, again: bool = False) -> None:
    """Judge what was made and not judged before; ``again`` also what another revision of the engine has judged."""
    before = judgements(folder).items()
    known = {id for id, said in before if not said.error and (said.revision == revision or not again)}
    tasks = []
    for material in materials(folder):
        patches = tuple(patch for patch in material.patches if patch.id not in known)
        if patches and material.place.corpus in plan.corpora and fnmatch.fnmatch(material.place.bug, plan.bugs):
            bug = _find_bug(material.place)
            if bug is None:
                listen(f"{material.place.bug} is not in {material.place.corpus} any more")
                continue
            own = replace(terms, python=plan.python(material.place.corpus))
            tasks.append(_Judging(material, patches, bug, own, plan.until))
    tasks.sort(key=lambda task: digest("judge", task.material.place.corpus, task.material.place.bug))
    for number, found in enumerate(work_each(_judge, tasks, plan.jobs, _missing_judgements), 1):
        append(folder / JUDGEMENTS, [replace(said, revision=revision) for said in found])
        if found:
            words = ", ".join(said.status or f"no verdict: {said.error}" for said in found)
            listen(f"judged {number} of {len(tasks)} bugs: {words}")


def _make(task: _Making) -> Material | None:
    if time.monotonic() > task.until:
        return None
    try:
        corpus = open_corpus(task.place.corpus)
        if task.known:
            folder = parse_name(task.place.corpus).path
            return read_known(folder, task.bug, corpus, task.place, _make_ready(task.terms, task.bug))
        return make(task.bug, corpus, task.place, _make_ready(task.terms, task.bug))
    except Exception as problem:  # noqa: BLE001 - the edge of a process: it costs this bug alone
        return Material(task.place, reason=f"{type(problem).__name__}: {problem}")


def _missing_material(task: _Making) -> Material:
    return Material(task.place, reason="the process that made patches of it died, twice")


def _judge(task: _Judging) -> list[Judgement]:
    if time.monotonic() > task.until:
        return []
    try:
        place = task.material.place
        corpus: Corpus = open_corpus(place.corpus)
        corpus = Halved(corpus, place.shown) if place.shown >= 0 else corpus
        return judge_patches(task.bug, corpus, task.material, task.patches, _make_ready(task.terms, task.bug))
    except Exception as problem:  # noqa: BLE001 - the edge of a process: it costs this bug alone
        return [Judgement(patch.id, "", error=f"{type(problem).__name__}: {problem}") for patch in task.patches]


def _missing_judgements(task: _Judging) -> list[Judgement]:
    return [Judgement(patch.id, "", error="the process that judged it died, twice") for patch in task.patches]


def _make_ready(terms: Terms, bug: Bug) -> Terms:
    return replace(terms, python=interpreter_of(bug.environment, terms.python, case_cache(), os.environ))


def _bugs(corpus: str, pattern: str) -> Iterator[Bug]:
    """The bugs that count; of HumanEval the tasks with even numbers."""
    for bug in open_corpus(corpus).bugs():
        if isinstance(bug, SetAside) or not fnmatch.fnmatch(bug.id, pattern):
            continue
        number = re.search(r"\d+\Z", bug.id)
        if _loader(corpus) != "humaneval" or (number and int(number[0]) % 2 == 0):
            yield bug


def _find_bug(place: Place) -> Bug | None:
    try:
        return next(
            (bug for bug in open_corpus(place.corpus).bugs() if isinstance(bug, Bug) and bug.id == place.bug), None
        )
    except RepairError:
        return None


def _loader(corpus: str) -> str:
    return parse_name(corpus).loader


def _project(corpus: str, bug: Bug, *, known: bool) -> str:
    """What a bug is counted under; each bug with patches of its own is a small project."""
    return bug.provenance.project or (bug.id if known else corpus)
