"""``repair hook``: a host asks when its agent wants to stop, and the judge answers within the time that hosts give.

A hook never fails loudly. What it cannot read, or is not asked to judge, is answered by ``{}``: the agent stops. Exit
statuses say nothing, since each host takes them in another way. What was asked once of a change is not asked again, so
an agent can always end its turn.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import filelock

from analysis.errors import UsageError
from repair.agents.dialects import HookEvent, Said
from repair.agents.first_sight import FirstSight, change_of_session, count_turn, load_sight, save_sight, see
from repair.agents.hook_words import LATE, Told, words_of
from repair.client import EngineError, EngineTimeout, start
from repair.front.changes import answer_unchanged
from repair.records.change import Change
from repair.records.hook_variables import MODE, SECONDS
from repair.store.atomic import replace_file, sha256
from repair.store.git import commit_named
from repair.store.rested import read_rested
from repair.store.state import state_folder
from transforms.patch.diff import as_bytes, unified_diff

DEADLINE_SECONDS = 25.0
"""A hook's whole time. The shortest limit of a host is 30 s, and not every host says its own."""

MODES = ("off", "tell", "ask")

LEAST_SECONDS = 5.0
"""With less time left nothing is judged."""

ENDING_SECONDS = 2.5
"""What an engine may take to end after its time, and a process to start."""

MOST_TURNS = 4
"""So often an agent is sent back to work in one session; from then on its person is told."""

MOST_JUDGED = 500
"""Changes that were judged are remembered, the newest."""

MOST_LOOKED_AT = 20_000
"""Entries of a project among which tests are looked for."""

MOST_OF_OTHERS = 1 << 20
"""Bytes of a changed file that is no Python. To compare larger ones may take longer than a hook has."""

_PASSED_OVER = ("node_modules", "site-packages", "__pycache__")


@dataclass(frozen=True, slots=True)
class HookAnswer:
    """What the host is told, as its JSON; ``wakes`` is what a hook in the background wakes its agent with."""

    said: Said = field(default_factory=dict)
    wakes: str = ""


NOTHING = HookAnswer()

Judge = Callable[[str, float], Told | None]
"""What is to be said of a diff by a deadline; ``None`` for nothing."""


def begin_session(event: HookEvent, root: Path) -> HookAnswer:
    """Remember the tree as a session finds it, once."""
    folder = _folder(root)
    if load_sight(folder, event.session) is None:
        with contextlib.suppress(UsageError):  # no repository: what it changes cannot be told
            save_sight(folder, event.session, see(root))
    return NOTHING


def end_turn(
    event: HookEvent, root: Path, env: Mapping[str, str], started: float, judge: Judge | None = None
) -> HookAnswer:
    """Judge what the session has changed, and say what its agent or its person has to know.

    ``started`` is when the hook was called, on the monotonic clock. The environment says how it works (``MODE``), and
    how long (``SECONDS``). ``judge`` stands in for the engine.
    """
    mode = env.get(MODE) or "ask"
    if mode not in MODES:
        raise UsageError(f"{MODE} is {mode!r}", remedy=f"Say {', '.join(MODES)}.")
    if mode == "off" or not _has_tests(root):
        return NOTHING
    folder = _folder(root)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    lock = filelock.FileLock(folder / "hook.lock")
    try:
        with lock.acquire(timeout=0):
            judge = judge or EngineJudge(root, env, folder.parent)
            return _judge_once(event, root, folder, _deadline(env, started), mode, judge)
    except filelock.Timeout:  # another hook is at work here
        return NOTHING


def _judge_once(event: HookEvent, root: Path, folder: Path, deadline: float, mode: str, judge: Judge) -> HookAnswer:
    try:
        sight = load_sight(folder, event.session) or _sight_of_last_commit(root, folder, event.session)
        change = change_of_session(root, sight)
    except UsageError as problem:
        return _tell_once(event, folder, f"repair: not judged: {problem.found}")
    if not any(path.endswith(".py") for path, _ in (*change.before, *change.after)):
        return NOTHING
    diff = _diff_of(change)
    judged = _Judged(folder)
    digest = sha256(as_bytes(diff))
    if digest in judged or answer_unchanged(str(root), change, None) is not None:
        return NOTHING
    told = judge(diff, deadline)
    if told is not None and not told.judged:
        return _tell_once(event, folder, told.text)
    goes_on = told is not None and told.goes_on and mode != "tell" and sight.turns < MOST_TURNS
    try:
        judged.add(digest)
        if goes_on:
            count_turn(folder, event.session, sight)
    except OSError:  # what cannot be remembered would send the agent back for ever
        goes_on = False
    if told is None:
        return NOTHING
    if not goes_on:
        return HookAnswer(event.dialect.tell(told.text))
    return HookAnswer(event.dialect.go_on(told.text), wakes=told.text)


@dataclass(frozen=True, slots=True)
class EngineJudge:
    """`repair check` in a process of its own. ``store`` is the folder of the project's records."""

    root: Path
    env: Mapping[str, str]
    store: Path

    def __call__(self, diff: str, deadline: float) -> Told | None:
        """The verdict on the diff in words, by the deadline on the monotonic clock; else that there is none."""
        left = deadline - time.monotonic()
        if left < LEAST_SECONDS:
            return Told(f"repair: not judged: {left:.0f} s are left of the hook's time", goes_on=False, judged=False)
        try:
            run = start(
                "check",
                ("-",),
                root=self.root,
                stdin=as_bytes(diff),
                env=dict(self.env),
                timeout=left - ENDING_SECONDS / 2,
                grace=ENDING_SECONDS / 4,
                max_seconds=round(max(1.0, left - 2 * ENDING_SECONDS), 1),
            )
            return words_of(run.result(), read_rested(self.store))
        except EngineTimeout:
            return LATE
        except EngineError as problem:
            return Told(f"repair: not judged: {problem}", goes_on=False, judged=False)


def _deadline(env: Mapping[str, str], started: float) -> float:
    """When the hook ends, on the monotonic clock."""
    try:
        seconds = float(env.get(SECONDS, ""))
    except ValueError:
        seconds = DEADLINE_SECONDS
    return started + (seconds if 0 < seconds < 86_400 else DEADLINE_SECONDS)


def _sight_of_last_commit(root: Path, folder: Path, session: str) -> FirstSight:
    """The first sight of a session whose start nobody told of: the last commit, kept from now on."""
    sight = FirstSight(commit_named(root, "HEAD"), {}, {})
    save_sight(folder, session, sight)
    return sight


def _diff_of(change: Change) -> str:
    """The change as a diff. Without large files that are no Python: they stay as they are in both programs."""
    old, new = dict(change.before), dict(change.after)
    paths = [path for path in sorted({*old, *new}) if path.endswith(".py") or _size(path, old, new) <= MOST_OF_OTHERS]
    return "".join(unified_diff(path, old.get(path), new.get(path)) for path in paths)


def _size(path: str, *sides: Mapping[str, bytes]) -> int:
    return max(len(side.get(path, b"")) for side in sides)


def _tell_once(event: HookEvent, folder: Path, sentence: str) -> HookAnswer:
    """Tell the person, once in a session."""
    judged = _Judged(folder)
    name = sha256(f"{event.session}\0{sentence}".encode("utf-8", "surrogatepass"))
    if name in judged:
        return NOTHING
    judged.add(name)
    return HookAnswer(event.dialect.tell(sentence))


class _Judged:
    """The digests of what was judged or said, in one file: the newest of all sessions of a project."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "judged.json"
        self._digests: list[str] = []
        with contextlib.suppress(OSError, ValueError, TypeError):  # no memory: a change may be judged twice
            self._digests = [str(each) for each in json.loads(self._path.read_bytes())]

    def __contains__(self, digest: str) -> bool:
        return digest in self._digests

    def add(self, digest: str) -> None:
        self._digests = [*self._digests, digest][-MOST_JUDGED:]
        replace_file(self._path, json.dumps(self._digests).encode())


def _folder(root: Path) -> Path:
    """Where the hooks of a project keep what they remember: with its records, outside of the project."""
    return state_folder(root) / "hooks"


def _has_tests(root: Path) -> bool:
    """Whether a file or a folder is named as tests are."""
    return any("test" in name.lower() for name in _names_below(root))


def _names_below(root: Path) -> Iterator[str]:
    """Folders that may hold tests and Python files, the nearest first, up to a bound."""
    waiting, seen = [root], 0
    while waiting and seen < MOST_LOOKED_AT:
        folder = waiting.pop(0)
        with contextlib.suppress(OSError), os.scandir(folder) as listed:
            for entry in listed:
                seen += 1
                if entry.is_dir(follow_symlinks=False):
                    if entry.name.startswith(".") or entry.name in _PASSED_OVER or Path(entry, "pyvenv.cfg").exists():
                        continue
                    waiting.append(Path(entry))
                    yield entry.name
                elif entry.name.endswith(".py"):
                    yield entry.name
