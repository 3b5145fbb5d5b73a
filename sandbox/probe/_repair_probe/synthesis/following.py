"""Follows calls of a function through their statements: those of a failing test, and the passing ones nearest to them.

A failing call that parts from one that is nearly the same and passes shows where it goes wrong. That is the idea of
state alignment (Zeller, Isolating cause-effect chains, 2002), with one pair of calls and no further runs.
"""

from __future__ import annotations

from _repair_probe.compare.calls import skip_of
from _repair_probe.ground.clock import Allowance
from _repair_probe.ground.words import TYPE_CHECKING
from _repair_probe.swap.code_objects import same_place
from _repair_probe.synthesis.staged_runs import StagedRuns
from _repair_probe.trace.courses import CourseRecorder
from _repair_probe.values.glances import distance

if TYPE_CHECKING:
    from types import CodeType

    from _repair_probe.ground.words import Fields, Send, Work
    from _repair_probe.session.serving import Serving
    from _repair_probe.session.staged_items import Step
    from _repair_probe.swap.live_functions import LiveFunction
    from _repair_probe.synthesis.staged_runs import Job
    from _repair_probe.trace.courses import WatchedCall
    from _repair_probe.values.glances import Glances

    Like = tuple[Glances, bool]
    """What a failing call was given, and whether an exception came out of it."""

_ALSO_RAISED = 1.0
"""What makes a passing call further from a failing one where an exception comes out of both of them."""

_MOST_FAILING = 3
"""Calls of the failing test that are told."""


def follow(server: Serving, target: LiveFunction, request: Fields) -> Work:
    """Work for a fork: the courses of failing calls or, where the request has some, of the passing ones like these."""
    like = [({name: (kind, text) for name, kind, text in given}, raised) for given, raised in request["like"]]

    def work(send: Send) -> None:
        own = target.levels[target.own_key()]
        owner = own.co_varnames[0] if skip_of(target) and own.co_argcount else ""
        recorder = CourseRecorder(lambda code: _is_own(code, own), owner)
        runs = StagedRuns(server, Allowance(request["working_seconds"]))
        named = request["only"]
        steps = [step for step in runs.steps if (step.id in named) != bool(like)]
        if not like:
            jobs = [_failing_job(runs, recorder, step) for step in steps[:1]]
            for _, line in runs.run_jobs(jobs):
                for course in line["courses"]:
                    send(course=course, test=steps[0].id)
            return
        nearest: dict[int, tuple[float, Fields, str]] = {}
        for number, line in runs.run_jobs([_passing_job(runs, recorder, step, like, owner) for step in steps]):
            for place, far, course in line["near"]:
                if place not in nearest or far < nearest[place][0]:
                    nearest[place] = far, course, steps[number].id
        for place, (far, course, test) in sorted(nearest.items()):
            send(course=course, test=test, of=place, far=far)

    return work


def _is_own(code: CodeType, own: CodeType) -> bool:
    return code.co_filename == own.co_filename and same_place(code, own)


def _failing_job(runs: StagedRuns, recorder: CourseRecorder, step: Step) -> Job:
    def run() -> Fields:
        passed = runs.run_one(step, recorder)
        return {"courses": [each.fields() for each in recorder.failing(_MOST_FAILING)] if passed is False else []}

    return run


def _passing_job(runs: StagedRuns, recorder: CourseRecorder, step: Step, like: list[Like], owner: str) -> Job:
    def run() -> Fields:
        passed = runs.run_one(step, recorder)
        ended: list[WatchedCall] = [each for each in recorder.courses if each.number] if passed else []
        near = []
        for place, (given, raised) in enumerate(like):
            far = [distance(given, each.given, owner) + _ALSO_RAISED * (raised and each.raised) for each in ended]
            ranked = [(apart, number) for number, apart in enumerate(far)]
            near += [[place, far, ended[number].fields()] for far, number in [*sorted(ranked)][:1]]
        return {"near": near}

    return run
