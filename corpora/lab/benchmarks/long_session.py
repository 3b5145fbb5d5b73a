"""One warm session for a very long time: do memory, descriptors, processes and files stay as they are?"""

from __future__ import annotations

import os
import statistics
import sys
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from analysis.facts import InvalidRun, Limits, TestId, digest
from analysis.functions import functions_of
from analysis.trials import Trial, TrialState
from corpora.bench.processes import descendants, resident_mb
from corpora.lab.benchmarks.leftovers import descriptors, files_below, left_behind
from sandbox.jail_protocol import Jail
from sandbox.sandbox import LocalSandbox
from sandbox.target import open_target
from sandbox.warm import WarmServer

SAMPLES = 50
MOST_GROWTH_MB = 8.0
"""What a process may grow by over the second half of a session; allocators round up in steps of megabytes."""

_MODULE = """
    def clamp(value, low, high):
        if value < low:
            return low
        return min(value, high)
"""
_TESTS = """
    from clamp import clamp

    def test_inside():
        assert clamp(5, 0, 9) == 5

    def test_outside():
        assert clamp(-5, 0, 9) == 0
        assert clamp(50, 0, 9) == 9
"""
_TEXT = """def clamp(value, low, high):
    {rude}
    if value < low:
        return low + {wrong} + 0 * {number}
    return min(value, high)
"""
_RUDE = (
    "open('left-%d' % value, 'w').write('x')",
    "__import__('os').open('/dev/null', 0)",
    "__import__('subprocess').Popen(['sleep', '600'], start_new_session=True)",
    "__import__('tempfile').mkdtemp()",
    "__import__('os')._exit(3)",
    "__import__('sys').stdout.write('x' * 4096)",
    "__import__('threading').Thread(target=__import__('time').sleep, args=(9,), daemon=True).start()",
)
"""What programs do that leave something behind; one candidate in fifty does."""


@dataclass(frozen=True, slots=True)
class Sample:
    """State of engine and server after so many candidates."""

    done: int
    engine_mb: float
    server_mb: float
    engine_descriptors: int
    server_descriptors: int
    processes: int
    files: int


@dataclass(frozen=True, slots=True)
class Session:
    """What a long session showed. ``problems`` are sentences; there are none where nothing leaks."""

    states: tuple[tuple[str, int], ...]
    samples: tuple[Sample, ...]
    problems: tuple[str, ...]


def long_session(count: int, folder: Path, jail: Jail, say: Callable[[str], None]) -> Session:
    """Run so many distinct candidates through one server, and look at it every now and then."""
    root, scratch = folder / "clamp", folder / "scratch"
    for each in (root, scratch):
        each.mkdir(parents=True)
    (root / "clamp.py").write_text(textwrap.dedent(_MODULE).lstrip())
    (root / "test_clamp.py").write_text(textwrap.dedent(_TESTS).lstrip())
    own = descriptors(os.getpid())
    target = open_target(str(root), python=sys.executable, environ={"PATH": os.environ.get("PATH", os.defpath)})
    tests = (TestId("test_clamp.py::test_inside"), TestId("test_clamp.py::test_outside"))
    limits = Limits(wall_seconds=2.0, test_seconds=2.0)
    counts: dict[str, int] = {state.value: 0 for state in TrialState}
    with LocalSandbox(target, limits=limits, jail=jail, scratch=str(scratch)) as sandbox:
        server = sandbox.warm(tests, limits=limits)
        assert not isinstance(server, InvalidRun), f"no warm server: {server}"
        samples = tuple(_run(server, count, scratch, counts, say))
        server.close()
    problems = [*growth(samples), *left_behind(scratch, (os.getpid(),), 10.0)]
    if descriptors(os.getpid()) > own:
        problems.append(f"the engine has {descriptors(os.getpid())} descriptors open, and had {own} before")
    if sum(counts.values()) != count:
        problems.append(f"{count} candidates went in, {sum(counts.values())} outcomes came out")
    return Session(tuple(counts.items()), samples, tuple(problems))


def _run(
    server: WarmServer, count: int, scratch: Path, counts: dict[str, int], say: Callable[[str], None]
) -> Iterator[Sample]:
    step = max(1, count // SAMPLES)
    for done, outcome in enumerate(server.trials(candidates(count)), start=1):
        counts[outcome.state.value] += 1
        if done % step == 0:
            yield _sample(server, done, scratch)
        if done % (10 * step) == 0:
            say(f"{done} of {count} candidates")
    yield _sample(server, count, scratch)


def candidates(count: int) -> Iterator[Trial]:
    """Distinct texts of the function: one in seven passes, one in fifty leaves something behind, few hang."""
    function = functions_of("clamp.py", textwrap.dedent(_MODULE).lstrip().encode())[0].function
    for number in range(count):
        rude = _RUDE[number // 50 % len(_RUDE)] if number % 50 == 49 else "pass"
        if number % 5000 == 4999:
            rude = "while True: pass"
        text = _TEXT.format(rude=rude, wrong=number % 7, number=number).encode()
        yield Trial(digest(text), function, text, f"number {number}")


def growth(samples: tuple[Sample, ...]) -> Iterator[str]:
    """Sentences about what grows over the second half of the samples."""
    later = samples[len(samples) // 2 :]
    for name in ("engine_mb", "server_mb"):
        grown = slope(later, name) * (later[-1].done - later[0].done)
        if grown > MOST_GROWTH_MB:
            yield f"{name} grew by {grown:.1f} MB over the last {later[-1].done - later[0].done} candidates"
    for name in ("engine_descriptors", "server_descriptors", "processes", "files"):
        first, last = (statistics.median(getattr(s, name) for s in part) for part in (later[:5], later[-5:]))
        if last > first + 10:
            yield f"{name} grew from {first:g} to {last:g}"


def slope(samples: tuple[Sample, ...], name: str) -> float:
    """Growth of a number per candidate: a straight line through the samples."""
    if len({sample.done for sample in samples}) < 2:
        return 0.0
    return statistics.linear_regression([s.done for s in samples], [getattr(s, name) for s in samples]).slope


def _sample(server: WarmServer, done: int, scratch: Path) -> Sample:
    below = (server.pid, *descendants(server.pid))
    # Walls and shells around the server are small; forks share its memory. The server is the largest of them.
    largest = max(below, key=resident_mb)
    return Sample(
        done,
        resident_mb(os.getpid()),
        resident_mb(largest),
        descriptors(os.getpid()),
        descriptors(largest),
        len(below),
        len(files_below(scratch)),
    )
