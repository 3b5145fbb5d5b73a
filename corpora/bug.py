"""One form for a bug, whatever corpus it comes from, and the answer that is held out of it.

A corpus hands out three things by three roads. ``bugs`` says what there is, ``write_tree`` lays out what the engine may
read, and ``oracle`` gives the answer. Only scoring asks for the last, when the engine has ended; no answer is ever
written below a tree.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from analysis.facts import Files


@dataclass(frozen=True, slots=True)
class Fault:
    """The function at fault: for scoring, and for configurations that are told the place."""

    path: str
    qualname: str

    def __str__(self) -> str:
        return f"{self.path}:{self.qualname}"


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a bug comes from. ``date`` is an ISO day; ``kind`` says how it was found; ``marks`` are doubts about it.

    Kinds: published, handwritten, mined, release-pair, injected.
    """

    project: str
    kind: str
    version: str = ""
    date: str = ""
    licence: str = ""
    source: str = ""
    marks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Environment:
    """What the tests need. An empty ``python`` is the interpreter that the user names, else the engine's own.

    ``requirements`` are pinned with ``==``. ``shims`` name what makes an old subject run under a newer Python: they
    are part of the tree and declared here. ``tests`` is the selection that counts as the suite, all of it where empty.
    """

    python: str = ""
    requirements: tuple[str, ...] = ()
    shims: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    pytest_args: tuple[str, ...] = ()
    pass_env: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Bug:
    """One bug as the engine may know it, but for ``fault``.

    ``failing`` are the tests that must turn green; where the corpus does not know them they are empty, and what fails
    in the suite counts. ``passing`` are those that must stay green; ``None`` means whatever passes in the tree. ``id``
    is unique in its corpus and fit for a file name. ``group`` names what reports keep apart, where the bugs of a
    corpus are no independent samples.
    """

    id: str
    failing: tuple[str, ...]
    provenance: Provenance
    passing: tuple[str, ...] | None = None
    fault: Fault | None = None
    environment: Environment = Environment()
    description: str = ""
    group: str = ""

    @property
    def suite(self) -> tuple[str, ...]:
        """The tests that count as the suite, by the environment or by what has to stay green; all where empty."""
        return self.environment.tests or (() if self.passing is None else (*self.failing, *self.passing))


@dataclass(frozen=True, slots=True)
class SetAside:
    """A bug that cannot be used, and why. It is counted and shown, never dropped."""

    id: str
    reason: str


@dataclass(frozen=True, slots=True)
class Oracle:
    """The answer: files as the fix leaves them, other fixes that are as good, and tests that the engine did not see.

    An empty ``reference`` says that nobody knows the fix. ``held_out`` are files to lay over the tree before the
    node ids of ``held_out_tests`` are run. ``expected`` are the words of a result that are right where no patch of one
    function is, such as ``flaky``.
    """

    reference: Files = ()
    alternatives: tuple[Files, ...] = ()
    held_out: Files = ()
    held_out_tests: tuple[str, ...] = ()
    expected: tuple[str, ...] = ()


class Corpus(Protocol):
    """Bugs in one form. ``name`` is how the user named it: ``LOADER:PATH``."""

    @property
    def name(self) -> str:
        """``LOADER:PATH`` as the user gave it."""

    def bugs(self) -> Iterator[Bug | SetAside]:
        """All bugs in a fixed order; raises ``TargetError`` where the folder has another layout."""

    def write_tree(self, bug: Bug, root: Path) -> None:
        """Lay out as ``root``, which must not exist, what the engine may read: never a part of the answer."""

    def oracle(self, bug: Bug) -> Oracle:
        """The held-out answer."""
