"""What the engine asks of its parts. Few methods, plain records in and out, nothing to inherit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar, runtime_checkable

from analysis.calls import CallInput, Calls, Comparison, PlainAnswer
from analysis.courses import CallPair, Followed, FollowQuery
from analysis.facts import (
    Diagnosis,
    Files,
    FunctionId,
    InvalidRun,
    Limits,
    Point,
    Ran,
    Recording,
    Suspect,
    TestId,
    TestRun,
)
from analysis.line_counts import WorkReport
from analysis.synthesis import Forced, Query, Settled, WantedValue
from analysis.trials import Trial, TrialOutcome
from repair.records.result import ModelAttempt
from repair.records.task import Attempt, Baseline, NearMiss, PatchPlan, Pause
from repair.records.verdict import Evidence
from transforms.tree.candidate import Candidate
from transforms.tree.proposal import Proposal
from transforms.tree.scope import EditScope


class Values(Protocol):
    """What values at places of a function would do, found out in forks while trials go on; it never certifies.

    What ``force`` and ``settle`` begin goes on at once, and what they give waits for the answer.
    """

    def force(self, ask: Query) -> Callable[[], Forced]:
        """What has to stand at the function's places so that the failing tests pass."""

    def settle(self, ask: Query, wanted: Sequence[WantedValue]) -> Callable[[], Settled]:
        """Expressions that give that, and in passing tests what the program gives now."""

    def follow(self, function: FunctionId, test: TestId) -> CallPair | None:
        """The function's call at which the failing test fails, and the nearest call of passing tests, step by step."""


_Answer = TypeVar("_Answer")


class Errand(Protocol):
    """Gives what the work gives, or raises that; ``OutOfTimeError`` once nobody does any work."""

    def __call__(self, work: Callable[[], _Answer]) -> _Answer:
        """Do it."""


def do_at_once(work: Callable[[], _Answer]) -> _Answer:
    """The errand of who is not asked beside a search."""
    return work()


@dataclass(frozen=True, slots=True)
class Context:
    """All that a proposer sees: text and trees, no path, no sandbox, no store.

    - ``attempts`` gives the earlier attempts and why they failed, as of the moment of the call.
    - ``seconds_left`` is what remains of the budget.
    - ``is_over`` says that nobody waits any more for what is proposed.
    - ``values`` says what values would do, where somebody can tell.
    - ``calls`` gives calls of the function in the failing tests, in their order.
    - ``sources`` are the project's texts.
    - ``passing`` gives passing tests that run the function.
    - ``suspects`` are all functions that may be at fault, the most suspicious first.
    - ``near`` gives edits of the search that nearly did, as of the moment of the call.
    - ``words`` are pieces of code that a fix may contain, as somebody else has it.
    - ``errand`` does work in the thread of the search, between two of its trials. Whatever parses Python has to be one.
      The parser of Python 3.11 fails where two threads take turns in it (``SystemError``).
    - ``denied`` gives suspects that a proposer has said not to be at fault: it is asked about none of them again.
    """

    scope: EditScope
    module_source: bytes
    test_sources: tuple[tuple[str, str], ...]
    description: str
    seed: int
    attempts: Callable[[], Sequence[Attempt]]
    seconds_left: Callable[[], float]
    values: Values | None = None
    calls: Callable[[], Calls] = Calls
    sources: Files = ()
    passing: Callable[[], Sequence[TestId]] = tuple
    suspects: tuple[Suspect, ...] = ()
    near: Callable[[], Sequence[NearMiss]] = tuple
    denied: Callable[[], Sequence[FunctionId]] = tuple
    words: tuple[str, ...] = ()
    is_over: Callable[[], bool] = lambda: False
    errand: Errand = do_at_once


class Proposer(Protocol):
    """A lazy stream of edits, likeliest first.

    ``eager`` proposers may be drawn ahead of the outcomes of what they proposed before; the others
    want to see why the last one failed.
    """

    @property
    def name(self) -> str:
        """Which proposer this is, for the record."""

    @property
    def eager(self) -> bool:
        """Whether it may be drawn ahead."""

    def propose(self, plan: PatchPlan, context: Context) -> Iterator[Proposal | Pause]:
        """Edits for the plan's one function."""


Hold = Callable[[Callable[[], Any]], Any]
"""Is given a question as it is to be sent, and gives its answer when it sees fit."""


@runtime_checkable
class Adviser(Protocol):
    """A proposer that can be asked apart from its other work, by somebody whose other edits it must not see."""

    stopped: str
    """Why it proposes no more, if so."""

    def apart(self, hold: Hold) -> Proposer:
        """The same one, told of no earlier run, each of whose questions goes through ``hold``."""

    @property
    def attempts(self) -> tuple[ModelAttempt, ...]:
        """All that was asked and answered so far."""


class ProgramQuestions(Protocol):
    """What may be asked about the program that selected tests run on. It ranks and doubts, it never certifies."""

    def record(self, function: FunctionId, most: int, text: bytes = b"") -> Calls:
        """Calls of the function while the selection runs with this text of it; none: as it is."""

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
        """Run candidate, old function and rivals on copies of the arguments of recorded calls and on the given inputs.

        Of tests that are ``asked`` about, more calls are compared than of others.

        With ``looser`` the rivals are looser forms of the candidate. The old function counts only with ``against_old``.
        With ``ends`` a test goes on with a rival that its call tells apart, and it is told how it ends there.
        """

    def work(self, mine: Trial, old: Trial, effort: int = 1) -> WorkReport:
        """Lines that both programs execute on recorded calls and on larger ones like them."""

    def force(self, ask: Query) -> Callable[[], Forced]:
        """What has to stand at places of the function so that these tests pass; begun at once, and waited for."""

    def settle(self, ask: Query, wanted: Sequence[WantedValue], *, record: bool) -> Callable[[], Settled]:
        """Expressions that give what is wanted and, with ``record``, in these tests what the program gives now."""

    def follow(self, ask: FollowQuery) -> Followed:
        """The courses of calls of a failing test, or of the passing calls that are nearest to these."""


class TrialSession(Protocol):
    """One selection of tests; each trial runs in a fork. It ranks, it never certifies."""

    def find_unfit_tests(self, function: FunctionId) -> tuple[TestId, ...]:
        """The tests that hinder it, where it is only some that do what a fork cannot answer for."""

    def trials(self, trials: Iterable[Trial]) -> Iterator[TrialOutcome]:
        """Outcomes as they come, in any order."""

    def questions_about(self, function: FunctionId) -> ProgramQuestions:
        """Who answers questions about the program; where nobody can, each answer is the reason."""

    def digest_leftovers(self) -> str:
        """A digest of the files that trials can write, as they are now: another one after something was left there.

        Empty where nobody can tell, or the server had to be started again.
        """

    def close(self) -> None:
        """End the server and everything that it started."""


class TrialServer(TrialSession, Protocol):
    """One server of trials, which may not be able to try the texts of every function."""

    def hindrance(self, function: FunctionId) -> str:
        """Why no text of the function can be tried here, else ``""``.

        One of these is so:

        - the text cannot be put in;
        - neither a body that raises nor one that returns nothing changes what these tests do, whatever it raises: this
          trial is called the canary;
        - the tests do something that a fork cannot answer for.
        """


class Sandbox(Protocol):
    """The only way to run target code."""

    def for_purpose(self, purpose: str) -> Sandbox:
        """The same sandbox, whose cold starts count as made for this: ``regressions``, say."""

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

        Without ``steady`` the seed of hashes is another one than in other runs.
        """

    def warm(
        self, tests: Sequence[TestId], files: Files = (), *, limits: Limits | None = None, fresh_import: bool = False
    ) -> TrialServer | InvalidRun:
        """A warm server for these tests on a copy with the files laid over it, where that works.

        With ``fresh_import`` each trial imports the project anew, with its text in the file.
        """

    def record_points(
        self, tests: Sequence[TestId], points: Sequence[Point], files: Files = (), *, limits: Limits | None = None
    ) -> Recording | InvalidRun:
        """Values at points of the program in one cold run; no tests means the whole selection."""

    def call_apart(
        self,
        function: FunctionId,
        calls: Sequence[CallInput],
        files: Files = (),
        *,
        limits: Limits | None = None,
        like_tests: bool = False,
    ) -> tuple[PlainAnswer | None, ...] | InvalidRun:
        """What a function gives to plain arguments in a process that imports its module, and neither tests nor pytest.

        With ``like_tests`` the process looks like one that runs tests. ``None`` stands for a call that does not end.
        """

    def compiles(self, files: Files) -> str:
        """Empty when the target's own interpreter compiles every file, else its message."""

    def find_importable(self, modules: Sequence[str]) -> tuple[str, ...]:
        """Those of the modules that the target can already import."""

    def module(
        self, name: str, args: Sequence[str], files: Files = (), *, limits: Limits | None = None
    ) -> Ran | InvalidRun:
        """Run ``python -m name args`` of the target's environment in a fresh copy with the files laid over it."""

    def sources(self) -> Files:
        """The project's Python files as they were when the sandbox was made."""


class FurtherRuns(Protocol):
    """Runs of the unpatched program that go on beside a search, as the search asks about them."""

    def is_contradicted(self) -> bool:
        """Whether they have shown by now that other tests fail than those that the search is for."""

    def wider_baseline(self) -> Baseline | None:
        """The baseline with more of the suite than the search began with, once that is known."""


@dataclass(frozen=True, slots=True)
class Unsought:
    """Why other patches that pass the same tests were not looked for, or not to the end.

    ``reason`` follows on "since": "no trial is quick here". ``needs_time`` says whether more time would help.
    """

    reason: str
    needs_time: bool = False


OUT_OF_TIME = Unsought("the time was up", needs_time=True)


@dataclass(frozen=True, slots=True)
class SecondOpinion:
    """What a model made of the same failing tests, which did not see the patch.

    - ``fixes`` are its edits that pass them, and break no other test.
    - ``elsewhere`` names the function that it holds to be at fault instead, with its reason.
    - ``silence`` says why there is neither. It follows on "no second opinion: ".
    """

    fixes: tuple[Candidate, ...] = ()
    elsewhere: str = ""
    silence: str = ""


History = Callable[[str], tuple[tuple[tuple[str, bytes], ...], bool]]
"""Gives a file's contents in earlier commits, the newest first, by their names; and whether these are all."""


@dataclass(frozen=True, slots=True)
class Submission:
    """One candidate with all that gates need to judge it.

    ``whole`` are the files to run: the candidate's own and, for a foreign patch, everything else that
    it changes. ``after`` is the suite with them, with its lines, where that was run before. ``sources``
    are the unpatched Python files. ``vouching`` are the tests whose pass counts, failing ones first;
    ``answers`` are those of them that a person gave. ``rivals`` are other plausible candidates, and
    ``unsought`` says why the search for more of them did not come to its end, or was not begun. ``second`` waits for a
    second opinion, where somebody was asked for one.
    """

    candidate: Candidate
    baseline: Baseline
    diagnoses: tuple[Diagnosis, ...]
    test_sources: tuple[tuple[str, bytes], ...]
    whole: Files
    sources: Files = ()
    vouching: tuple[TestId, ...] = ()
    answers: tuple[TestId, ...] = ()
    rivals: tuple[Candidate, ...] = ()
    unsought: Unsought | None = None
    after: TestRun | None = None
    second: Callable[[], SecondOpinion] | None = None


@dataclass(frozen=True, slots=True)
class ChangedCall:
    """A call on which callers get something else: what it came to ``before`` the patch and ``after``, in words."""

    call: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class PatchInTexts:
    """A patch as a check of a third party is shown it: all of it texts, with no program and no path of the machine.

    ``file`` is relative to the project, ``function`` its qualified name, ``before`` and ``after`` its texts.
    ``failing`` are the tests that failed before, ``calls`` a few calls that change, where these are known.
    """

    file: str
    function: str
    before: str
    after: str
    diff: str
    failing: tuple[str, ...] = ()
    calls: tuple[ChangedCall, ...] = ()


AddEvidence = Callable[[Submission, tuple[Evidence, ...]], tuple[Evidence, ...]]
"""Adds to the evidence of all gates what others say of the patch; it changes no decision."""


class Gate(Protocol):
    """One question about a candidate."""

    @property
    def name(self) -> str:
        """Which gate this is, for the record."""

    def judge(self, submission: Submission) -> Evidence:
        """The answer, with numbers."""
