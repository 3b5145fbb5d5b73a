"""Files that somebody writes for a task: what is asked for, what comes back, and who is asked."""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from analysis.facts import Files
from repair.records.result import Cost


class ReplyPart(enum.StrEnum):
    """A part of what is written; the values are the marks of its section in a reply."""

    IMPLEMENTATION = "IMPLEMENTATION"
    TESTS = "TESTS"


@dataclass(frozen=True, slots=True)
class WrittenFiles:
    """Files by part, sorted by path; a part that was not asked for has none."""

    implementation: Files = ()
    tests: Files = ()

    @property
    def every(self) -> Files:
        """The files of both parts."""
        return tuple(sorted((*self.implementation, *self.tests)))


@dataclass(frozen=True, slots=True)
class WritingRequest:
    """One part to be written from the text of a task.

    - ``sentences`` are those of the task that state something, one a line with its place.
    - ``heads`` are public names and signatures: tests call them, and a further implementation keeps them.
    - ``failures`` say what failed with what was written before.
    """

    part: ReplyPart
    task: str
    sentences: str = ""
    heads: str = ""
    failures: str = ""


@dataclass(frozen=True, slots=True)
class Unwritten:
    """Nothing that can be used was written. ``kind`` is the reader's word, ``reason`` one clause for people."""

    kind: str
    reason: str


@dataclass(frozen=True, slots=True)
class NotAsked:
    """A limit or the time is spent; ``reason`` says which."""

    reason: str


class ProgramWriter(Protocol):
    """Who writes programs and tests."""

    def write(
        self, asked: WritingRequest, before: tuple[Unwritten, ...], seconds_left: Callable[[], float]
    ) -> WrittenFiles | Unwritten | NotAsked:
        """The files of the part. ``before`` is what came of the same request. Raises ``ModelError``."""

    @property
    def cost(self) -> Cost:
        """What was used so far."""
