"""What a bench will run: cells in a fixed order, the jobs that they become, and the bugs that are set aside.

A cell's seed counts samples: ``--seeds 3`` runs every bug with 0, 1 and 2. What the engine is given is derived from it
and from the bug alone, so neither order nor machine nor the other bugs matter. All configurations of a bug draw the
same numbers.
"""

from __future__ import annotations

import fnmatch
import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass

from analysis.errors import TargetError, UsageError
from corpora.bench.configuration import Configuration
from corpora.bench.record import Cell
from corpora.bug import Bug, Corpus, SetAside
from corpora.catalog import open_corpus
from corpora.environment import find_interpreter


@dataclass(frozen=True, slots=True)
class Job:
    """One cell with all that a worker needs to measure it, on this machine or on another one.

    ``place`` names the corpus from everywhere, ``replies`` is the folder of kept replies.
    """

    cell: Cell
    place: str
    bug: Bug
    configuration: Configuration
    seed: int
    python: str
    replies: str
    attempt: int = 1

    @property
    def given_function(self) -> str:
        """The function at fault where the method is told it, else an empty text."""
        return str(self.bug.fault) if self.configuration.fault == "given" and self.bug.fault is not None else ""


@dataclass(frozen=True, slots=True)
class Shard:
    """Part ``number`` of ``count``."""

    number: int = 1
    count: int = 1

    @classmethod
    def from_text(cls, text: str) -> Shard:
        """``2/3`` as a shard."""
        number, slash, count = text.partition("/")
        if slash and number.isdecimal() and count.isdecimal() and 1 <= int(number) <= int(count):
            return cls(int(number), int(count))
        raise UsageError(f"{text!r} is no shard", where="--shard", remedy="Write 1/4 for the first of four.")

    @property
    def suffix(self) -> str:
        """What tells apart the record files of several shards."""
        return "" if self.count == 1 else f"-{self.number}of{self.count}"


@dataclass(frozen=True, slots=True)
class Listed:
    """A bug of a corpus; ``reason`` says why it is set aside, and is empty for one that is run."""

    corpus: str
    bug: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """All cells of one shard, with the bugs that cannot be used here."""

    jobs: tuple[Job, ...]
    bugs: tuple[Listed, ...]
    set_aside: tuple[Listed, ...]


def make_plan(
    corpora: Sequence[Corpus],
    configurations: Sequence[Configuration],
    seeds: Sequence[int],
    *,
    pattern: str = "*",
    shard: Shard | None = None,
    python: str = "",
    replies: str = "",
) -> Plan:
    """The plan of a run. Bugs are dealt to shards one by one, in the order of their corpora.

    ``python`` runs the tests of bugs that ask for no interpreter. Raises ``UsageError`` where no bug is meant.
    """
    part = shard or Shard()
    meant = [
        (corpus.name, found) for corpus in corpora for found in corpus.bugs() if fnmatch.fnmatch(found.id, pattern)
    ]
    if not meant:
        raise UsageError("No bug has such an id", where=f"--bugs {pattern}", remedy="`repair corpus` lists the ids.")
    jobs: list[Job] = []
    aside: list[Listed] = []
    bugs: list[Listed] = []
    for corpus, found in meant[part.number - 1 :: part.count]:
        if isinstance(found, SetAside):
            aside.append(Listed(corpus, found.id, found.reason))
            continue
        wanted = found.environment.python
        interpreter = find_interpreter(wanted, os.environ) if wanted else python
        if wanted and not interpreter:
            aside.append(Listed(corpus, found.id, f"no Python {wanted} is here"))
            continue
        bugs.append(Listed(corpus, found.id))
        jobs += (
            Job(
                Cell(corpus, found.id, c.name, seed),
                full_corpus_name(corpus),
                found,
                c,
                engine_seed(found.id, seed, c),
                interpreter,
                replies,
            )
            for seed in seeds
            for c in configurations
        )
    return Plan(tuple(jobs), tuple(bugs), tuple(aside))


def engine_seed(bug: str, seed: int, configuration: Configuration) -> int:
    """The number that the engine draws everything from in this cell."""
    run = seed if configuration.seed is None else configuration.seed + seed
    return int.from_bytes(hashlib.blake2b(f"{run}/{bug}".encode(), digest_size=4).digest()) >> 1


def full_corpus_name(corpus: str) -> str:
    """The corpus's name with its whole path."""
    name, mark, options = corpus.partition("?")
    loader, _, path = name.partition(":")
    return f"{loader}:{os.path.abspath(path)}{mark}{options}"


def open_corpora(names: Sequence[str]) -> tuple[list[Corpus], list[str]]:
    """The corpora that can be opened, and a sentence on each of the others; raises where none is left."""
    found: list[Corpus] = []
    lost: list[str] = []
    places: dict[str, str] = {}
    for name in names:
        places.setdefault(full_corpus_name(name), name)  # another spelling of the same place would count its bugs twice
    for name in places.values():
        try:
            found.append(open_corpus(name))
        except TargetError as problem:
            lost.append(f"{name} is left out: {problem}")
            if len(lost) == len(places):
                raise
    return found, lost
