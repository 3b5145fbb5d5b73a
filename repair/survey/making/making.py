"""``repair make``: the steps of a task with a model, a sandbox and our own repair, and the new folder in the end.

All happens in a private folder. The new one comes into being at the end, by one renaming.
"""

from __future__ import annotations

import ast
import hashlib
import os
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from analysis.errors import ModelError, OutOfTimeError, RepairError
from analysis.facts import Files, InvalidRun, TestRun
from analysis.function_text import Unreadable, last_name, parse_module
from analysis.specified.task_text import StatedTask, TaskSentence, flat
from analysis.specified.test_functions import tests_in
from repair.front.input_proposer import program_writer_of
from repair.front.opening import Place, limitations, open_place, versions_of
from repair.front.trust import refuse_stranger
from repair.records.config import Options
from repair.records.events import Event, Listener, event, phase
from repair.records.made import (
    MadeFact,
    MadeFile,
    MadePatch,
    MadeReport,
    MadeTest,
    MakeRequest,
    TaskQuote,
)
from repair.records.result import Cost, PatchView, Result
from repair.store.apply import apply_run
from repair.store.store import open_store
from repair.survey.making.draft import Draft
from repair.survey.making.placing import own_files, place_folder, refuse_folder, write_tree
from repair.survey.making.standings import functions_of
from repair.survey.making.steps import MakingSteps, Mended
from repair.survey.survey import limits_of
from repair.trials.run_time import RunTime, TimeIsUp
from sandbox.scratch import passing_folder
from sandbox.workspace import remove

PLACING_SECONDS = 2.0
"""Kept of the time for the new folder."""

PATCHING_SHARE, LEAST_PATCHING = 0.5, 20.0
"""The share of the time that is left for one round of patching, and seconds that it gets where there are so many."""

Fix = Callable[[tuple[str, ...], Options, Listener, Mapping[str, str], RunTime], Result]
"""Mends the failing tests of a project, as ``repair fix`` does."""


def make(
    asked: MakeRequest,
    options: Options,
    listen: Listener,
    env: Mapping[str, str],
    timing: RunTime,
    fix: Fix,
) -> MadeReport:
    """Write the program of a task and its tests, mend it, and put both into the new folder.

    Raises ``UsageError`` where the folder is there, or no model is named; ``ModelError`` where the model fails before
    there is a program with tests. Nothing is written then.
    """
    out = Path(asked.out)
    refuse_folder(out)
    writer = program_writer_of(options, env, listen)
    ends = timing.started + options.max_seconds - PLACING_SECONDS
    task, ours = StatedTask(asked.name, asked.text), own_files(asked.name, asked.text)
    with passing_folder() as scratch:
        write_tree(scratch / "base", ours)
        base = _alone(options, scratch, asked.text)
        with open_place(base, env) as place:
            refuse_stranger(options, place.jail, "A program that a model writes")
            place.sandbox.deadline.end_at(ends)
            warnings = tuple(limitations(place.jail, place.sandbox))
            for warning in warnings:
                listen(event("warning", message=warning))

            def left() -> float:
                return ends - time.monotonic()

            mender = _Mender(fix, base, ours, scratch / "program", listen, env, left, lambda: writer.cost)
            steps = MakingSteps(
                task,
                writer,
                lambda files: _run(place, files, left()),
                mender.mend,
                left,
                lambda said: listen(phase("making", said, left())),
            )
            _go(steps)
            report = _report(asked, options, steps, place, warnings)
            timing.done()
            files = tuple(sorted((*ours, *(steps.best.files if steps.best is not None else ()))))
            if steps.best is not None:
                place_folder(out, files)
            return replace(
                report,
                written=steps.best is not None,
                files=tuple(_told_files(files, steps.best)),
                cost=_sum(writer.cost, mender.costs),
                seconds=round(time.monotonic() - timing.started, 3),
            )


def _alone(options: Options, scratch: Path, task: str) -> Options:
    """The options for a program in a private folder: nothing of the project that the command was started in counts."""
    python = options.python
    return replace(
        options,
        root=str(scratch / "base"),
        state_dir=str(scratch / "state"),
        python=str(Path(options.root, python)) if os.sep in python else python,
        task=task,
        tests=(),
        pytest_args=(),
        function="",
        answers=(),
        coverage_file="",
        lf=False,
        open_tests=False,
        require_approval=False,
    )


def _go(steps: MakingSteps) -> None:
    """Make the steps; what ended them early is told with what was reached by then."""
    try:
        steps.make()
    except ModelError as problem:
        if steps.best is None:
            raise
        steps.ended = str(problem)
    except (TimeIsUp, OutOfTimeError):
        steps.ended, steps.is_spent = "the time was over", True
    if steps.best is None and steps.is_spent:
        raise ModelError(
            f"There is no program: {steps.ended}", remedy="Raise --max-requests, --max-tokens or --max-seconds."
        )


def _run(place: Place, files: Files, seconds: float) -> TestRun | InvalidRun:
    return place.sandbox.run((), files, limits=limits_of(max(1.0, seconds)))


@dataclass
class _Mender:
    """Our own repair of a draft, in a folder of its own; ``costs`` are what it asked a model for."""

    fix: Fix
    options: Options
    ours: Files
    folder: Path
    listen: Listener
    env: Mapping[str, str]
    left: Callable[[], float]
    used: Callable[[], Cost]
    costs: tuple[Cost, ...] = ()

    def mend(self, draft: Draft) -> Mended:
        """The implementation after the patches that ``repair fix`` finds for the failing tests."""
        remove(self.folder)
        write_tree(self.folder, tuple(sorted((*self.ours, *draft.files))))
        tests = tuple(test.said.name for test in draft.failing)
        seconds = max(min(LEAST_PATCHING, self.left()), PATCHING_SHARE * self.left())
        options = self._options(seconds)
        try:
            result = self.fix(tests, options, self._listen, self.env, RunTime(time.monotonic()))
            self.costs = (*self.costs, result.cost)
            found = [patch for patch in result.patches if patch.rank == 1]
            if not found:
                return Mended(draft.implementation, (), _why_not(result))
            store = open_store(options.root, options.state_dir)
            applied = apply_run(store, store.load_run(result.run), self.folder)
            found = [patch for patch in found if not applied.causes or patch.cause in applied.causes]
        except RepairError as problem:
            return Mended(draft.implementation, (), f"not mended: {problem}")
        read = tuple((path, (self.folder / path).read_bytes()) for path, _ in draft.implementation)
        patches = tuple(_told_patch(each, result) for each in found)
        return Mended(read, patches, "; ".join(f"{each.file}:{each.function}" for each in patches))

    def _listen(self, happened: Event) -> None:
        """Hand on who is asked and what is less than it could be; verdicts of a draft are nobody's business."""
        if happened.type in ("asking", "request", "warning"):
            self.listen(happened)

    def _options(self, seconds: float) -> Options:
        """Those of ``fix`` for this draft; what was used so far counts."""
        cost = _sum(self.used(), self.costs)
        tokens = self.options.max_tokens
        money = self.options.max_cost
        return replace(
            self.options,
            root=str(self.folder),
            max_seconds=max(1.0, seconds),
            max_tokens=None if tokens is None else max(1, tokens - cost.input_tokens - cost.output_tokens),
            max_cost=None if money is None else max(0.0, money - cost.usd),
            output_format="text",
        )


def _why_not(result: Result) -> str:
    """What a run says that found no patch."""
    return flat(next(iter(result.messages), result.status.value))[:300]


def _told_patch(patch: PatchView, result: Result) -> MadePatch:
    """A patch without its verdict: the tests are not older than the program, so it is plausible and no more.

    Its class is that of the first failure that it mends; without causes there is one failure for all.
    """
    mended = {test for cause in result.causes if cause.number == patch.cause for test in cause.tests}
    classes = (each.failure_class for each in result.failures if not mended or each.test in mended)
    about = next(classes, "")
    question = next(iter(patch.questions), "")
    return MadePatch(patch.file, patch.function, about, patch.diff, question)


def _sum(first: Cost, more: tuple[Cost, ...]) -> Cost:
    """What was used in all."""
    total = first
    for each in more:
        total = Cost(
            total.input_tokens + each.input_tokens,
            total.output_tokens + each.output_tokens,
            total.usd + each.usd,
            total.requests + each.requests,
            total.tries + each.tries,
        )
    return replace(total, arms=())


def _report(
    asked: MakeRequest, options: Options, steps: MakingSteps, place: Place, warnings: tuple[str, ...]
) -> MadeReport:
    draft, task = steps.best, steps.task
    report = MadeReport(
        out=asked.out,
        task=asked.name,
        replaced=tuple(steps.replaced),
        steps=tuple(steps.steps),
        versions=versions_of(place.target),
        seed=options.seed,
        warnings=warnings,
        ended=steps.ended if draft is None or any(draft.open) else "",
        isolation=place.jail.kind,
        isolation_opens=place.jail.opens,
    )
    if draft is None:
        return report
    return replace(
        report,
        artifact=draft.artifact(),
        patches=draft.patches,
        tests=tuple(_told_tests(draft)),
        facts=tuple(_told_facts(draft, task)),
        unbacked=tuple(_unbacked(draft, task)),
    )


def _told_tests(draft: Draft) -> Iterator[MadeTest]:
    for each in draft.tests:
        quotes = tuple(TaskQuote(line, quote) for line, quote in each.said.quotes)
        yield MadeTest(
            each.said.name,
            each.said.standing,
            each.outcome,
            quotes,
            each.said.claims,
            each.said.why,
            each.message[:2_000],
            each.anew,
        )


def _told_facts(draft: Draft, task: StatedTask) -> Iterator[MadeFact]:
    """Each sentence of the task that states something, what is read in it, and the required tests that quote of it."""
    facts = task.facts(functions_of(draft.implementation))
    for sentence in task.sentences:
        words = flat(sentence.quote)
        claims = tuple(fact.claim for fact in facts if flat(fact.quote) == words and fact.predicate != "states")
        yield MadeFact(sentence.line, words, sentence.requirement, claims, _tests_for(draft, task, sentence))


def _tests_for(draft: Draft, task: StatedTask, sentence: TaskSentence) -> tuple[str, ...]:
    """The required tests that quote this sentence, or one of those that it is made of."""
    required = (test.said for test in draft.tests if test.is_required)
    return tuple(said.name for said in required if any(sentence in task.holding(quote) for _, quote in said.quotes))


def _unbacked(draft: Draft, task: StatedTask) -> Iterator[str]:
    """What nobody says: sentences that no passing test quotes, tests that quote nothing, functions nobody calls."""
    passing = draft.passing
    for sentence in task.sentences:
        words = flat(sentence.quote)
        if not set(_tests_for(draft, task, sentence)) & passing:
            yield f'no required test that passes quotes {task.path}:{sentence.line} "{words}"'
    for test in draft.tests:
        if not test.is_required:
            yield f"{test.said.name} is pinned: {test.said.why}"
    called = _called_in(draft)
    for name in functions_of(draft.implementation):
        if not name.startswith("_") and name not in called:
            yield f"no required test calls {name}"


def _called_in(draft: Draft) -> frozenset[str]:
    """The names that required tests call."""
    required = {test.said.name for test in draft.tests if test.is_required}
    read = ((path, parse_module(source)) for path, source in draft.test_files)
    nodes = tests_in({path: tree for path, tree in read if not isinstance(tree, Unreadable)})
    calls = (call for name, node in nodes if name in required for call in ast.walk(node) if isinstance(call, ast.Call))
    return frozenset(last_name(call.func) for call in calls)


def _told_files(files: Files, draft: Draft | None) -> Iterator[MadeFile]:
    parts = {path: "implementation" for path, _ in draft.implementation} if draft is not None else {}
    parts |= {path: "tests" for path, _ in draft.test_files} if draft is not None else {}
    for path, content in files if draft is not None else ():
        yield MadeFile(path, parts.get(path, "ours"), hashlib.sha256(content).hexdigest(), len(content))
