"""What a verdict rests on, as one keyed digest: where it is the same, the recorded verdict may be given again.

The digest sees

- what is asked: the command, the change, the tests, the answers, and every option that is not about output alone;
- each file, folder and link of the project as the sandbox copied it, by content;
- the target's interpreter, its options, its variables by value, and each file on its import path by size and times;
- the judge: its own code and weights by content, its libraries and its Python by version, the Ruff that it calls;
- the kind of walls, and the machine's kernel.

It does not see the system's own programs and libraries, nor the clock: a verdict is given again for some days alone.
Where the walls are weak, or a link leads out of the project, there is no digest.
"""

from __future__ import annotations

import dataclasses
import datetime
import hashlib
import os
import stat
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path

import analysis
import repair
import sandbox
import transforms
from analysis.errors import TargetError, UsageError
from repair.front.opening import Place
from repair.front.ruff import find_ruff
from repair.front.trust import is_weak
from repair.records.change import Change
from repair.records.config import Options
from repair.records.result import Result, Seconds
from repair.store.checklist import read_open_tests
from repair.store.git import head
from repair.store.recorded import find_recorded
from repair.store.store import open_store
from repair.trials.run_time import RunTime
from sandbox.jail_protocol import Jail
from sandbox.target import Target
from sandbox.workspace import Snapshot

LIBRARIES = ("click", "coverage", "hypothesis", "libcst", "mutmut", "pydantic", "pytest", "repair-engine", "unidiff")
"""What of others the judge is made of."""

ABOUT_OUTPUT = frozenset(
    (
        *("output_format", "color", "progress", "verbosity", "debug", "accept", "allow_no_failure"),
        *("cache", "apply", "commit", "state_dir", "lf"),
    )
)
"""Options that no verdict hangs on; of ``lf`` the tests are told. A rule of approval is none of them: the
record of a run says whether it holds for its patches."""

ORDERS = ("learned", "hand", "uniform")
"""Those that come with the engine; another one is a file that may lie anywhere."""

LAST_FAILED = ".pytest_cache/v/cache/lastfailed"
"""pytest's list of failures, which no copy of the project holds."""

MOST_FILES = 60_000
"""Files on the import path that are looked at; where there are more, nothing is given again."""

MOST_BYTES = 512 << 20
"""The same for the bytes of the project."""


class _NoDigest(Exception):
    """Something is not to be told, or would take too long."""


def recall(
    command: str,
    tests: Sequence[str],
    change: Change | None,
    options: Options,
    place: Place,
    env: Mapping[str, str],
    timing: RunTime,
) -> tuple[Result | None, str]:
    """The recorded answer, ``None`` where there is none or it is not wanted; and the digest of what it rests on.

    The digest is empty where no verdict on this could be given again.
    """
    if options.coverage_file or options.coverage_data:  # lines are to be written, or come from elsewhere
        return None, ""
    try:
        store = open_store(place.target.root, options.state_dir)
    except (TargetError, UsageError, OSError):  # whoever records the run says so
        return None, ""
    if options.open_tests:  # what is open lies beside the runs, and each run changes it
        tests = (*tests, *read_open_tests(store.directory))
    grounds = grounds_of(
        command, tests, change, options, place.target, place.jail, place.sandbox.snapshot, env, store.key
    )
    found = find_recorded(store, grounds, datetime.datetime.now(datetime.UTC)) if options.cache else None
    if found is None:
        return None, grounds
    timing.done()
    return dataclasses.replace(found, seconds=Seconds(total=round(time.monotonic() - timing.started, 3))), grounds


def grounds_of(
    command: str,
    tests: Sequence[str],
    change: Change | None,
    options: Options,
    target: Target,
    jail: Jail,
    snapshot: Snapshot,
    env: Mapping[str, str],
    key: bytes,
) -> str:
    """The digest, in hexadecimal digits; ``""`` where no verdict could be given again."""
    if (
        is_weak(jail)
        or not set(options.chosen_proposers) <= {"search"}
        or options.order not in ORDERS
        or options.extra_gates
        or options.extra_checks
    ):
        return ""
    found = hashlib.blake2b(key=key, digest_size=32, person=b"repair grounds")
    try:
        for part in _parts(command, tests, change, options, target, jail, snapshot, env):
            raw = part.encode("utf-8", "surrogateescape")
            found.update(b"%d:" % len(raw) + raw)
    except (_NoDigest, OSError):
        return ""
    return found.hexdigest()


def _parts(
    command: str,
    tests: Sequence[str],
    change: Change | None,
    options: Options,
    target: Target,
    jail: Jail,
    snapshot: Snapshot,
    env: Mapping[str, str],
) -> Iterator[str]:
    """What is digested; the cheap parts first, so that whatever forbids it is found early."""
    yield from (command, *tests, "")
    for field in dataclasses.fields(options):
        if field.name not in ABOUT_OUTPUT:
            yield from (field.name, repr(getattr(options, field.name)))
    listed = Path(options.root, LAST_FAILED)
    yield _digest(listed.read_bytes()) if options.lf and listed.is_file() else ""
    for files in (change.before, change.after) if change is not None else ():
        yield from (str(len(files)), *(part for path, text in files for part in (path, _digest(text))))
    yield from (*(change.others if change is not None else ()), "")
    yield from (jail.kind, jail.detail, *jail.opens, *jail.stops, "")
    system = os.uname()
    yield from (system.sysname, system.release, system.version, system.machine, str(os.cpu_count()))
    yield from _judge(target.root, env)
    yield from _project(snapshot)
    yield head(target.root)  # earlier texts of a function speak for a patch
    yield from _interpreter(target, env)


def _judge(root: str, env: Mapping[str, str]) -> Iterator[str]:
    yield from (sys.version, *(version(name) for name in LIBRARIES))
    for package in (analysis, repair, sandbox, transforms):
        folder = Path(package.__path__[0])
        for path in sorted((*folder.rglob("*.py"), *folder.rglob("*.json"))):
            yield from (str(path.relative_to(folder)), _digest(path.read_bytes()))
    ruff = find_ruff(root, env.get("PATH", ""))
    yield from (ruff, _stamp(os.stat(ruff)) if ruff else "")


def _project(snapshot: Snapshot) -> Iterator[str]:
    if snapshot.bytes() > MOST_BYTES:
        raise _NoDigest
    yield from (*snapshot.unreadable, "", *snapshot.private, "")
    for entry in snapshot.entries:
        yield from (entry.path, entry.kind, str(entry.mode), entry.link)
        if entry.kind == "file":
            yield _digest(Path(snapshot.master, entry.path).read_bytes())
        elif entry.kind == "link" and os.path.isabs(entry.link):
            raise _NoDigest  # whoever follows it reads what is no part of the copy


def _interpreter(target: Target, env: Mapping[str, str]) -> Iterator[str]:
    said = target.interpreter
    yield from (said.python, repr(said.version), said.pytest, said.coverage, said.image, repr(target.options))
    yield from (env.get("PATH", ""), os.environ.get("PATH", ""), os.environ.get("TZ", ""), *said.withheld, "")
    yield from (part for variable in target.passed for part in variable)
    if not said.image:
        real = os.path.realpath(said.python)
        yield from (real, _stamp(os.stat(real)))
    folders = dict.fromkeys((*said.path, *said.mapped, *target.path_entries))
    inside = target.root + os.sep
    environments = tuple(folder for folder in said.readable if folder.startswith(inside))
    outside = [f for f in folders if not (f + os.sep).startswith(inside) or f.startswith(environments or ("\0",))]
    yield from (*folders, "", *_files_on_path(outside))


def _files_on_path(folders: Iterable[str]) -> Iterator[str]:
    """Every file below the folders with its size and times, byte code left out; folders behind links too."""
    waiting, seen, count = list(folders)[::-1], set[tuple[int, int]](), 0
    while waiting:
        folder = waiting.pop()
        yield folder
        try:
            found = os.stat(folder)
            if not stat.S_ISDIR(found.st_mode):
                yield _stamp(found)
                continue
        except FileNotFoundError:
            continue
        if (found.st_dev, found.st_ino) in seen:
            continue
        seen.add((found.st_dev, found.st_ino))
        files, inner = _list_folder(folder)
        waiting += inner
        count += len(files)
        yield "\n".join(files)
        if count > MOST_FILES:
            raise _NoDigest


def _list_folder(folder: str) -> tuple[list[str], list[str]]:
    """The files in one folder, each with its stamp, and the folders in it that modules can lie in.

    Nothing is imported from one like ``.git`` or ``.hypothesis``, and tools write there at any time.
    """
    files, inner = [], []
    with os.scandir(folder) as listed:
        for child in listed:
            if child.is_dir():
                inner += [] if child.name == "__pycache__" or child.name.startswith(".") else [child.path]
                continue
            try:
                files.append(f"{child.name!r} {_stamp(child.stat())}")
            except FileNotFoundError:  # a link to nowhere
                files.append(f"{child.name!r}")
    return sorted(files), sorted(inner, reverse=True)


def _stamp(found: os.stat_result) -> str:
    """Size and times; the second one nobody sets but the system."""
    return f"{found.st_size} {found.st_mtime_ns} {found.st_ctime_ns} {found.st_ino}"


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
