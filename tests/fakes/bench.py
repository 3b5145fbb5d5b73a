"""Jobs and corpora for the tests of the bench."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from corpora.bench.configuration import Configuration
from corpora.bench.plan import Job
from corpora.bench.record import BenchRecord, Cell
from corpora.bug import Bug, Oracle, Provenance, SetAside

SEARCH = Configuration("search")


def bug(name: str = "half", **fields: object) -> Bug:
    return Bug(
        **{"id": name, "failing": ("test_half.py::test_half",), "provenance": Provenance("p", "handwritten"), **fields}
    )


def job(name: str = "half", configuration: Configuration = SEARCH, place: str = "flat:/none", **fields: object) -> Job:
    cell = Cell("flat:none", name, configuration.name, 0)
    return Job(
        **{
            "cell": cell,
            "place": place,
            "bug": bug(name),
            "configuration": configuration,
            "seed": 1,
            "python": "",
            "replies": "",
            **fields,
        }
    )


def record(name: str = "half", ending: str = "done", attempt: int = 1) -> BenchRecord:
    return BenchRecord(Cell("flat:none", name, "search", 0), ending, 1.0, "2026-01-01T00:00:00+00:00", attempt)


@dataclass
class ListedCorpus:
    """A corpus of bugs that are only listed."""

    name: str
    listed: tuple[Bug | SetAside, ...]

    def bugs(self) -> Iterator[Bug | SetAside]:
        yield from self.listed

    def write_tree(self, bug: Bug, root: Path) -> None:
        raise AssertionError("a plan needs no tree")

    def oracle(self, bug: Bug) -> Oracle:
        raise AssertionError("a plan needs no answer")
