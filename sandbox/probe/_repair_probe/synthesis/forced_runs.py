"""Runs of single tests with hooks at places of a function."""

from __future__ import annotations

import ast

from _repair_probe.ground.clock import Allowance
from _repair_probe.ground.words import TYPE_CHECKING
from _repair_probe.synthesis.staged_runs import StagedRuns
from _repair_probe.synthesis.watch import Watch
from _repair_probe.values.snapshots import pack_values

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from _repair_probe.ground.words import Fields
    from _repair_probe.session.serving import Serving
    from _repair_probe.session.staged_items import Step
    from _repair_probe.swap.live_functions import LiveFunction
    from _repair_probe.synthesis.staged_runs import Job
    from _repair_probe.synthesis.watch import Hit

_MOST_RECORDED = 600000
_SHARES = 24, 6, 2


class ForcedPlace:
    """One expression of the function: its number, whether it decides, its text and how tightly that binds.

    One that is ``new`` decides whether the function is left where it goes on by itself.
    """

    number: int
    text: str
    level: int

    def __init__(self, told: Sequence[Any]) -> None:
        self.number, kind, self.text, self.level = told
        self.decides, self.new = kind != "value", kind == "exit"


class Runs:
    """The tests of a server with an instrumented text in, which run one at a time."""

    names: list[str]

    def __init__(self, server: Serving, target: LiveFunction, request: Fields) -> None:
        self.places = [ForcedPlace(told) for told in request["places"]]
        self.names = request["names"]
        self.literals = [(text, ast.literal_eval(text)) for text in request["literals"]]
        self.allowance = Allowance(request["working_seconds"])
        self.staged = StagedRuns(server, self.allowance, request.get("only") or ())
        self.steps = self.staged.steps
        self.passed: dict[tuple[str, int], int] = {}
        patch = target.patch(request["text"].encode("latin-1"))
        patch.apply()
        self.watch = Watch(patch.own, self.names)

    def run_one(self, step: Step, *watched: Any) -> bool | None:
        """Whether the test passes; its hits are in the watch. ``None`` where that cannot be told."""
        self.watch.begin(*watched)
        return self.staged.run_one(step)

    def run_jobs(self, jobs: Sequence[Job]) -> Iterator[tuple[int, Fields]]:
        """(number, line) of each job that came to its end."""
        return self.staged.run_jobs(jobs)


def fields_of_job(hits: dict[int, list[Hit]]) -> str:
    """All hits packed, fewer of each place where that is too much."""
    for most in _SHARES:
        told = pack_values({place: [hit.as_fields() for hit in known[:most]] for place, known in hits.items()})
        if len(told) <= _MOST_RECORDED:
            return told
    return pack_values({})
