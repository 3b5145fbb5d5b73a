"""The shared words: small frozen records that every floor may use.

Paths are POSIX strings relative to the project's root when the file lies inside it, absolute
otherwise. Lines count from 1, columns from 0 in characters. Nothing here does I/O.
"""

from __future__ import annotations

import enum
import hashlib
from collections.abc import Set
from dataclasses import dataclass
from typing import NewType

TestId = NewType("TestId", str)
"""A pytest node id, exactly as pytest prints it."""

Digest = NewType("Digest", str)
"""Hexadecimal SHA-256 of some content; the only identity that is ever stored."""

Files = tuple[tuple[str, bytes], ...]
"""Sorted (relative path, content) pairs that are laid over a copy of the project."""


def digest(*parts: bytes | str) -> Digest:
    """Content digest of the parts; no two different sequences of parts share one by concatenation."""
    state = hashlib.sha256()
    for part in parts:
        content = part.encode("utf-8", "surrogateescape") if isinstance(part, str) else part
        state.update(len(content).to_bytes(8, "big"))
        state.update(content)
    return Digest(state.hexdigest())


class Phase(enum.Enum):
    """Where in a test's life something happened."""

    COLLECT = "collect"
    SETUP = "setup"
    CALL = "call"
    TEARDOWN = "teardown"


class Outcome(enum.Enum):
    """What became of one test in one run. Only ``PASSED`` counts as passed."""

    PASSED = "passed"
    FAILED = "failed"
    ERROR = "error"  # set-up, tear-down or collection failed
    SKIPPED = "skipped"
    XFAILED = "xfailed"
    XPASSED = "xpassed"
    HANG = "hang"  # still running when its time was up
    MISSING = "missing"  # expected, and not reported


BROKEN = frozenset({Outcome.FAILED, Outcome.ERROR, Outcome.HANG})
"""Outcomes of a test that did not do what it should."""


@dataclass(frozen=True, slots=True)
class Ran:
    """A program of the target's environment that ran to its end: exit status and all that it printed."""

    status: int
    output: str


class RunFault(enum.Enum):
    """Why a run gives no verdict."""

    TIMEOUT = "timeout"
    MEMORY = "memory"
    OUTPUT = "output"
    SIGNAL = "signal"
    EXITED = "exited"
    NO_INTERPRETER = "no_interpreter"
    NO_PYTEST = "no_pytest"
    NO_SUCH_TEST = "no_such_test"
    USAGE = "usage"
    INCONSISTENT = "inconsistent"
    SANDBOX = "sandbox"  # nothing of the target was begun


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on one process tree. Wall and CPU in seconds, the rest in bytes or counts."""

    wall_seconds: float = 120.0
    cpu_seconds: float = 240.0
    memory_bytes: int = 4 << 30
    output_bytes: int = 4 << 20
    file_bytes: int = 256 << 20
    processes: int = 256
    tree_bytes: int = 8 << 30
    """Memory of all processes together, where the machine can bound that."""
    disk_bytes: int = 512 << 20
    """What the copy may grow to, where the isolation can bound that; 0 for no bound."""
    test_seconds: float = 30.0
    """How long one test may run before it is reported as a hang."""
    stuck_seconds: float = 0.0
    """Processor time after which a test is stopped from within; 0 for no such bound. The trial is then set aside. A
    cold run reports a hang and goes on with the next test."""


@dataclass(frozen=True, slots=True)
class Local:
    """One local variable of a frame: only plain values carry a (bounded) representation."""

    name: str
    type_name: str
    value: str | None


@dataclass(frozen=True, slots=True)
class Frame:
    """One traceback entry. Columns are there on Python 3.11 and newer targets only."""

    path: str
    in_project: bool
    line: int
    end_line: int | None
    column: int | None
    end_column: int | None
    qualname: str
    name: str
    first_line: int
    locals: tuple[Local, ...] = ()


@dataclass(frozen=True, slots=True)
class SeenError:
    """One exception of a chain.

    ``link`` says how it is tied to the one before it in the chain. It is ``""`` for the first (the one that ended the
    test), ``cause`` or ``context`` for those behind it. For those inside an exception group it is ``group``. ``bases``
    are the names of its class's method resolution order, itself first.
    """

    type_name: str
    bases: tuple[str, ...]
    message: str
    frames: tuple[Frame, ...]
    link: str = ""


@dataclass(frozen=True, slots=True)
class TestResult:
    """What one run said of one test."""

    __test__ = False

    test: TestId
    outcome: Outcome
    phase: Phase
    seconds: float
    exceptions: tuple[SeenError, ...] = ()
    message: str = ""
    cpu_seconds: float = 0.0
    """Processor time, which a busy machine does not prolong; 0 where it is not known."""


@dataclass(frozen=True, slots=True)
class CollectionError:
    """A file or directory that pytest could not collect."""

    node: str
    exceptions: tuple[SeenError, ...]
    message: str


class PointKind(enum.Enum):
    """Which moment a point means: a line is about to run, a function is entered, a function returns."""

    LINE = "line"
    ENTRY = "entry"
    RETURN = "return"


@dataclass(frozen=True, slots=True)
class Point:
    """A moment at which values are recorded.

    ``line`` is, for entry and return, the line of the function's first decorator or ``def``. ``names`` are local or
    global names; without any, the function's parameters. A return records the result alone.
    """

    path: str
    line: int
    names: tuple[str, ...] = ()
    kind: PointKind = PointKind.LINE


@dataclass(frozen=True, slots=True)
class RecordedValue:
    """One value: Python source where it is ``plain``, else a bounded picture (empty where it resisted)."""

    name: str
    type_name: str
    text: str
    plain: bool


@dataclass(frozen=True, slots=True)
class Sighting:
    """What a point showed once in a test. A test's equal sightings of a point are one."""

    point: Point
    test: TestId
    values: tuple[RecordedValue, ...]


@dataclass(frozen=True, slots=True)
class Recording:
    """Sightings in the order in which they were made, so many for each point and test at most."""

    sightings: tuple[Sighting, ...]

    def sightings_at(self, point: Point) -> tuple[Sighting, ...]:
        """Those of one point."""
        return tuple(sighting for sighting in self.sightings if sighting.point == point)


LineMap = tuple[tuple[TestId, tuple[tuple[str, Set[int]], ...]], ...]
"""For each test the executed lines of each project file, both sorted."""


ARCS = "arcs"
"""The tracer that tells arcs beside lines. It is slow: every line of the project is an event."""

Arcs = Set[tuple[int, int]]
"""Pairs of lines that ran one after the other, as in coverage.py: minus the first line is the way in, or out."""

ArcMap = tuple[tuple[TestId, tuple[tuple[str, Arcs], ...]], ...]
"""For each test the arcs of each project file, both sorted."""


@dataclass(frozen=True, slots=True)
class TestRun:
    """One complete run whose report, collected set and exit status agree."""

    __test__ = False

    results: tuple[TestResult, ...]
    collection_errors: tuple[CollectionError, ...]
    exit_status: int
    seconds: float
    line_map: LineMap = ()
    isolation: str = ""
    sightings: tuple[Sighting, ...] = ()
    collected_lines: LineMap = ()
    """For each file of tests the lines that collecting it ran: what is imported anew, and called at import."""
    arcs: ArcMap = ()
    """Known where the run was traced by ``ARCS``."""

    def outcome(self, test: TestId) -> Outcome:
        """The outcome of the test, or of a file of tests; ``MISSING`` where the run does not mention it."""
        result = self.result_of(test)
        return Outcome.MISSING if result is None else result.outcome

    def result_of(self, test: TestId) -> TestResult | None:
        """What the run says of the test, if anything.

        A file of tests passes when it is collected: ``tests/test_cart.py``, and something in it is reported.
        """
        for result in self.results:
            if result.test == test:
                return result
        for error in self.collection_errors:
            if error.node == test:
                return TestResult(test, Outcome.ERROR, Phase.COLLECT, 0.0, error.exceptions, error.message)
        inside = f"{test}::"
        collected = any(each.test.startswith(inside) for each in self.results)
        return TestResult(test, Outcome.PASSED, Phase.COLLECT, 0.0) if collected else None


@dataclass(frozen=True, slots=True)
class InvalidRun:
    """A run that gives no verdict, with what was seen before it ended."""

    fault: RunFault
    detail: str
    output: str = ""
    partial: tuple[TestResult, ...] = ()
    running: TestId | None = None
    collected: tuple[TestId, ...] = ()
    late: bool = False
    """Whether the time of the whole run was up, and not that of one test: then ``running`` need not be at fault."""


@dataclass(frozen=True, slots=True)
class FunctionId:
    """Names one function: its file, dotted qualified name, and the line of its first decorator or ``def``."""

    path: str
    qualname: str
    first_line: int


class FailureClass(enum.Enum):
    """What kind of failure it is. The last two get no patch."""

    FORMAT = "format"
    CONTRACT = "contract"
    RUNTIME_SAFETY = "runtime_safety"
    LOGIC = "logic"
    ENVIRONMENT = "environment"
    TEST_DEFECT = "test_defect"


class ConstraintKind(enum.Enum):
    """What a failure says about an input or an operation."""

    NULLABLE = "nullable"
    MISSING_KEY = "missing_key"
    SHORT_SEQUENCE = "short_sequence"
    EMPTY_SEQUENCE = "empty_sequence"
    ZERO_DIVISOR = "zero_divisor"
    WRONG_TYPE = "wrong_type"
    UNBOUND_NAME = "unbound_name"
    UNKNOWN_NAME = "unknown_name"
    OPTIONAL_ATTRIBUTE = "optional_attribute"
    CLOSED_FILE = "closed_file"
    MISSING_FILE = "missing_file"
    FAILED_CONVERSION = "failed_conversion"
    MISSING_RAISE = "missing_raise"
    WRONG_RAISE = "wrong_raise"
    WRONG_CALL = "wrong_call"
    NO_TERMINATION = "no_termination"


@dataclass(frozen=True, slots=True)
class Constraint:
    """One derived fact, tied to the expression that it speaks of.

    ``expression`` is source text (``""`` when the failure does not tell), ``detail`` the name, key,
    type or exception concerned, ``claim`` one readable sentence.
    """

    kind: ConstraintKind
    expression: str
    detail: str
    path: str
    line: int
    claim: str


@dataclass(frozen=True, slots=True)
class Failure:
    """One failing test as observed: identity, not interpretation."""

    test: TestId
    phase: Phase
    outcome: Outcome
    exceptions: tuple[SeenError, ...]
    message: str

    @property
    def frames(self) -> tuple[Frame, ...]:
        """Project frames of the exception that ended the test, outermost call first."""
        return tuple(f for f in self.exceptions[0].frames if f.in_project) if self.exceptions else ()


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """A failure with its class and what it implies."""

    failure: Failure
    failure_class: FailureClass
    subclass: str
    constraints: tuple[Constraint, ...]


@dataclass(frozen=True, slots=True)
class Suspect:
    """A function that may hold the fault. ``line_scores`` ranks its lines, 0 to 1."""

    function: FunctionId
    suspiciousness: float
    reasons: tuple[str, ...]
    line_scores: tuple[tuple[int, float], ...] = ()
