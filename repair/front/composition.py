"""One run: its sandbox, its record, its engine.

Here concrete parts are joined for a run that answers with a patch or a verdict; its gates are made in `gates.py`.
`repair/survey/survey.py` joins those of a survey, and `doctor.py` tries what a machine can do.
"""

from __future__ import annotations

import contextlib
import os
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from importlib.metadata import version
from pathlib import Path

from hypothesis.configuration import set_hypothesis_home_dir

from analysis.errors import ConflictError, OutOfTimeError, RepairError
from analysis.facts import Files, TestId
from repair.checks.weights import MOST_RISK, STRICT_RISK
from repair.compare.answers import PersonsAnswer, read_answer
from repair.compare.patched_server import PatchedServer
from repair.engine.engine import Engine
from repair.engine.judging import Judging, Timed
from repair.engine.reached import Reached
from repair.front.asked_runs import AskedRun, forget_asked, keep_asked
from repair.front.earlier_answers import add_rejections, rejected_before, warn_of_rejected
from repair.front.earlier_finds import found_before
from repair.front.model_runs import make_model_proposer
from repair.front.opening import ENGINE_PACKAGES, Place, limitations, open_place, versions_of
from repair.front.parts import make_gates, make_proposers, make_unasked_gates, required_gates
from repair.front.recording import (
    LinesSeen,
    begin_record,
    describe_target,
    may_be_given_again,
    record_answer,
    record_checklist,
    record_failure,
    record_lines,
    refuse_other_file,
    write_lines,
)
from repair.front.run_inputs import Answered, lay_answers_over, limits_of, order_named, read_last_failed
from repair.front.run_memories import neighbour_for_model, open_memory
from repair.front.trust import admit_proposers, refuse_stranger, runs_at_once
from repair.gates.outside_check import add_outside_checks
from repair.hunt.search_parts import SearchParts
from repair.memory.kept_answers import KeptRejection
from repair.memory.run_memory import RunMemory, WaysAsked
from repair.model.agent import AgentProposer
from repair.model.agent_command import agent_command
from repair.model.exchanges import RecordedReplies
from repair.model.proposer import ModelProposer
from repair.observe.branches import branches_of_patch, observe_arcs
from repair.observe.statements import KnownStatements, read_settings
from repair.proposers.search import SearchProposer
from repair.records.change import Change
from repair.records.config import Options
from repair.records.events import Event, Listener, event
from repair.records.outcome import RunOutcome
from repair.records.ports import Proposer, Sandbox
from repair.records.result import Cost, ModelAttempt, Result, Status
from repair.records.run_details import DETAILS
from repair.records.task import Baseline, Budget, RepairTask
from repair.show.publish import result_of
from repair.show.report.details import details_of
from repair.store.checklist import read_earlier_attempts, read_open_tests
from repair.store.git import earlier_versions
from repair.store.line_maps import LineMaps, known_lines
from repair.store.recorded import keep_grounds
from repair.store.store import RunStore
from repair.store.stored_run import RunRecord
from repair.trials.layered import LayeredSandbox, lay_over
from repair.trials.remembered import Remembering
from repair.trials.run_time import RunTime, TimeIsUp
from repair.trials.trial_memory import TrialMemory, world
from sandbox.deadline import out_of_time
from sandbox.sandbox import LocalSandbox
from sandbox.target import Target

TRIALS = "trials.sqlite"

MOST_EARLIER = 10
"""Commits of a file in which earlier texts of a function are looked for."""


@dataclass(frozen=True, slots=True)
class RunContext:
    """What one run works with, and how it is written down."""

    options: Options
    target: Target
    sandbox: LocalSandbox
    record: RunRecord
    listen: Listener
    timing: RunTime
    warnings: tuple[str, ...]
    proposers: tuple[Proposer, ...]
    store: RunStore
    memory: TrialMemory | None = None
    is_kept: bool = True
    """Whether later commands find the run."""
    reached: Reached = field(default_factory=Reached)
    lines: LinesSeen = field(default_factory=LinesSeen)
    grounds: str = ""
    """The digest of what the verdict rests on; empty where it is not given again."""
    earlier: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """What a model is told of earlier runs' attempts, by test."""
    resumed_from: str = ""
    """The run that this one goes on from."""
    remembered: RunMemory = field(default_factory=lambda: RunMemory((), 0))
    """What earlier runs say of failures, and what this one adds to that. No gate sees it."""
    rejected: tuple[KeptRejection, ...] = ()
    """What people rejected in earlier runs."""

    def engine(
        self, below: Sandbox, change: Change | None = None, base: Files = (), answers: tuple[TestId, ...] = ()
    ) -> Engine:
        """An engine over this sandbox (or one layered on it), for the program before the change, if there is one.

        The files of ``base`` are laid over the program. ``answers`` are the tests that a person gave.
        """
        sandbox: Sandbox = LayeredSandbox(below, base) if base else below
        statements = KnownStatements(read_settings(self.sandbox.snapshot.read, change))
        measure = statements.measure
        limits, clock, sources = limits_of(self.options.max_seconds), time.monotonic, sandbox.sources()
        jobs = self.options.jobs or os.cpu_count() or 1
        remembering = self._add_memory(below, base)
        search = SearchParts(
            sandbox=remembering,
            proposers=self.proposers,
            limits=limits,
            clock=clock,
            listen=self.listen,
            jobs=jobs,
            seed=self.options.seed,
            description=self.options.task,
            module_imports=self.options.allow_module_imports,
            strategist=self.remembered.strategy,
            asked_at_once=self.options.asked_at_once,
        )
        strict = self.options.gates == "strict"
        server = PatchedServer(sandbox, limits, keep=True)
        gates = make_gates(
            sandbox,
            server,
            limits,
            self.options.seed,
            self.target,
            self.sandbox.snapshot,
            os.environ,
            strict=strict,
            proposer=SearchProposer(order_named(self.options.order, Path(self.options.root))),
            history=lambda path: earlier_versions(Path(self.target.root), path, MOST_EARLIER),
            measure=measure,
            branches=branches_of_patch(sandbox, limits, statements),
            left=lambda: self.sandbox.deadline.left,
            extra=self.options.extra_gates,
        )
        unasked = make_unasked_gates(gates, sandbox, server, limits, self.options.seed, strict=strict)
        judging = Judging(
            gates=tuple(Timed(gate, self.sandbox.deadline) for gate in gates),
            unasked=tuple(Timed(gate, self.sandbox.deadline) for gate in unasked),
            answers=answers,
            sources=sources,
            clock=clock,
            listen=self.listen,
            jobs=runs_at_once(self.sandbox.jail, jobs),
            required=required_gates(strict=strict, extra=self.options.extra_gates),
            lend=server.lend,
            release=server.close,
            stop=self.sandbox.stop,
            reached=self.reached,
            limit=min(STRICT_RISK if strict else MOST_RISK, self.options.risk or MOST_RISK),
            others=partial(add_outside_checks, self.options.extra_checks, lambda: self.sandbox.deadline.left),
        )

        maps = LineMaps(self.store.directory, self.store.seals, str(self.store.root))

        def hear_baseline(baseline: Baseline) -> None:
            self.lines.line_map, self.lines.sources = baseline.traced.line_map, sources
            self.lines.passing = baseline.passing

        return Engine(
            search,
            judging,
            remembering,
            sources,
            limits,
            clock,
            self.listen,
            deadline=self.sandbox.deadline,
            stop=self.sandbox.stop,
            measure=measure,
            known_lines=partial(known_lines, maps, sources),
            hear_baseline=hear_baseline,
            on_top=lambda files: self.engine(below, change, lay_over(base, files), answers),
        )

    def in_time(self, work: Callable[[], RunOutcome]) -> RunOutcome:
        """What the work comes to; where the time of the run is up before, what it has reached by then."""
        ending: RunOutcome | None = None
        self.sandbox.deadline.end_at(self.timing.started + self.options.max_seconds)
        try:
            ending = work()
            self.timing.done()
        except (TimeIsUp, OutOfTimeError):
            self.timing.done()
        except (RepairError, OSError):
            raise
        except Exception as problem:
            self.timing.done()
            ending = self.reached.make_ending(_describe_defect(problem))
            if not any(cause.ending.judged for cause in ending.causes) and not ending.judged:
                raise  # nothing would be lost
            self.listen(event("warning", message=ending.messages[-1]))
        return self.reached.make_ending() if ending is None else ending

    def add_answers(self, base: Sandbox, tests: Sequence[TestId]) -> Answered:
        """The sandbox with a person's answers as tests in it."""
        near = tests or self.options.tests
        return lay_answers_over(base, self._answers(), near, limits_of(self.options.max_seconds))

    def _answers(self) -> tuple[PersonsAnswer, ...]:
        return tuple(dict.fromkeys(map(read_answer, self.options.answers)))

    def _add_memory(self, sandbox: Sandbox, base: Files) -> Sandbox:
        """The sandbox for searches, with the ``base`` over it: it does not run what it knows. Gates have no memory."""
        if self.memory is None or sandbox is not self.sandbox:
            return LayeredSandbox(sandbox, base) if base else sandbox
        kind, engine = self.sandbox.jail.kind, version(ENGINE_PACKAGES[0])
        seen = world(self.target, self.sandbox.snapshot, kind, engine, self.store.key)
        return LayeredSandbox(sandbox, base, Remembering(self.memory, seen))

    def refuse_stranger(self, what: str) -> None:
        """Raise where code from elsewhere would run unconfined."""
        refuse_stranger(self.options, self.sandbox.jail, what)

    def task(self, tests: Sequence[str]) -> RepairTask:
        """What is asked of the engine."""
        named = tuple(TestId(test) for test in dict.fromkeys(tests))
        wanted = named or (read_last_failed(Path(self.options.root)) if self.options.lf else ())
        if not wanted and self.options.open_tests:
            wanted = read_open_tests(self.store.directory)
        # Opening the run was a part of its time.
        seconds = max(0.0, self.timing.started + self.options.max_seconds - time.monotonic())
        budget = Budget(seconds, self.options.max_candidates, self.options.max_cost)
        return RepairTask(
            self.options.root,
            wanted,
            self.options.function,
            self.options.task,
            self.options.seed,
            budget,
            self.options.alternatives,
            self.options.patch_lines,
        )

    def keep_asked(
        self, command: str, tests: Sequence[TestId], change: Change | None = None, since: str | None = None
    ) -> None:
        """Write down what was asked, so that it can be asked again: without its model, or after the run was killed."""
        asked = AskedRun(command, tuple(tests), self.options, change, since, self.earlier)
        with contextlib.suppress(OSError):  # a full disk: said when a question to the model is written
            keep_asked(self.record.run, asked, self.sandbox.snapshot)

    def _keep_lines(self) -> str:
        """Write down the lines that tests ran, with the record and where the user asks; what failed of that."""
        file = self.options.coverage_file
        record_lines(self.store, self.record, self.lines)
        if not file:
            return ""
        said = self._tell_arcs()
        unwritten = write_lines(file, self.target.root, self.lines, dict(self.sandbox.snapshot.digests))
        return unwritten or said

    def _tell_arcs(self) -> str:
        """Take the arcs of tests into what was seen, where the project measures branches; why there are none, if so."""
        settings = read_settings(self.sandbox.snapshot.read)
        if not self.lines.line_map or not KnownStatements(settings).are_measured:
            return ""
        try:
            seen = observe_arcs(self.sandbox, limits_of(self.options.max_seconds), [t for t, _ in self.lines.line_map])
        except (TimeIsUp, OutOfTimeError):
            return "branches are not in the coverage data: the time was up"
        self.lines.arcs = seen.by_test
        return seen.said

    def _cost(self) -> Cost:
        """What all arms have used that somebody is paid for."""
        cost = next((p.cost for p in self.proposers if isinstance(p, ModelProposer)), Cost())
        agents = tuple(p.use for p in self.proposers if isinstance(p, AgentProposer) and p.runs)
        return replace(cost, arms=(*cost.arms, *agents))

    def _model_attempts(self) -> tuple[ModelAttempt, ...]:
        return tuple(each for p in self.proposers if isinstance(p, ModelProposer) for each in p.attempts)

    def finish(self, ending: RunOutcome, *, has_tried: bool = True) -> Result:
        """Write the run down and give the result. One that was not to mend anything ``has_tried`` nothing."""
        if has_tried:
            asked = WaysAsked(tuple(each.name for each in self.proposers), self._model_attempts(), self._cost())
            self.remembered.keep(self.record.id, ending, self.lines.sources, asked)
        forgotten = tuple(self.memory.warnings) if self.memory else ()
        unremembered = tuple(self.remembered.warnings)
        for warning in (*forgotten, *unremembered):
            self.listen(event("warning", message=warning))
        stale = self.sandbox.snapshot.stale_files()
        if stale:
            raise ConflictError(
                f"{stale[0]} changed while the run was under way", remedy="Nothing was written. Run again."
            )
        unwritten = self._keep_lines()
        blank = Result(
            Status.INTERRUPTED,
            run=self.record.id,
            root=self.options.root,
            versions=versions_of(self.target),
            seed=self.options.seed,
            task=self.options.task,
            isolation=self.sandbox.jail.kind,
            cold_starts=self.sandbox.cold_starts.by_purpose(),
            warnings=(*self.warnings, *forgotten, *unremembered, *filter(None, (unwritten,))),
            cost=self._cost(),
            attempts=self._model_attempts(),
            isolation_opens=self.sandbox.jail.opens,
            answers=tuple(map(str, self._answers())),
            answered_by=self.options.answered_by,
            resumed_from=self.resumed_from,
            needs_approval=self.options.require_approval,
        )
        result = result_of(ending, blank, time.monotonic() - self.timing.started)
        result = replace(result, warnings=(*result.warnings, *warn_of_rejected(result, self.rejected)))
        if self.options.require_approval:
            result = replace(result, next_action=result.next_action.replace("repair apply", "repair review"))
        if not self.is_kept:
            result = replace(result, next_action="")
        elif ending.change is None:
            result = record_checklist(self.store, result, self.lines)
        try:
            target = describe_target(self.options, self.target, self._answers()) if ending.judged else {}
            record_answer(self.record, ending, result, target)
            forget_asked(self.record.run, self.options, result)
            details = details_of(ending, self.lines.line_map, self.lines.sources, frozenset(self.lines.passing))
            self.record.run.save_json(DETAILS, details.to_json())
            if self.grounds:
                share = self.sandbox.deadline.left / self.options.max_seconds
                again = may_be_given_again(ending, (*self.reached.warnings, *forgotten), share)
                keep_grounds(self.record.run, self.grounds, again=again and self.is_kept)
        except OSError as problem:  # a full disk loses the record and not the answer
            said = f"the run could not be recorded, and cannot be applied later: {problem.strerror}"
            result = replace(result, warnings=(*result.warnings, said), next_action="")
        self.listen(event("finished", status=str(result.status)))
        return result


def _describe_defect(problem: Exception) -> str:
    """A defect of ours for who reports it, with the line that it came from."""
    *_, frame = traceback.extract_tb(problem.__traceback__)
    place = f"{Path(frame.filename).name}:{frame.lineno}"
    return f"a defect of repair ended the run, {type(problem).__name__} in {place}: {problem}"


@contextlib.contextmanager
def open_run(
    options: Options,
    listen: Listener,
    env: Mapping[str, str],
    timing: RunTime | None = None,
    place: Place | None = None,
    grounds: str = "",
    recorded: RecordedReplies | None = None,
    resumed_from: str = "",
) -> Iterator[RunContext]:
    """A run that is cleaned up whatever happens; its record stays. Its time counts from the call, or as given.

    It works in the ``place``, or opens one. ``grounds`` are what its verdict will rest on, by their digest. With
    ``recorded`` replies no model is asked, or only what was not asked then.
    """
    timing = timing or RunTime(time.monotonic())
    reached = Reached()
    refuse_other_file(options.coverage_file)
    agent = agent_command(options.agent, env) if AgentProposer.name in options.chosen_proposers else None
    with contextlib.ExitStack() as opened:
        place = place or opened.enter_context(open_place(options, env))
        target, jail, sandbox, scratch = place.target, place.jail, place.sandbox, place.scratch
        store, record, unkept = begin_record(options, target.root, scratch)
        opened.enter_context(contextlib.closing(record))

        def tell_all(happened: Event) -> None:
            for hear in (record.append, reached.hear, listen):
                hear(happened)

        set_hypothesis_home_dir(scratch / "hypothesis")
        try:
            names, left_out = admit_proposers(options, jail)
            outside = agent.warning if agent is not None and AgentProposer.name in names else ""
            warnings = (*limitations(jail, sandbox), *filter(None, (left_out, outside, unkept)))
            python = target.interpreter.python
            tell_all(event("run_started", run=record.id, root=target.root, isolation=jail.kind, python=python))
            for warning in warnings:
                tell_all(event("warning", message=warning))
            for other in store.under_way(record.id, resumed_from):
                tell_all(event("warning", message=f"run {other} is under way in this project too: both take longer"))
            is_asked = not unkept and (recorded is None or recorded.goes_on)
            rejected = rejected_before(options, store, is_asked=is_asked)
            told = add_rejections(read_earlier_attempts(store.directory), rejected)
            earlier = told if recorded is None else recorded.earlier
            remembered = open_memory(options, store, tell_all, is_asked=is_asked)
            near = neighbour_for_model(options, store, remembered, tell_all)
            ask_model = partial(
                make_model_proposer, options, env, tell_all, record.run, recorded, earlier, near, remembered.strategy
            )
            now = sandbox.snapshot.read
            refused = {each.digest for each in rejected}
            again = found_before(options, store, lambda path: now([path]).get(path), refused) if is_asked else ()
            proposers = make_proposers(names, options, tell_all, agent, place, ask_model, remembered.reorder, again)
            for working in (each for each in proposers if isinstance(each, AgentProposer)):
                opened.callback(working.close)
            with contextlib.closing(TrialMemory(store.directory / TRIALS)) as kept:
                memory = kept if options.cache else None
                yield RunContext(
                    options,
                    target,
                    sandbox,
                    record,
                    tell_all,
                    timing,
                    warnings,
                    proposers,
                    store,
                    memory,
                    not unkept,
                    reached,
                    grounds=grounds,
                    earlier=earlier,
                    resumed_from=resumed_from,
                    remembered=remembered,
                    rejected=rejected,
                )
        except TimeIsUp:
            timing.done()
            late = out_of_time()
            record_failure(record, tell_all, target, late)
            raise late from None
        except RepairError as problem:
            timing.done()
            record_failure(record, tell_all, target, problem)
            raise
