"""A sandbox that runs toy projects in this very process: plain functions and plain tests, nothing hostile.

What the engine decides can then be tested on programs instead of tables, without a process.
"""

from __future__ import annotations

import builtins
import linecache
import sys
import types
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import pytest
from fakes.behaviours import differs

from analysis.behaviour import Difference
from analysis.calls import AgainstOld, AgainstRivals, CallInput, Calls, Comparison, PlainAnswer, RecordedCall, Tried
from analysis.courses import Followed, FollowQuery
from analysis.facts import (
    CollectionError,
    Digest,
    Files,
    Frame,
    FunctionId,
    InvalidRun,
    Limits,
    LineMap,
    Outcome,
    Phase,
    Ran,
    RunFault,
    SeenError,
    TestId,
    TestResult,
    TestRun,
)
from analysis.line_counts import WorkReport
from analysis.synthesis import Forced, Query, Settled, WantedValue
from analysis.trials import Trial, TrialOutcome
from repair.records.ports import ProgramQuestions
from repair.trials.cold import cold_outcome, place_trial

Sources = dict[str, bytes]


class Program:
    """The modules of one state of the project, imported when they are asked for."""

    def __init__(self, sources: Sources) -> None:
        self.sources = sources
        self._modules: dict[str, types.ModuleType] = {}

    def module(self, path: str) -> types.ModuleType:
        name = path.removesuffix(".py")
        if name not in self._modules:
            module = types.ModuleType(name)
            module.__dict__["__builtins__"] = {**builtins.__dict__, "__import__": self._import}
            code = compile(self.sources[path], path, "exec", dont_inherit=True)
            self._modules[name] = module
            exec(code, module.__dict__)
        return self._modules[name]

    def _import(self, name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0) -> Any:
        if f"{name}.py" in self.sources:
            return self.module(f"{name}.py")
        return __import__(name, globals, locals, fromlist, level)

    def function(self, function: FunctionId) -> Callable[..., Any]:
        found: Any = self.module(function.path)
        for name in function.qualname.split("."):
            found = getattr(found, name)
        return found  # type: ignore[no-any-return] # what the fixture made


class Lines:
    """Lines of the project that are executed while it is active."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._paths = frozenset(paths)
        self.seen: dict[str, set[int]] = {}

    def __enter__(self) -> Lines:
        self._before = sys.gettrace()
        sys.settrace(self._trace)
        return self

    def __exit__(self, *_: object) -> None:
        sys.settrace(self._before)

    def _trace(self, frame: types.FrameType, event: str, _: Any) -> Any:
        path = frame.f_code.co_filename
        if path not in self._paths:
            return None
        if event == "line":
            self.seen.setdefault(path, set()).add(frame.f_lineno)
        return self._trace


class ToySandbox:
    """Conforms to ``Sandbox``. Tests are functions named ``test_*`` in modules named ``test_*``."""

    def __init__(self, sources: Files) -> None:
        self._sources = sources
        self.runs = 0
        self.open = 0

    def for_purpose(self, purpose: str) -> ToySandbox:
        return self

    def run(
        self,
        tests: Sequence[TestId],
        files: Files = (),
        *,
        limits: Limits | None = None,
        trace: bool | str = False,
        shuffle: int | None = None,
        steady: bool = True,
    ) -> TestRun | InvalidRun:
        self.runs += 1
        program = Program({**dict(self._sources), **dict(files)})
        found, errors, imported = _collected(program, traced=bool(trace))
        chosen = [t for t in found if not tests or any(t == n or t.startswith(f"{n}::") for n in tests)]
        errors = [e for e in errors if not tests or any(n.split("::")[0] == e.node for n in tests)]
        broken = {error.node for error in errors}
        missing = [n for n in tests if n.split("::")[0] not in broken and not any(t.startswith(n) for t in chosen)]
        if missing:
            return InvalidRun(RunFault.NO_SUCH_TEST, f"pytest finds no such test: {missing[0]}")
        results, lines = [], []
        for test in chosen if shuffle is None else reversed(chosen):
            with Lines(program.sources if trace else ()) as seen:
                results.append(_result(test, found[test]))
            lines.append((TestId(test), tuple((p, frozenset(n)) for p, n in sorted(seen.seen.items()))))
        status = int(bool(errors) or any(r.outcome is not Outcome.PASSED for r in results))
        line_map: LineMap = tuple(sorted(lines)) if trace else ()
        return TestRun(
            tuple(results), tuple(errors), status, 0.01, line_map, isolation="toy", collected_lines=tuple(imported)
        )

    def warm(
        self,
        tests: Sequence[TestId],
        files: Files = (),
        *,
        limits: Limits | None = None,
        fresh_import: bool = False,
    ) -> ToySession:
        self.open += 1
        return ToySession(self, tuple(tests), tuple(sorted({**dict(self._sources), **dict(files)}.items())))

    def call_apart(
        self,
        function: FunctionId,
        calls: Sequence[CallInput],
        files: Files = (),
        *,
        limits: Limits | None = None,
        like_tests: bool = False,
    ) -> tuple[PlainAnswer | None, ...] | InvalidRun:
        return InvalidRun(RunFault.INCONSISTENT, "toys are not called by themselves")

    def compiles(self, files: Files) -> str:
        for path, content in files:
            try:
                compile(content, path, "exec", dont_inherit=True)
            except SyntaxError as problem:
                return str(problem)
        return ""

    def find_importable(self, modules: Sequence[str]) -> tuple[str, ...]:
        return tuple(modules)

    def module(
        self, name: str, args: Sequence[str], files: Files = (), *, limits: Limits | None = None
    ) -> Ran | InvalidRun:
        return InvalidRun(RunFault.NO_INTERPRETER, "no program runs here")

    def sources(self) -> Files:
        return tuple((path, text) for path, text in self._sources if path.endswith(".py"))

    def close(self) -> None:
        return None


class ToySession:
    """Conforms to ``TrialSession``: every trial is a run."""

    def __init__(self, sandbox: ToySandbox, tests: tuple[TestId, ...], sources: Files) -> None:
        self._sandbox = sandbox
        self._tests = tests
        self._sources = sources

    def hindrance(self, function: FunctionId) -> str:
        return ""

    def find_unfit_tests(self, function: FunctionId) -> tuple[TestId, ...]:
        return ()

    def trials(self, trials: Iterable[Trial]) -> Iterator[TrialOutcome]:
        for trial in trials:
            asked = trial.only or self._tests
            run = self._sandbox.run(asked, self._with(trial))
            yield cold_outcome(trial, run, asked)

    def _with(self, trial: Trial) -> Files:
        return tuple(sorted({**dict(self._sources), **dict(place_trial(self._sources, trial))}.items()))

    def questions_about(self, function: FunctionId) -> ProgramQuestions:
        return self

    def record(self, function: FunctionId, most: int, text: bytes = b"") -> Calls:
        calls: dict[CallInput, RecordedCall] = {}
        for test in (test for test in self._tests if "::" in test):
            program = Program(dict(self._sources))
            wanted = program.function(function).__code__

            def listen(frame: types.FrameType, event: str, _: Any, wanted: Any = wanted, test: TestId = test) -> None:
                if event == "call" and frame.f_code is wanted:
                    args = tuple(frame.f_locals[name] for name in wanted.co_varnames[: wanted.co_argcount])
                    given = CallInput(repr(args), "{}")
                    calls.setdefault(given, RecordedCall(test, given, plain=True))

            before = sys.getprofile()
            sys.setprofile(listen)
            try:
                _result(test, _collected(program)[0][test])
            finally:
                sys.setprofile(before)
        return Calls(tuple(calls.values())[:most], len(calls) <= most)

    def force(self, ask: Query) -> Callable[[], Forced]:
        return Forced

    def settle(self, ask: Query, wanted: Sequence[WantedValue], *, record: bool) -> Callable[[], Settled]:
        return Settled

    def follow(self, ask: FollowQuery) -> Followed:
        return Followed()

    def work(self, mine: Trial, old: Trial, effort: int = 1) -> WorkReport:
        return WorkReport()

    def compare(
        self,
        mine: Trial,
        rivals: Sequence[Trial],
        inputs: Sequence[CallInput],
        old: Trial,
        changed_lines: Sequence[int],
        *,
        looser: bool = False,
        against_old: bool = True,
        ends: bool = False,
        asked: Sequence[TestId] = (),
    ) -> Comparison:
        every = [*(call.input for call in self.record(mine.function, 40).seen), *inputs]
        programs = [*([old] if against_old else []), *rivals]
        functions = {trial.digest: self._function(trial) for trial in (mine, old, *rivals)}
        found: dict[Digest, Difference] = {}
        touching = 0
        for given in every:
            expected = _outcome(functions[mine.digest], given)
            reached = _reaches(functions[old.digest], given, old.function.path, changed_lines)
            touching += reached
            for rival in programs:
                other = _outcome(functions[rival.digest], given)
                if other != expected and (rival.digest not in found or found[rival.digest].reached):
                    text = f"{mine.function.qualname}{given.args}"
                    found[rival.digest] = differs(text, expected, other, reached=reached)
        first = found.pop(old.digest, None)
        return Comparison(Tried(len(every), touching=touching), AgainstOld(first), AgainstRivals(tuple(found.items())))

    def _function(self, trial: Trial) -> Callable[..., Any]:
        try:
            return Program(dict(self._with(trial))).function(trial.function)
        except Exception as problem:  # noqa: BLE001  a program that cannot be imported gives this to every call
            found = problem

        def unable(*_: Any) -> Any:
            raise found

        return unable

    def digest_leftovers(self) -> str:
        return "nothing"

    def close(self) -> None:
        self._sandbox.open -= 1


def _outcome(function: Callable[..., Any], given: CallInput) -> str:
    try:
        return f"returns {function(*eval(given.args))!r}"
    except Exception as problem:  # noqa: BLE001  whatever the toy raises is its outcome
        return f"raises {type(problem).__name__}({str(problem)!r})"


def _reaches(function: Callable[..., Any], given: CallInput, path: str, lines: Sequence[int]) -> bool:
    with Lines([path]) as seen:
        _outcome(function, given)
    return not seen.seen.get(path, set()).isdisjoint(lines)


def _collected(
    program: Program, *, traced: bool = False
) -> tuple[dict[str, Callable[[], None]], list[CollectionError], list[tuple[TestId, Any]]]:
    found: dict[str, Callable[[], None]] = {}
    errors: list[CollectionError] = []
    imported = []
    for path in sorted(program.sources):
        if path.startswith("test_") and path.endswith(".py"):
            seen = Lines(program.sources if traced else ())
            imported.append((TestId(path), seen))
            try:
                with seen:
                    names = program.module(path).__dict__
            except Exception as problem:  # noqa: BLE001  as pytest does with a module that cannot be imported
                errors.append(CollectionError(path, (_raised(problem),), str(problem)))
                continue
            found |= {f"{path}::{n}": each for n, each in names.items() if n.startswith("test_") and callable(each)}
    lines = [(path, tuple((p, frozenset(n)) for p, n in sorted(each.seen.items()))) for path, each in imported]
    return found, errors, [(path, files) for path, files in lines if files]


def _result(test: str, function: Callable[[], None]) -> TestResult:
    try:
        function()
    except (Exception, pytest.fail.Exception) as problem:  # noqa: BLE001  as pytest does
        return TestResult(TestId(test), Outcome.FAILED, Phase.CALL, 0.001, (_raised(problem),), str(problem))
    return TestResult(TestId(test), Outcome.PASSED, Phase.CALL, 0.001)


def _raised(problem: BaseException) -> SeenError:
    frames = []
    trace = problem.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        if not code.co_filename.startswith(("/", "<")):
            frames.append(
                Frame(
                    code.co_filename, True, trace.tb_lineno, None, None, None, code.co_qualname, code.co_name,
                    code.co_firstlineno,
                )
            )  # fmt: skip
        trace = trace.tb_next
    linecache.checkcache()
    bases = tuple(base.__name__ for base in type(problem).__mro__)
    return SeenError(type(problem).__name__, bases, str(problem), tuple(frames))
