"""One opened run: its sandbox, its record, its engine. The only place where concrete parts are named and joined."""

from __future__ import annotations

import contextlib
import datetime
import itertools
import json
import os
import secrets
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from hypothesis.configuration import set_hypothesis_home_dir

from analysis.checkers import SETTINGS
from analysis.errors import ConflictError, OutOfTimeError, RepairError, TargetError, UsageError
from analysis.facts import InvalidRun, Limits, Outcome, TestId, TestRun
from repair.compare.answers import FORMS, PersonsAnswer, answer_file, answered_ids, read_answer
from repair.compare.examples import ExampleRun
from repair.compare.patched_server import PatchedServer
from repair.engine.engine import Engine
from repair.engine.judging import Timed
from repair.engine.reached import Reached
from repair.front.opening import ENGINE_PACKAGES, limitations, sandbox_of, target_of, versions_of
from repair.front.order import order_named
from repair.front.ruff import Ruff, find_ruff
from repair.front.trust import admitted, refuse_stranger
from repair.gates.behaviour import Behaviour
from repair.gates.capability import Capability
from repair.gates.controls import Controls
from repair.gates.cost import Costs
from repair.gates.coverage import Coverage
from repair.gates.fixes import Fixes
from repair.gates.mutation import Mutation
from repair.gates.regressions import Regressions
from repair.gates.shape import Shape
from repair.gates.stability import Stability
from repair.gates.static import Static
from repair.gates.test_quality import TestQuality
from repair.gates.types import Types
from repair.hunt.search_loop import EngineParts
from repair.observe.patched import PatchedRun
from repair.proposers.backend import Backend, ModelLimits, Prices
from repair.proposers.kept import KeptReplies
from repair.proposers.model import ModelProposer
from repair.proposers.scripted import ScriptedProposer
from repair.proposers.search import SearchProposer
from repair.proposers.synthesis import SynthesisProposer
from repair.records.config import Options, api_key
from repair.records.events import Event, Listener, event
from repair.records.outcome import RunOutcome
from repair.records.ports import Gate, Proposer, Sandbox
from repair.records.result import Cost, Result, Status
from repair.records.task import Budget, RepairTask
from repair.records.verdict import CORE_GATES, EXTRA_GATES
from repair.show.publish import Setting, result_of
from repair.store.certificate import certificate
from repair.store.run_record import RunRecord
from repair.store.scratch import scratch_folder
from repair.store.store import RunStore, open_store
from repair.trials.environment_digest import world
from repair.trials.layered import LayeredSandbox
from repair.trials.remembered import Remembering
from repair.trials.run_time import RunTime, TimeIsUp
from repair.trials.trial_memory import TrialMemory
from sandbox.deadline import out_of_time
from sandbox.sandbox import LocalSandbox
from sandbox.target import Target

LEAST_TEST_SECONDS = 5.0
"""What a single test gets, where there is time for it."""

TEST_SHARE, MOST_TEST_SHARE = 1 / 12, 1 / 6
"""The part of the time for all that a single test gets, and how much of it at most: it is run several times."""

TRIALS = "trials.sqlite"
LASTFAILED = Path(".pytest_cache/v/cache/lastfailed")


@dataclass(frozen=True, slots=True)
class RunContext:
    """What one run works with, and how it is written down."""

    options: Options
    target: Target
    sandbox: LocalSandbox
    record: RunRecord
    listen: Listener
    started: float
    warnings: tuple[str, ...]
    proposers: tuple[Proposer, ...]
    key: bytes
    memory: TrialMemory | None = None
    is_kept: bool = True
    """Whether later commands find the run."""
    done: Callable[[], None] = lambda: None
    """Is called when the answer is made: from then on nothing is broken off."""
    reached: Reached = field(default_factory=Reached)

    def engine(self, sandbox: Sandbox) -> Engine:
        """An engine over this sandbox (or one layered on it)."""
        limits = limits_of(self.options.max_seconds)
        parts = EngineParts(
            sandbox=self._remembering(sandbox),
            proposers=self.proposers,
            limits=limits,
            clock=time.monotonic,
            listen=self.listen,
            jobs=self.options.jobs or os.cpu_count() or 1,
            seed=self.options.seed,
            description=self.options.task,
            module_imports=self.options.allow_module_imports,
        )
        server = PatchedServer(sandbox, limits, keep=True)
        gates = tuple(Timed(gate, self.sandbox.deadline) for gate in self.gates(sandbox, server))
        return Engine(
            parts,
            gates,
            sandbox.sources(),
            limits,
            required=self.required,
            deadline=self.sandbox.deadline,
            stop=self.sandbox.stop,
            release=server.close,
            reached=self.reached,
        )

    def in_time(self, work: Callable[[], RunOutcome]) -> RunOutcome:
        """What the work comes to; where the time of the run is up before, what it has reached by then."""
        ending: RunOutcome | None = None
        self.sandbox.deadline.end_at(self.started + self.options.max_seconds)
        try:
            ending = work()
            self.done()
        except (TimeIsUp, OutOfTimeError):
            self.done()
        return self.reached.ending() if ending is None else ending

    @property
    def seconds_left(self) -> float:
        """What is left of the time of the run."""
        return self.started + self.options.max_seconds - time.monotonic()

    def answered(self, base: Sandbox, tests: Sequence[TestId]) -> tuple[Sandbox, tuple[TestId, ...]]:
        """The sandbox with a person's answers as tests in it, and those of them that fail without a patch."""
        answers = self._answers()
        if not answers:
            return base, ()
        path, content = answer_file(answers, base.sources(), tests or self.options.tests)
        layered = LayeredSandbox(base, ((path, content),))
        run = layered.run([TestId(path)], limits=limits_of(self.options.max_seconds))
        ids = answered_ids(path, answers)
        found = [run.outcome(test) for test in ids] if isinstance(run, TestRun) else []
        for answer, outcome in itertools.zip_longest(answers, found):
            if outcome not in (Outcome.PASSED, Outcome.FAILED):
                said = run.detail if isinstance(run, InvalidRun) else "its test was not collected"
                raise UsageError(f"The answer {str(answer)!r} cannot be tried: {said}", where="--answer", remedy=FORMS)
        return layered, tuple(test for test, outcome in zip(ids, found, strict=True) if outcome is Outcome.FAILED)

    def _answers(self) -> tuple[PersonsAnswer, ...]:
        return tuple(dict.fromkeys(map(read_answer, self.options.answers)))

    def _remembering(self, sandbox: Sandbox) -> Sandbox:
        """The sandbox for hunts: it does not run what it knows. Gates have the plain one."""
        if self.memory is None or sandbox is not self.sandbox:
            return sandbox
        kind, engine = self.sandbox.jail.kind, version(ENGINE_PACKAGES[0])
        seen = world(self.target, self.sandbox.snapshot, kind, engine, self.key)
        return LayeredSandbox(sandbox, (), Remembering(self.memory, seen))

    @property
    def strict(self) -> bool:
        """Whether more is asked than of every patch."""
        return self.options.gates == "strict"

    @property
    def required(self) -> tuple[str, ...]:
        """The gates without whose acceptance nothing is certified."""
        return (*CORE_GATES, *EXTRA_GATES) if self.strict else CORE_GATES

    def gates(self, sandbox: Sandbox, server: PatchedServer) -> tuple[Gate, ...]:
        """All gates in order of cost; ``strict`` asks for more of them, and for more runs, mutants and inputs."""
        limits, seed = limits_of(self.options.max_seconds), self.options.seed
        effort = 3 if self.strict else 1
        patched, documented = PatchedRun(sandbox, limits), ExampleRun(sandbox, limits)
        ruff = find_ruff(self.target.root, os.environ.get("PATH", ""))
        static = Static(Ruff(ruff, self.target.interpreter.version))
        core: tuple[Gate, ...] = (
            Shape(),
            Capability(),
            TestQuality(patched),
            *((static,) if ruff or self.strict else ()),
            Fixes(sandbox, limits),
            Regressions(sandbox, limits, documented),
            Controls(sandbox, limits),
            Coverage(patched),
            Stability(sandbox, limits, seed, runs=2 * effort),
            Mutation(server, seed, effort, patched, documented),
            Behaviour(sandbox, limits, server, seed, effort, documented),
        )
        types = (Types(sandbox, self.sandbox.snapshot.read(SETTINGS), limits),) if self.strict else ()
        return (*core, *types, Costs(server, effort))

    def refuse_stranger(self, what: str) -> None:
        """Raise where code from elsewhere would run unconfined."""
        refuse_stranger(self.options, self.sandbox.jail, what)

    def cost(self) -> Cost:
        """What the model has cost so far."""
        return next((p.cost for p in self.proposers if isinstance(p, ModelProposer)), Cost())

    def task(self, tests: Sequence[str]) -> RepairTask:
        """What is asked of the engine."""
        named = tuple(TestId(test) for test in dict.fromkeys(tests))
        wanted = named or (last_failed(Path(self.options.root)) if self.options.lf else ())
        seconds = max(0.0, self.seconds_left)  # opening the run was a part of it
        budget = Budget(seconds, self.options.max_candidates, self.options.max_cost)
        return RepairTask(
            self.options.root,
            wanted,
            self.options.function,
            self.options.task,
            self.options.seed,
            budget,
            self.options.alternatives,
        )

    def finish(self, ending: RunOutcome) -> Result:
        """Write the run down and give the result."""
        forgotten = tuple(self.memory.warnings) if self.memory else ()
        for warning in forgotten:
            self.listen(event("warning", message=warning))
        stale = self.sandbox.snapshot.stale_files()
        if stale:
            raise ConflictError(
                f"{stale[0]} changed while the run was under way", remedy="Nothing was written. Run again."
            )
        setting = Setting(
            run=self.record.id,
            root=self.options.root,
            versions=versions_of(self.target),
            seed=self.options.seed,
            isolation=self.sandbox.jail.kind,
            warnings=(*self.warnings, *forgotten),
            cost=self.cost(),
            isolation_opens=self.sandbox.jail.opens,
            answers=tuple(map(str, self._answers())),
        )
        result = result_of(ending, setting, time.monotonic() - self.started)
        if not self.is_kept:
            result = replace(result, next_action="")
        try:
            self._record(ending, setting, result)
        except OSError as problem:  # a full disk loses the record and not the answer
            said = f"the run could not be recorded, and cannot be applied later: {problem.strerror}"
            result = replace(result, warnings=(*result.warnings, said), next_action="")
        self.listen(event("finished", status=str(result.status)))
        return result

    def _record(self, ending: RunOutcome, setting: Setting, result: Result) -> None:
        for judged in ending.judged:
            candidate = judged.submission.candidate
            self.record.save_candidate(candidate.digest, candidate.diff, candidate.files)
        if ending.judged:
            self._certify(ending, setting)
        self.record.save_result(result)

    def _certify(self, ending: RunOutcome, setting: Setting) -> None:
        """Write the certificate of the answer: of one candidate, or of all functions of a checked change."""
        judged, change = ending.judged if ending.change else ending.judged[:1], ending.files()
        for _, content in (*change.before, *change.after):
            self.record.run.save_content(content)
        status = ending.status.value
        self.record.save_certificate(
            certificate(
                judged,
                status,
                change,
                setting.versions,
                setting.seed,
                setting.isolation,
                self._target_settings(),
                setting.isolation_opens,
            )
        )

    def _target_settings(self) -> dict[str, Any]:
        """What a replay has to know to run the same tests in the same way. Names of variables only, never values."""
        options = self.options
        return {
            "python": self.target.interpreter.python,
            "isolation_image": options.isolation_image,
            "tests": list(options.tests),
            "pytest_args": list(options.pytest_args),
            "pass_env": list(options.pass_env),
            "gates": options.gates,
            "answers": list(map(str, self._answers())),
        }


def limits_of(max_seconds: float) -> Limits:
    """Bounds on one run of tests: neither a suite nor a test that hangs may use up the time for the whole."""
    usual = Limits()
    test = min(max(LEAST_TEST_SECONDS, TEST_SHARE * max_seconds), MOST_TEST_SHARE * max_seconds)
    return replace(
        usual,
        wall_seconds=min(usual.wall_seconds, max_seconds),
        test_seconds=min(usual.test_seconds, test),
    )


@contextlib.contextmanager
def opened(
    options: Options, listen: Listener, env: Mapping[str, str], timing: RunTime | None = None
) -> Iterator[RunContext]:
    """A workshop that is cleaned up whatever happens; its record stays. Its time counts from the call, or as given."""
    timing = timing or RunTime(time.monotonic())
    reached = Reached()
    target, jail = target_of(options, env)
    with scratch_folder() as scratch, contextlib.ExitStack() as recording:
        store, record, unkept = _new_run(options, target.root, scratch)
        recording.enter_context(contextlib.closing(record))
        both = _each(record.append, reached.hear, listen)
        set_hypothesis_home_dir(scratch / "hypothesis")
        try:
            with sandbox_of(options, target, jail, scratch) as sandbox:
                names, left_out = admitted(options, jail)
                warnings = (*limitations(jail, sandbox), *filter(None, (left_out, unkept)))
                python = target.interpreter.python
                both(event("run_started", run=record.id, root=target.root, isolation=jail.kind, python=python))
                for warning in warnings:
                    both(event("warning", message=warning))
                proposers = proposers_of(names, options, env, both)
                with contextlib.closing(TrialMemory(store.directory / TRIALS)) as kept:
                    memory = kept if options.cache else None
                    yield RunContext(
                        options,
                        target,
                        sandbox,
                        record,
                        both,
                        timing.started,
                        warnings,
                        proposers,
                        store.key,
                        memory,
                        not unkept,
                        timing.done,
                        reached,
                    )
        except TimeIsUp:
            timing.done()
            late = out_of_time()
            _failed(record, both, target, late)
            raise late from None
        except RepairError as problem:
            timing.done()
            _failed(record, both, target, problem)
            raise


def _new_run(options: Options, root: str, scratch: Path) -> tuple[RunStore, RunRecord, str]:
    """The run and where it is recorded; where nothing can be kept, a place for this run alone, and a warning."""
    now = datetime.datetime.now(datetime.UTC)
    suffix = f"{now.microsecond:05x}{secrets.token_hex(1)}"
    try:
        store = open_store(root, options.state_dir)
        unkept = "" if store.is_kept else "your key cannot be kept, so later commands take this run for foreign"
        return store, store.new_run(now, suffix, time.monotonic), unkept
    except (TargetError, OSError) as problem:
        store = open_store(root, str(scratch / "state"))
        said = f"this run is not kept, and cannot be applied later: {problem}"
        return store, store.new_run(now, suffix, time.monotonic), said


def _failed(record: RunRecord, listen: Listener, target: Target, problem: RepairError) -> None:
    """Write down that the run has no answer."""
    listen(event("failed", status=problem.status, message=str(problem)))
    with contextlib.suppress(OSError):  # a full disk must not hide what went wrong
        record.save_result(Result(Status(problem.status), record.id, target.root, messages=(str(problem),)))


def proposers_of(
    names: Sequence[str], options: Options, env: Mapping[str, str], listen: Listener
) -> tuple[Proposer, ...]:
    """The proposers of these names, in their order."""
    made: dict[str, Callable[[], tuple[Proposer, ...]]] = {
        "search": lambda: (SearchProposer(order_named(options.order, Path(options.root))), SynthesisProposer()),
        "model": lambda: (_model(options, env, listen),),
        "scripted": lambda: (ScriptedProposer(_script(Path(options.script))),),
    }
    return tuple(proposer for name in names for proposer in made[name]())


def _model(options: Options, env: Mapping[str, str], listen: Listener) -> ModelProposer:
    prices = None
    if options.input_price is not None and options.output_price is not None:
        prices = Prices(options.input_price, options.output_price)

    def tell(model: str, host: str) -> None:
        listen(event("asking", model=model, host=host))

    def endpoint() -> Backend:
        # The SDK takes longer to import than all of the rest: only who asks a model waits for it.
        from repair.proposers.endpoint import Endpoint  # noqa: PLC0415

        return Endpoint(options.model, options.base_url, api_key(env), tell=tell)

    if options.replies:
        asked = (options.model, options.base_url, str(options.seed))
        backend: Backend = KeptReplies(endpoint, Path(options.replies), asked)
    else:
        backend = endpoint()
    return ModelProposer(backend, time.sleep, ModelLimits(usd=options.max_cost, prices=prices))


def _script(path: Path) -> list[tuple[str, str, str]]:
    """The edits of a file: a JSON list of [kind, target, replacement]."""
    try:
        listed = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError) as problem:
        raise UsageError(f"The script cannot be read: {problem}", where=str(path)) from problem
    if not isinstance(listed, list) or not all(
        isinstance(edit, list) and len(edit) == 3 and all(isinstance(text, str) for text in edit) for edit in listed
    ):
        raise UsageError(
            "The script is no list of edits", where=str(path), remedy='Write [["update", "old text", "new text"], …].'
        )
    return [(kind, target, replacement) for kind, target, replacement in listed]


def last_failed(root: Path) -> tuple[TestId, ...]:
    """The tests of pytest's last-failed list."""
    path = root / LASTFAILED
    try:
        listed = json.loads(path.read_bytes())
    except FileNotFoundError as problem:
        raise UsageError(
            "There is no last-failed list", where=str(path), remedy="Run pytest once, or give node ids."
        ) from problem
    except (OSError, ValueError, RecursionError) as problem:
        why = problem.strerror if isinstance(problem, OSError) else problem
        raise UsageError(
            f"The last-failed list cannot be read: {why}", where=str(path), remedy="Run pytest once, or give node ids."
        ) from problem
    if not isinstance(listed, dict) or not listed:
        raise UsageError("The last-failed list is empty", where=str(path), remedy="Give node ids, or none for all.")
    return tuple(TestId(str(name)) for name in listed)


def _each(*listeners: Listener) -> Listener:
    def listen(happened: Event) -> None:
        for each in listeners:
            each(happened)

    return listen
