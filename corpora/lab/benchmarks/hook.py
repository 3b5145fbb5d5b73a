"""What `repair hook stop` answers to changes as agents make them, and after how many seconds, beside plain pytest.

Each change is made in a repository of its own, as in a session. The hook of its start is called, the edit made, then
the hook of its stop, twice. The rival is the hook that most people have: it blocks where plain pytest fails.
"""

from __future__ import annotations

import collections
import contextlib
import datetime
import itertools
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

import click

from analysis.errors import TargetError
from corpora.lab.agent_claims import SuiteRun, run_suite
from corpora.lab.agent_diffs import (
    FROZEN,
    KINDS,
    LIBRARIES,
    AgentDiff,
    AgentLibrary,
    agent_diffs,
    apply_diff,
    digest_of,
    lay_session,
)
from corpora.lab.benchmarks.deadlines import keep_busy
from corpora.lab.benchmarks.figures import Figure, Measured, Row, table, write_record
from corpora.lab.benchmarks.setup import machine_of, say, versions
from corpora.source_package import case_cache
from repair.agents.stop_hook import DEADLINE_SECONDS

HOST_SECONDS = 30.0
"""After so long the most hasty host ends a hook, and its agent has stopped without a word."""

KILLED_SECONDS = 120.0
"""After so long this benchmark ends one, so that it goes on itself."""

WORDS = ("blocked", "asked", "told", "silent", "killed")

RIGHT_BLOCKED = Figure("right_blocked_share", 0.0, 0.0, floor=False)
RIGHT_ASKED = Figure("right_asked_share", 0.15, 0.05, floor=False)
HARMLESS_STOPPED = Figure("harmless_stopped_share", 0.15, 0.0, floor=False)
WRONG_STOPPED = Figure("wrong_stopped_share", 0.8, 0.9)
HOOK_SECONDS = Figure("hook_seconds", 10.0, 5.0, floor=False)
UNCHANGED_SECONDS = Figure("unchanged_seconds", 0.3, 0.2, floor=False)
SECOND_STOPS = Figure("second_stop_ends_turn", 1.0, 1.0)
IN_TIME = Figure("in_time_under_load", 1.0, 1.0)

SHARES = (
    (RIGHT_BLOCKED, "right", ("blocked",)),
    (RIGHT_ASKED, "right", ("asked",)),
    (HARMLESS_STOPPED, "harmless", ("blocked", "asked")),
    (WRONG_STOPPED, "wrong", ("blocked", "asked")),
)
"""Each figure with the kind of change and the answers that it counts."""


@dataclass(frozen=True, slots=True)
class Answered:
    """What a hook said: one of ``WORDS``, the text, and the seconds on the wall from outside."""

    word: str
    text: str
    seconds: float


@dataclass(frozen=True, slots=True)
class HookCase:
    """One change: what the stop said, what the stop after it said, nothing changed before, and plain pytest."""

    library: str
    kind: str
    name: str
    first: Answered
    second: Answered
    unchanged: Answered
    suite: SuiteRun


@click.command()
@click.option("--only", default="", help="Changes whose names (LIBRARY/KIND/NAME) hold this.")
@click.option(
    "--most", type=click.IntRange(min=0), default=0, help="So many changes of each kind of a library; 0: all."
)
@click.option("--load", type=click.IntRange(min=0), default=100, show_default=True, help="Runs on a busy machine.")
@click.option("--loops", type=click.IntRange(min=0), default=4, show_default=True, help="Busy loops beside those.")
@click.option("--side-by-side", type=click.IntRange(min=1), default=1, show_default=True, help="Of those runs.")
@click.option("--load-only", is_flag=True, help="Only those runs.")
@click.option("--out", type=click.Path(path_type=Path), default=Path("build/bench/hook.json"), show_default=True)
def main(only: str, most: int, load: int, loops: int, side_by_side: int, load_only: bool, out: Path) -> None:
    """Ask the hook about each change, then again and again on a busy machine."""
    refuse_thawed()
    chosen = [pair for library in LIBRARIES for pair in changes_of(library, only, most)]
    cases = []
    for library, diff in () if load_only else chosen:
        with tempfile.TemporaryDirectory() as place:
            cases.append(ask(library, diff, Path(place)))
        say(describe(cases[-1]))
    busy = list(under_load(chosen, load, loops, side_by_side)) if chosen else []
    found = summarize(cases, busy)
    click.echo(kinds_table(cases))
    click.echo(table(found))
    now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    write_record(out, found, date=now, versions=versions(), machine=machine_of())
    every = {"cases": [asdict(each) for each in cases], "busy": [asdict(each) for each in busy]}
    out.with_suffix(".cases.json").write_text(json.dumps(every, indent=1) + "\n", encoding="utf-8")


def refuse_thawed() -> None:
    """Raises ``TargetError`` where a change is not as it was frozen: figures of other changes are other figures."""
    kept = dict(line.split() for line in FROZEN.read_text(encoding="utf-8").splitlines())
    for library in LIBRARIES:
        if digest_of(library.name) != kept.get(library.name):
            raise TargetError(
                "Changes are not as they were frozen", where=library.name, remedy=f"Take them back, or mend {FROZEN}."
            )


def changes_of(library: AgentLibrary, only: str, most: int) -> Iterator[tuple[AgentLibrary, AgentDiff]]:
    """The changes of a library, one of each kind in turn."""
    diffs = agent_diffs(library.name)
    kinds = [[diff for diff in diffs if diff.kind == kind][: most or None] for kind in KINDS]
    for row in itertools.zip_longest(*kinds):
        yield from ((library, diff) for diff in row if diff is not None and only in str(diff))


def ask(library: AgentLibrary, diff: AgentDiff, place: Path) -> HookCase:
    """One session, and plain pytest after it."""
    root, state = place / library.name, place / "state"
    python = lay_session(library, diff, root, case_cache())
    call_hook("start", root, state)
    unchanged = call_hook("stop", root, state)
    apply_diff(root, diff.change)
    first = call_hook("stop", root, state)
    second = call_hook("stop", root, state)
    return HookCase(library.name, diff.kind, diff.name, first, second, unchanged, run_suite(root, python))


def call_hook(name: str, root: Path, state: Path) -> Answered:
    """Call the hook as a host does: an event on stdin, an answer on stdout, an end by force when it takes too long."""
    event = {"session_id": "bench", "cwd": str(root), "hook_event_name": "Stop", "stop_hook_active": False}
    words = [sys.executable, "-E", "-P", "-m", "repair", "hook", name]
    began = time.monotonic()
    try:
        done = subprocess.run(
            words,
            cwd=root,
            env={**os.environ, "XDG_STATE_HOME": str(state), "REPAIR_HOOK_SECONDS": ""},
            input=json.dumps(event).encode(),
            capture_output=True,
            check=False,
            timeout=KILLED_SECONDS,
        )
    except subprocess.TimeoutExpired:
        return Answered("killed", "", KILLED_SECONDS)
    return Answered(*read_answer(done.stdout), round(time.monotonic() - began, 3))


def read_answer(raw: bytes) -> tuple[str, str]:
    """The word for an answer in Claude Code's dialect, and its text."""
    said = json.loads(raw)
    if said.get("decision") == "block":
        text = str(said["reason"])
        return ("blocked" if text.startswith("repair check: rejected") else "asked"), text
    text = str(said.get("systemMessage", ""))
    return ("told" if text else "silent"), text


def under_load(
    chosen: Sequence[tuple[AgentLibrary, AgentDiff]], runs: int, loops: int, side_by_side: int
) -> Iterator[Answered]:
    """So many first stops beside busy loops; the changes in turn."""

    def one(pair: tuple[AgentLibrary, AgentDiff]) -> Answered:
        with tempfile.TemporaryDirectory() as place:
            root, state = Path(place, pair[0].name), Path(place, "state")
            lay_session(*pair, root, case_cache())
            apply_diff(root, pair[1].change)
            return call_hook("stop", root, state)

    with contextlib.ExitStack() as stack:
        stack.enter_context(keep_busy(loops if runs else 0))
        pool = stack.enter_context(ThreadPoolExecutor(side_by_side))
        for answered in pool.map(one, itertools.islice(itertools.cycle(chosen), runs)):
            say(f"busy: {answered.seconds:.1f} s {answered.word}")
            yield answered


def summarize(cases: Sequence[HookCase], busy: Sequence[Answered]) -> Measured:
    """The figures with their targets over all changes; what each library gave stands among the numbers."""
    rows, numbers = [], []
    for figure, kind, words in SHARES:
        chosen = [case for case in cases if case.kind == kind]
        rows.append(_row(figure, [float(case.first.word in words) for case in chosen]))
        for name in sorted({case.library for case in chosen}):
            mine = [float(case.first.word in words) for case in chosen if case.library == name]
            numbers.append((f"{figure.name}_{name}", statistics.fmean(mine)))
    rows.append(_row(SECOND_STOPS, [float(case.second.word not in ("blocked", "asked")) for case in cases]))
    rows.append(_row(IN_TIME, [float(each.seconds <= HOST_SECONDS) for each in busy]))
    if cases:
        seconds = [case.first.seconds for case in cases]
        rows.append(Row(HOOK_SECONDS, (("median", statistics.median(seconds)),)))
        rows.append(Row(UNCHANGED_SECONDS, (("median", statistics.median(case.unchanged.seconds for case in cases)),)))
        numbers += [("cases", float(len(cases))), ("hook_seconds_latest", max(seconds))]
        numbers.append(("pytest_seconds", statistics.median(case.suite.seconds for case in cases)))
    for kind in KINDS:
        numbers.append((f"pytest_blocks_{kind}", float(sum(c.kind == kind and not c.suite.passed for c in cases))))
        for word in WORDS:
            numbers.append((f"{kind}_{word}", float(sum(c.kind == kind and c.first.word == word for c in cases))))
    if busy:
        numbers += [("busy_runs", float(len(busy))), ("busy_seconds_latest", max(each.seconds for each in busy))]
        numbers.append(("busy_runs_over_own_time", float(sum(each.seconds > DEADLINE_SECONDS for each in busy))))
    held_out = ", ".join(library.name for library in LIBRARIES if library.held_out)
    notes = (f"held out of all tuning: {held_out}", "wall times from outside; plain pytest in the same session")
    return Measured(tuple(row for row in rows if row.values), tuple(numbers), notes)


def _row(figure: Figure, values: Sequence[float]) -> Row:
    """The mean of all; no value where there is none."""
    return Row(figure, (("all", statistics.fmean(values)),) if values else ())


def kinds_table(cases: Sequence[HookCase]) -> str:
    """What was said to each kind in each library, and what plain pytest would have blocked."""
    lines = [f"{'':22}" + "".join(f"{word:>9}" for word in (*WORDS, "of", "pytest")) + f"{'median s':>10}"]
    for library, kind in sorted({(case.library, case.kind) for case in cases}):
        group = [case for case in cases if (case.library, case.kind) == (library, kind)]
        said = collections.Counter(case.first.word for case in group)
        counts = [*(said[word] for word in WORDS), len(group), sum(not case.suite.passed for case in group)]
        seconds = statistics.median(case.first.seconds for case in group)
        lines.append(f"{f'{library} {kind}':22}" + "".join(f"{count:>9}" for count in counts) + f"{seconds:>10.1f}")
    return "\n".join(lines)


def describe(case: HookCase) -> str:
    """One line about a case."""
    return (
        f"{case.library}/{case.kind}/{case.name}: {case.first.word} {case.first.seconds:.1f} s, then "
        f"{case.second.word}; unchanged {case.unchanged.seconds:.2f} s; pytest {case.suite.seconds:.1f} s"
    )


if __name__ == "__main__":
    main()
