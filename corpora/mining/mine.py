"""Candidates tried by their tests, and kept line by line: a mining that ends early goes on where it was."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from analysis.errors import TargetError, UsageError
from analysis.facts import Files
from corpora.bug import Bug, SetAside
from corpora.environment import installed_distributions
from corpora.json_lines import append_lines
from corpora.loaders.mined import (
    COMMITS,
    MADE,
    SOURCE,
    ExaminedCandidate,
    MinedCorpus,
    Source,
    made_files,
    read_examined,
)
from corpora.mining.history import MinedChange, candidates
from corpora.mining.releases import fetch_releases, release_candidates
from corpora.mining.repository import Repository
from corpora.os_errors import explained
from corpora.verify import Terms, verify_bug
from corpora.workers import work_each
from repair.records.json_records import from_plain, to_plain
from repair.store.atomic import replace_file
from sandbox.jail_protocol import Jail

ARCHIVES = "archives"
LICENCES = ("LICENSE", "LICENSE.txt", "LICENSE.md", "LICENSE.rst", "LICENCE", "COPYING")

Listener = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Mining:
    """How to try candidates: where they are kept, on what terms they run, how many at once.

    ``made`` are files that a build makes and no commit holds. ``again`` tries once more what was set aside before.
    """

    out: Path
    terms: Terms
    jail: Jail
    jobs: int
    made: Files = ()
    again: bool = False


@dataclass(frozen=True, slots=True)
class Mined:
    """What a mining came to: candidates seen, those known from before, and how the others ended."""

    candidates: int
    known: int
    bugs: int
    set_aside: int


def mine_git(repository: Path, revision: str, most: int | None, since: str, how: Mining, listen: Listener) -> Mined:
    """Mine the history behind a revision; what was examined before is not examined again."""
    with Repository(repository) as texts:
        found = tuple(candidates(texts, texts.commits(revision, most, since)))
        source = Source(str(repository.absolute()), repository.absolute().name, texts.origin(), _licence(texts))
    return _mine(found, _with_environment(source, how), source, how, listen)


def mine_releases(package: str, old: str, new: str, how: Mining, listen: Listener) -> Mined:
    """Mine two releases of a package; their archives are kept beside what is found."""
    archives = how.out / ARCHIVES
    fetch_releases(package, (old, new), archives)
    found = tuple(release_candidates(package, old, new, archives))
    here = Source(str(archives.absolute()), package, f"https://pypi.org/project/{package}/", kind="releases")
    return _mine(found, _with_environment(replace(here, repository=ARCHIVES), how), here, how, listen)


def _with_environment(source: Source, how: Mining) -> Source:
    """The source as the corpus keeps it: with what the interpreter has that the user named, for others to have it."""
    if not how.terms.python:
        return source
    version, requirements = installed_distributions(how.terms.python)
    return replace(source, python=version, requirements=requirements)


def _mine(found: Sequence[MinedChange], kept: Source, here: Source, how: Mining, listen: Listener) -> Mined:
    """Try what is new. ``kept`` is how the corpus names its texts, ``here`` where they are now."""
    _begin(how.out, kept)
    with explained("The files of a build cannot be kept", how.out / MADE, "Name another --out."):
        for path, content in how.made:
            (how.out / MADE / path).parent.mkdir(parents=True, exist_ok=True)
            replace_file(how.out / MADE / path, content)
        made = made_files(how.out / MADE)  # those of before among them
    before = {examined.candidate.id: examined.reason for examined in _known_candidates(how.out)}
    known = {id for id, reason in before.items() if not (how.again and reason)}
    fresh = [candidate for candidate in found if candidate.id not in known]
    listen(f"{len(found)} candidates, {len(found) - len(fresh)} of them examined before")
    bugs = 0
    died = "the process that tried it died, twice"
    examine = partial(_try_candidate, here, how.terms, how.jail, made)
    answers = work_each(examine, fresh, how.jobs, lambda candidate: ExaminedCandidate(candidate, reason=died))
    for number, examined in enumerate(answers, 1):
        with explained(
            "A candidate cannot be written down",
            how.out / COMMITS,
            "What was found before is kept. Make room, then run the same command again.",
        ):
            append_lines(how.out / COMMITS, examined.to_json())
        bugs += not examined.reason
        words = examined.reason or f"a bug, {len(examined.failing)} tests fail"
        listen(f"{number}/{len(fresh)} {examined.candidate.id} {examined.candidate.fault}: {words}")
    return Mined(len(found), len(found) - len(fresh), bugs, len(fresh) - bugs)


def _try_candidate(source: Source, terms: Terms, jail: Jail, made: Files, candidate: MinedChange) -> ExaminedCandidate:
    """Whether the tests that came with the change fail without it, each time in the same way, and pass with it."""
    corpus = MinedCorpus("mined", source, (ExaminedCandidate(candidate),), made)
    (bug,) = corpus.bugs()
    assert isinstance(bug, Bug), "it has no reason against it"
    outcome = verify_bug(corpus, bug, replace(terms, mended=True), jail)
    if isinstance(outcome, SetAside):
        return ExaminedCandidate(candidate, reason=outcome.reason)
    return ExaminedCandidate(candidate, outcome.failing)


def _begin(out: Path, source: Source) -> None:
    """Make the folder, or see that it belongs to this source; a recorded environment stays till another is named."""
    path = out / SOURCE
    try:
        out.mkdir(parents=True, exist_ok=True)
        if path.exists():
            before: Source = from_plain(Source, json.loads(path.read_bytes()), "source")
            if (before.project, before.kind) != (source.project, source.kind):
                found = f"The folder holds a corpus of {before.project}"
                raise UsageError(found, where=str(out), remedy="Name another --out.")
            if not source.python:
                source = replace(source, python=before.python, requirements=before.requirements)
        replace_file(path, (json.dumps(to_plain(source), indent=1) + "\n").encode())
        (out / COMMITS).touch()
    except ValueError as problem:
        raise UsageError(
            f"The folder is no mined corpus: {problem}", where=str(path), remedy="Name another."
        ) from problem
    except OSError as problem:
        raise TargetError(
            f"The corpus cannot be written: {problem.strerror}", where=str(out), remedy="Name another --out."
        ) from problem


def _known_candidates(out: Path) -> tuple[ExaminedCandidate, ...]:
    try:
        return read_examined(out)
    except (OSError, ValueError) as problem:
        raise UsageError(
            f"What was mined before cannot be read: {problem}", where=str(out / COMMITS), remedy="Name another --out."
        ) from problem


def _licence(texts: Repository) -> str:
    """What the repository's licence file says it is, in one line; ``""`` where it has none."""
    for name in LICENCES:
        try:
            text = texts.blob(f"HEAD:{name}").decode("utf-8", "replace")
        except TargetError:
            continue
        known = re.search(
            r"(MIT|BSD|Apache|GNU [\w ]*General Public|Mozilla Public|ISC) Licen[sc]e", text, re.IGNORECASE
        )
        first = next((line.strip() for line in text.splitlines() if line.strip()), "")
        return known[0] if known else first[:80]
    return ""
