"""The target's tests run cold: a fresh copy, a fresh process, a report that has to hold together."""

from __future__ import annotations

import copy
import itertools
import os
import tempfile
import threading
from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from time import sleep
from typing import Any

from analysis.calls import CallInput, PlainAnswer
from analysis.errors import TargetError
from analysis.facts import Files, FunctionId, InvalidRun, Limits, Point, Ran, Recording, TestId, TestRun
from sandbox.bytecode import LateBytecode
from sandbox.deadline import Deadline
from sandbox.jail_protocol import NO_JAIL, Jail, confine
from sandbox.options import drop_covered, pytest_arguments
from sandbox.process import Channel, Command, Finished, channel, killed_by_others, never_began, run
from sandbox.request import PROBE, ColdStarts, Request, probe_command
from sandbox.run_folder import RunFolder, environment, open_place
from sandbox.stray_processes import kill_marked
from sandbox.target import Target
from sandbox.warm import WarmServer, open_warm
from sandbox.warm_answer import WARM, ZYGOTE
from sandbox.warm_queue import server_limits
from sandbox.wire import read_answer, read_ran, read_results, read_run
from sandbox.workspace import Snapshot, remove, take_snapshot

LARGEST_IN_MEMORY = 64 << 20
"""A larger project stays on the disk, where isolation cannot bound what a run writes."""

_QUESTION_SECONDS = 30.0
_PRIVATE = ("/tmp", "/dev/shm")
"""Empty in a jail with namespaces of its own, and gone with it."""

_MOST_STOPS, _STOP_SECONDS = 100, 0.05
"""How often, and after which time, what is under way is looked for when all is to end."""

_OTHER_ENVIRONMENT = {"PYTHONHASHSEED": "4211"}
"""What shows that an answer hangs on hashes; objects have other addresses each time, too."""


class LocalSandbox:
    """Runs one target on this machine. Takes a snapshot of the project when made; ``close`` deletes all of its files.

    Every run happens on a copy of the snapshot, so the project may change meanwhile without harm.
    """

    def __init__(
        self,
        target: Target,
        *,
        limits: Limits | None = None,
        jail: Jail = NO_JAIL,
        scratch: str | None = None,
        selection: Sequence[str] = (),
        jobs: int = 0,
        probe: str = str(PROBE),
    ) -> None:
        """``jobs`` bounds how many trials of a warm server run at a time; 0 for one on each core.

        ``probe`` is the folder that the probe is imported from.
        """
        self.target = target
        self.selection = tuple(TestId(name) for name in selection)
        self.limits = limits or Limits()
        self.jail, self._jobs, self._probe = jail, jobs, probe
        self.deadline = Deadline()
        self.cold_starts, self._purpose = ColdStarts(), ""
        self._lock = threading.Lock()
        self._under_way: set[str] = set()
        self._scratch = Path(os.path.realpath(tempfile.mkdtemp(prefix="s" if scratch else "repair-", dir=scratch)))
        try:
            self.snapshot: Snapshot = take_snapshot(target.root, self._scratch / "m")
            self._large = self.snapshot.bytes() > LARGEST_IN_MEMORY
            self._bytecode = LateBytecode(self.snapshot, target.interpreter, jail, self._scratch / "b")
        except BaseException:  # an interruption too must not leave the copy behind
            self.close()
            raise

    def __enter__(self) -> LocalSandbox:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def for_purpose(self, purpose: str) -> LocalSandbox:
        """This sandbox under a name for what it starts: its cold starts are counted there."""
        named = copy.copy(self)
        named._purpose = purpose
        return named

    def without(self, paths: Collection[str]) -> LocalSandbox:
        """This sandbox on a project that lacks these files."""
        fewer = copy.copy(self)
        fewer.snapshot = replace(
            self.snapshot,
            entries=tuple(entry for entry in self.snapshot.entries if entry.path not in paths),
            digests=tuple((path, digest) for path, digest in self.snapshot.digests if path not in paths),
        )
        return fewer

    def stop(self) -> None:
        """End the runs that are under way in other threads, and let nothing begin any more."""
        self.deadline.end()
        for _ in range(_MOST_STOPS):  # a run that passed the deadline's check may have no process yet
            with self._lock:
                marks = tuple(self._under_way)
            for mark in marks:
                kill_marked(mark)
            if not marks:
                return
            sleep(_STOP_SECONDS)

    def close(self) -> None:
        """Delete every copy."""
        remove(self._scratch)

    def sources(self) -> Files:
        """The project's Python files as they were when the snapshot was taken."""
        return self.snapshot.sources()

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
        """One cold run on a fresh copy with the files laid over it. No tests means the whole selection.

        ``trace`` may name a tracer (``settrace``, ``monitoring``) instead of leaving the choice. Without ``steady`` the
        seed of hashes is another one than in other runs.
        A run that was killed, and not by us, is done once more, and so is one in which nothing of the target began.
        That may have been the machine, not the program.
        """
        bounds = limits or self.limits
        tracer = trace if isinstance(trace, str) else "auto" if trace else ""
        for _ in range(2):
            with self.place(files) as place:
                args = self.arguments(place, drop_covered(tests) or self.selection)
                request = Request("run", place.root, self.target.root, args, trace=tracer, shuffle=shuffle)
                request = replace(request, stuck_seconds=bounds.stuck_seconds)
                finished = self._serve(place, request, bounds, steady=steady)
            if not killed_by_others(finished) and not never_began(finished):
                break
        outcome = read_run(finished, tests, request.nonce)
        return replace(outcome, isolation=self.jail.kind) if isinstance(outcome, TestRun) else outcome

    def record_points(
        self, tests: Sequence[TestId], points: Sequence[Point], files: Files = (), *, limits: Limits | None = None
    ) -> Recording | InvalidRun:
        """Values at the points in one cold run of the tests; no tests means the whole selection.

        At most 10 different sightings of a point in one test and 200 in all are kept.
        """
        asked = tuple((point.path, point.line, point.kind.value, point.names) for point in points)
        for _ in range(2):
            with self.place(files) as place:
                args = self.arguments(place, tests or self.selection)
                request = Request("run", place.root, self.target.root, args, points=asked)
                finished = self._serve(place, request, limits or self.limits)
            if not never_began(finished):
                break
        outcome = read_run(finished, tests, request.nonce, points)
        return outcome if isinstance(outcome, InvalidRun) else Recording(outcome.sightings)

    def warm(
        self,
        tests: Sequence[TestId],
        files: Files = (),
        *,
        limits: Limits | None = None,
        fresh_import: bool = False,
        jobs: int | None = None,
    ) -> WarmServer | InvalidRun:
        """A warm server for these tests on a copy with the files laid over it, where that works.

        With ``fresh_import`` each trial imports the project anew, with its text in the file.
        """
        bounds = limits or self.limits
        tier, stuck = ZYGOTE if fresh_import else WARM, bounds.stuck_seconds
        most = jobs or self._jobs or os.cpu_count() or 1
        places = ExitStack()

        def prepare(ends: Channel) -> Command:
            place = places.enter_context(self.place(files))
            args = self.arguments(place, tests)
            private = _PRIVATE if self.jail.own_processes else ()
            request = Request(tier, place.root, self.target.root, args, private=private, stuck_seconds=stuck)
            return self._walled(place, self._serving(place, request, ends), ends, server_limits(bounds))

        return open_warm(prepare, tests, bounds, most, places.close, tier, self.deadline)

    def call_apart(
        self,
        function: FunctionId,
        calls: Sequence[CallInput],
        files: Files = (),
        *,
        limits: Limits | None = None,
        like_tests: bool = False,
    ) -> tuple[PlainAnswer | None, ...] | InvalidRun:
        """What a function gives to plain arguments in a process of its own, that imports its module and no test.

        The seed of hashes, the folder and the command line are others than the tests'. With ``like_tests`` they, and
        the presence of pytest, are what they are there. ``None`` stands for a call that did not end in time.
        """
        asked = tuple((given.args, given.kwargs) for given in calls)
        for _ in range(2):
            with self.place(files) as place:
                request = Request("apart", place.root, self.target.root, files=(function.path,), calls=asked)
                request = replace(request, subject=function.qualname, like_tests=like_tests)
                finished = self._serve(place, request, limits or self.limits, steady=like_tests)
            if not never_began(finished):
                break
        return read_results(finished, request.nonce, len(calls))

    def compiles(self, files: Files) -> str:
        """Empty when the target's own interpreter compiles every file, else its message."""
        answer = self._answer("compile", files, paths=tuple(path for path, _ in files))
        return answer.detail if isinstance(answer, InvalidRun) else str(answer.get("message", ""))

    def find_importable(self, modules: Sequence[str]) -> tuple[str, ...]:
        """Those of the modules that the target can already import."""
        if not modules:
            return ()
        answer = self._answer("import", modules=tuple(modules))
        found = answer.get("found") if isinstance(answer, dict) else None
        return tuple(m for m in modules if isinstance(found, list) and m in found)

    def _answer(
        self, mode: str, files: Files = (), *, paths: tuple[str, ...] = (), modules: tuple[str, ...] = ()
    ) -> dict[str, Any] | InvalidRun:
        """The answer to a short question about paths or modules of a copy with the files laid over it."""
        limits = replace(self.limits, wall_seconds=min(self.limits.wall_seconds, _QUESTION_SECONDS))
        for _ in range(2):
            with self.place(files) as place:
                request = Request(mode, place.root, self.target.root, files=paths, modules=modules)
                finished = self._serve(place, request, limits)
            if not never_began(finished):
                break
        return read_answer(finished, request.nonce)

    def module(
        self, name: str, args: Sequence[str], files: Files = (), *, limits: Limits | None = None
    ) -> Ran | InvalidRun:
        """Run ``python -m name args`` of the target's environment in a fresh copy with the files laid over it.

        No module of the copy can take its place: it runs with ``-I``.
        """
        return self._ran(("-m", name, *args), files, limits or self.limits)

    def script(self, code: str, args: Sequence[str], *, limits: Limits | None = None) -> Ran | InvalidRun:
        """Run a text of ours with these arguments in the target's environment, in a fresh copy; ``-I``, too."""
        return self._ran(("-c", code, *args), (), limits or self.limits)

    def _ran(self, words: Sequence[str], files: Files, limits: Limits) -> Ran | InvalidRun:
        with self.place(files) as place, channel() as ends:
            argv = (self.target.interpreter.python, "-B", "-I", *words)
            return read_ran(self._finished(self._walled(place, argv, ends, limits), limits, ends))

    @contextmanager
    def place(self, files: Files = ()) -> Iterator[RunFolder]:
        """A fresh place to run in, deleted afterwards.

        It has the lowest number that is free: runs one after another happen at one path, and say the same in messages.
        """
        for number in itertools.count():
            folder = self._scratch / f"r{number}"
            with suppress(FileExistsError):
                folder.mkdir()
                break
        try:
            try:
                opened = open_place(folder, self.snapshot, files, self._bytecode.for_next_place())
            except OSError as problem:
                raise TargetError(f"The copy of the project cannot be made: {problem}", where=str(folder)) from problem
            yield opened
        finally:
            if folder.exists():
                remove(folder)

    def arguments(self, place: RunFolder, tests: Sequence[TestId]) -> tuple[str, ...]:
        """pytest's arguments for these tests in that place."""
        return pytest_arguments(self.target.options, place.root, f"{place.tmp}/c", tests)

    def _serve(self, place: RunFolder, request: Request, limits: Limits, *, steady: bool = True) -> Finished:
        """How the process ended that served the request there; with ``steady`` runs are as like as can be."""
        with channel() as ends:
            command = self._walled(place, self._serving(place, request, ends), ends, limits, steady=steady)
            return self._finished(command, limits, ends)

    def _serving(self, place: RunFolder, request: Request, ends: Channel) -> tuple[str, ...]:
        """Write the request down and give the words that serve it."""
        if request.imports_pytest:
            self.cold_starts.count(self._purpose)
        Path(place.request).write_bytes(request.to_json(ends.report_write, ends.control_read))
        return probe_command(self.target.interpreter.python, place.request, self._probe)

    def _walled(
        self, place: RunFolder, argv: tuple[str, ...], ends: Channel, limits: Limits, *, steady: bool = True
    ) -> Command:
        """The command line in that place, limited and jailed."""
        env = dict(environment(self.target, place)) | ({} if steady else _OTHER_ENVIRONMENT)
        mark = f"HOME={place.home}"
        command = Command(argv, place.root, tuple(sorted(env.items())), mark, self.target.secrets)
        interpreter, root = self.target.interpreter, self.target.root
        paths = (*interpreter.packages, *self.target.path_entries)
        outside = [path for path in paths if path != root and not path.startswith(root + os.sep)]
        made = (self._bytecode.made.folder,) if self._bytecode.made else ()
        return confine(
            command,
            self.jail,
            replace(limits, disk_bytes=0) if self._large else limits,
            ends,
            writable=place.folder,
            readable=(self._probe, *interpreter.readable, *outside, *made),
            steady=steady,
        )

    def _finished(self, command: Command, limits: Limits, ends: Channel) -> Finished:
        """How the command ended; raises ``OutOfTimeError`` where the deadline ended it."""
        with self._lock:
            self._under_way.add(command.mark)
        try:
            self.deadline.check()
            finished = run(command, self.deadline.bound_limits(limits), ends, self.deadline.until)
        finally:
            with self._lock:
                self._under_way.discard(command.mark)
        if finished.stopped is not None:
            self.deadline.check()
        return finished
