"""What a run answers (``repair.result/1``): the record that is printed, stored and handed to a host.

These are plain dataclasses, so that a host which embeds us needs no other library to hold one. ``repair.show.output``
derives the published JSON Schema from these same classes. Every field has a default where a run may end before it is
known. Fields are only added within a major version.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeVar

from repair.records.json_records import from_plain, to_plain

SCHEMA: Literal["repair.result/1"] = "repair.result/1"

Accept = Literal["certified", "plausible"]


STILL_FAILING = "still_failing"
"""The kind of finding that names tests which run what a change edits, failed before and fail still."""


class Status(enum.StrEnum):
    """The word of a run. The first ten are verdicts on the work, the rest say why there was none."""

    CERTIFIED = "certified"
    PLAUSIBLE = "plausible"
    REJECTED = "rejected"
    UNREPAIRED = "unrepaired"
    OUT_OF_SCOPE = "out_of_scope"
    NOT_REPRODUCED = "not_reproduced"
    FLAKY = "flaky"
    ENVIRONMENT = "environment"
    TEST_DEFECT = "test_defect"
    UNPARSEABLE = "unparseable"
    DIAGNOSED = "diagnosed"  # ``explain`` did its work
    NOTHING_FAILS = "nothing_fails"
    UNCHANGED = "unchanged"  # ``check`` was given no change of the program
    INTERRUPTED = "interrupted"
    MODEL_ERROR = "model_error"
    USAGE = "usage"
    CONFLICT = "conflict"
    FOREIGN = "foreign"  # recorded, and not by this user's engine
    ERROR = "error"  # a defect of ours


_BY_EXIT_CODE = {
    0: (Status.CERTIFIED, Status.DIAGNOSED, Status.UNCHANGED),
    1: (
        *(Status.PLAUSIBLE, Status.REJECTED, Status.UNREPAIRED, Status.OUT_OF_SCOPE),
        *(Status.TEST_DEFECT, Status.CONFLICT, Status.FOREIGN),
    ),
    2: (Status.USAGE,),
    3: (Status.FLAKY, Status.ENVIRONMENT, Status.UNPARSEABLE),
    4: (Status.MODEL_ERROR,),
    5: (Status.NOT_REPRODUCED, Status.NOTHING_FAILS),
    70: (Status.ERROR,),
    130: (Status.INTERRUPTED,),
}
EXIT_CODES = {status: code for code, statuses in _BY_EXIT_CODE.items() for status in statuses}


def exit_code(status: Status, accept: Accept = "certified", *, allow_no_failure: bool = False) -> int:
    """The process status that a result word leads to."""
    code = EXIT_CODES[status]
    is_enough = (status is Status.PLAUSIBLE and accept == "plausible") or (allow_no_failure and code == 5)
    return 0 if is_enough else code


@dataclass(frozen=True, slots=True)
class ConstraintView:
    """One thing that the failure says about an input or an operation."""

    kind: str
    claim: str
    expression: str = ""
    detail: str = ""
    file: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class AnalysisView:
    """What one failure comes from, as far as it is known before any edit.

    ``edit`` is the kind that suits it: update, patch or rewrite; empty where no edit of a function helps.
    """

    root_cause: str
    category: str
    scope: str = ""
    edit: str = ""
    reason: str = ""
    """Why that kind of edit, or none."""
    file: str = ""
    function: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class FailureView:
    """One failing test, classified. ``failure_class`` is called ``class`` in JSON."""

    test: str
    failure_class: str = field(metadata={"json": "class"})
    subclass: str = ""
    exception: str = ""
    message: str = ""
    function: str = ""
    constraints: tuple[ConstraintView, ...] = ()
    analysis: AnalysisView | None = None


@dataclass(frozen=True, slots=True)
class SuspectView:
    """A function that may hold the fault, and why we think so."""

    file: str
    function: str
    line: int
    suspiciousness: float
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PlanView:
    """What a fix would be held to: shown by ``explain``."""

    file: str
    function: str
    failure_class: str
    kinds: tuple[str, ...] = ()
    policy: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    explanation: str = ""
    tier: str = ""
    """Where ``fix`` would try the function's edits; with the reason where that is not the quickest tier."""
    tier_reason: str = ""


@dataclass(frozen=True, slots=True)
class AskedView:
    """What would settle a doubt: in words, and where an input tells, what either program does with it."""

    question: str
    call: str = ""
    mine: str = ""
    """What it does under this patch: ``returns 5``."""
    other: str = ""
    goes_on: str = ""
    """How the test goes on that makes the call, with this patch and with the other program, where that is known."""
    of_model: bool = False
    """Whether the other program is a model's own fix, made without sight of the patch."""
    doubt: str = ""
    """What asks: a doubt by its name, or a gate that is not weighed; empty where no doubt does."""
    telling: bool = True
    """Whether a person reads the call and both ends in a moment, and these differ in more than a kind of sequence."""


@dataclass(frozen=True, slots=True)
class EvidenceView:
    """What one gate saw. ``decision`` is accept, reject or unknown."""

    gate: str
    decision: str
    claim: str
    measurements: Mapping[str, int | float | str] = field(default_factory=dict)
    witness: str = ""
    seconds: float = 0.0
    answer: str = ""
    """What ``--answer`` takes if the program should do there what the patch does; to be changed where it should not."""
    otherwise: str = ""
    """What it takes if the program should do what the other program does."""
    asked: AskedView | None = None
    """The question that would settle the gate's doubt."""


@dataclass(frozen=True, slots=True)
class RiskView:
    """How likely a patch is not what its author meant, by what the gates found; a certificate takes ``limit`` at most.

    ``upper`` is the upper bound of the share of wrong ones among patches of a risk like this one's. These were some of
    the ``patches`` of ``projects`` that the weights were learned on. ``shares`` are parts of the log-odds by feature.
    The weights of those ``by_hand`` were not learned: no such patch had them. ``like`` counts judged patches that were
    rated alike. ``like_upper`` is the upper bound of the share of wrong ones among these, with one patch in five wrong.
    Of ``unseen`` certificates, counted in programs that no rule knew, ``unseen_wrong`` were wrong.
    """

    value: float
    upper: float
    patches: int
    projects: int
    limit: float
    shares: Mapping[str, float] = field(default_factory=dict)
    by_hand: tuple[str, ...] = ()
    like: int = 0
    like_upper: float = 1.0
    unseen: int = 0
    unseen_wrong: int = 0


@dataclass(frozen=True, slots=True)
class FileChange:
    """One file of a patch by content: SHA-256 of the bytes before and after, ``""`` where there is none."""

    path: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class ChangeView:
    """A call on which callers get something else: what it gave, and what it gives.

    ``tested`` says that a test makes it. ``said_by`` is who says that it should change: ``test``, ``docstring``,
    ``person`` or ``nobody``. ``source`` is that test, example or answer; of ``nobody`` a test that passes either way.
    """

    call: str
    before: str
    after: str
    tested: bool = False
    said_by: str = ""
    source: str = ""


@dataclass(frozen=True, slots=True)
class RegionView:
    """The first and the last changed line, in the file as it lies in the project."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class EffectView:
    """What a change does to callers that no failing test asks for.

    - ``inputs`` were compared: on ``changed`` of them callers get something else (``bounded``: on more, perhaps), on
      ``kept`` what they got.
    - ``changes`` are a few unlike ones. ``unnoticed`` are tests that make such a call, and pass either way.
    - ``lines`` statements are changed; ``unrun`` has the first lines of those that no test runs.
    - ``refactoring`` says that nothing differs, on enough inputs, and that tests run each changed statement.
    """

    inputs: int = 0
    kept: int = 0
    changed: int = 0
    bounded: bool = False
    changes: tuple[ChangeView, ...] = ()
    unnoticed: tuple[str, ...] = ()
    lines: int = 0
    unrun: tuple[int, ...] = ()
    refactoring: bool = False
    gap: str = ""
    """Why nothing, or not enough, could be compared."""


@dataclass(frozen=True, slots=True)
class PatchView:
    """One judged patch. ``status`` is certified, plausible or rejected; ``line`` is where its function starts.

    Rank 1 is the answer and higher ranks are alternatives; the functions of one checked change all have rank 1.
    ``reasons`` say why a search ranked it there. ``differs`` names an input on which an alternative and the answer
    part, and what the answer does first. It is empty where none is known. ``second_opinion`` is what a model said that
    did not see the patch, or why it said nothing; it is empty where none was named.
    """

    rank: int
    status: Status
    file: str
    function: str
    diff: str
    digest: str
    edit_kind: str = ""
    proposer: str = ""
    operator: str = ""
    size: int = 0
    explanation: str = ""
    line: int = 0
    evidence: tuple[EvidenceView, ...] = ()
    risk: RiskView | None = None
    questions: tuple[str, ...] = ()
    not_checked: tuple[str, ...] = ()
    files: tuple[FileChange, ...] = ()
    reasons: tuple[str, ...] = ()
    differs: str = ""
    effect: EffectView | None = None
    """Of a checked change that no failing test asks for: what it does to callers."""
    changes: tuple[ChangeView, ...] = ()
    """A few unlike calls on which callers get something else, and who says so."""
    changes_gap: str = ""
    """Why it is not known what changes for callers."""
    region: RegionView | None = None
    cause: int = 0
    """The number of the cause that it mends; ranks count within a cause. 0 for a checked change."""
    second_opinion: str = ""
    others_say: tuple[str, ...] = ()
    """What checks of third parties say of it, each with its name: it weighs nothing."""


@dataclass(frozen=True, slots=True)
class CauseView:
    """Failing tests that one patch may mend together, and what became of them.

    - ``number`` counts from 1, in the order in which the causes were worked on.
    - ``function`` is that of the patch; without one it is the first suspect.
    - ``patch`` is the digest of the answer, empty where there is none. ``status`` is the word on this cause alone.
    - ``stands_on`` are the causes whose patches lay under the program when the patch was judged.
    - ``messages``, ``brief`` and ``next_action`` say why it is left, and what may help.
    """

    number: int
    tests: tuple[str, ...]
    status: Status
    file: str = ""
    function: str = ""
    line: int = 0
    patch: str = ""
    stands_on: tuple[int, ...] = ()
    messages: tuple[str, ...] = ()
    brief: str = ""
    next_action: str = ""
    plan: PlanView | None = None
    seconds: float = 0.0
    """What the work on it took."""


@dataclass(frozen=True, slots=True)
class StackView:
    """Patches of several causes in one program, lowest first: what `repair apply` writes.

    ``status`` is the word of the weakest of them. ``diff`` and ``files`` go from the project as it is to all of them.
    ``claim`` says how this program was tried as a whole.
    """

    causes: tuple[int, ...]
    status: Status
    diff: str
    files: tuple[FileChange, ...] = ()
    claim: str = ""


class SeveralPatches(Protocol):
    """Patches of several causes in one program."""

    @property
    def causes(self) -> tuple[int, ...]:
        """The numbers of the causes."""

    @property
    def status(self) -> Status:
        """The word of the weakest of them."""


Several = TypeVar("Several", bound=SeveralPatches)


def pick_stack(stacks: Sequence[Several]) -> Several | None:
    """What is meant where no cause is named: the most patches, then the better word, then the likeliest cause."""
    words = list(Status)
    return max(
        stacks, key=lambda each: (len(each.causes), -words.index(each.status), -sum(each.causes[-1:])), default=None
    )


@dataclass(frozen=True, slots=True)
class FindingView:
    """Something that ``check`` saw beside the changed functions: a changed test, an edit outside any function."""

    kind: str
    claim: str
    file: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class TierLeft:
    """Why edits were not tried in a tier: all those of some functions, or a number of single ones."""

    tier: str
    reason: str
    functions: tuple[str, ...] = ()
    candidates: int = 0


@dataclass(frozen=True, slots=True)
class Counts:
    """How many candidates came how far. ``tiers`` says how the executed ones were run: warm, batch, zygote or cold."""

    candidates: int = 0
    distinct: int = 0
    invalid: int = 0
    executed: int = 0
    plausible: int = 0
    remembered: int = 0
    """Those that were not run, since their outcome is known from before."""
    rivals: int = 0
    """Edits run besides, in the search for rivals of the best candidate."""
    tiers: Mapping[str, int] = field(default_factory=dict)
    left: tuple[TierLeft, ...] = ()
    """Why a quicker tier was left, the commonest reasons."""


@dataclass(frozen=True, slots=True)
class Seconds:
    """Where the time went."""

    total: float = 0.0
    baseline: float = 0.0
    localize: float = 0.0
    search: float = 0.0
    model: float = 0.0
    validate: float = 0.0
    gates: float = 0.0


@dataclass(frozen=True, slots=True)
class ArmUse:
    """What one model or agent was asked and used. ``usd`` is ``None`` where nobody knows its prices.

    Of an agent the runs are counted, and its tokens are not known.
    """

    arm: str
    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    usd: float | None = None


@dataclass(frozen=True, slots=True)
class Cost:
    """What models cost. ``requests`` are questions, ``tries`` counts how often they were sent.

    ``usd`` counts those of the ``arms`` alone whose prices are known.
    """

    input_tokens: int = 0
    output_tokens: int = 0
    usd: float = 0.0
    requests: int = 0
    tries: int = 0
    arms: tuple[ArmUse, ...] = ()


@dataclass(frozen=True, slots=True)
class ModelAttempt:
    """One request to a model about a function, what it said, and what became of that.

    - ``tests`` are those to mend. ``stage`` says which facts it was given; ``thread`` and ``turn`` count from 1.
    - ``kind`` is that of the edit, empty where there was none. ``explanation`` and ``reasoning`` are the model's.
    - ``outcome`` is a word: failed, passed, doubted, not tried, repeated, elsewhere, not there, or why the reply was of
      no use.
    - ``prompt`` and ``reply`` are what was sent and what came back, cut where they are long.
    """

    file: str
    function: str
    tests: tuple[str, ...] = ()
    stage: str = ""
    thread: int = 1
    turn: int = 1
    kind: str = ""
    explanation: str = ""
    reasoning: str = ""
    outcome: str = ""
    reason: str = ""
    prompt: str = ""
    reply: str = ""
    category: str = ""
    """The kind of failure as the model has it, of the closed list; asked for where no rule of ours knows it."""
    model: str = ""
    """Which model was asked."""


@dataclass(frozen=True, slots=True)
class Result:
    """One answer. ``brief`` goes with ``out_of_scope``, ``plan`` with ``explain``, ``findings`` with ``check``.

    ``messages`` say in sentences what happened (for a status that is no verdict: why), ``warnings`` what to mind.
    """

    status: Status
    run: str = ""
    root: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)
    seed: int = 0
    failures: tuple[FailureView, ...] = ()
    suspects: tuple[SuspectView, ...] = ()
    patches: tuple[PatchView, ...] = ()
    counts: Counts = Counts()
    cold_starts: Mapping[str, int] = field(default_factory=dict)
    """How many processes of the target were started that import pytest, by what for."""
    seconds: Seconds = Seconds()
    cost: Cost = Cost()
    isolation: str = ""
    isolation_opens: tuple[str, ...] = ()
    next_action: str = ""
    answers: tuple[str, ...] = ()
    """What a person answered, each as a test under both programs."""
    answered_by: str = ""
    """By which way the answers came, where no person typed them into the command."""
    findings: tuple[FindingView, ...] = ()
    plan: PlanView | None = None
    brief: str = ""
    messages: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    causes: tuple[CauseView, ...] = ()
    """Of ``fix`` and ``explain``: the failing tests by cause."""
    stacks: tuple[StackView, ...] = ()
    """Where there are several causes: each program of patches that can be applied, the largest last."""
    recorded: str = ""
    """The run that this answer was recorded in, where nothing was judged anew: all that it rests on is the same."""
    set_aside: tuple[FailureView, ...] = ()
    """Tests that fail too and that no patch of a function can answer: an environment, a defect of the test."""
    task: str = ""
    """The original task or bug report, as it was given."""
    attempts: tuple[ModelAttempt, ...] = ()
    """What a model was asked and answered, in order, whatever came of it."""
    checklist: str = ""
    """The page with the state of every failing test of the project, for people."""
    resumed_from: str = ""
    """The run that this one went on from, which was ended before it had come to its end."""
    of_change: bool = False
    """Whether a change that somebody made was judged, as `repair check` does."""
    needs_approval: bool = False
    """Whether the settings said that a person has to approve its patches before they are written."""
    schema: Literal["repair.result/1"] = SCHEMA

    def accepted(self, accept: Accept = "certified") -> tuple[PatchView, ...]:
        """The accepted patches of rank 1, in the order in which they are laid over each other.

        ``()`` for a run that did not end well, unless some of its several causes have an accepted patch.
        """
        if self.stacks:
            stack = self.accepted_stack(accept)
            first = {patch.cause: patch for patch in self.patches if patch.rank == 1}
            return tuple(first[number] for number in stack.causes) if stack is not None else ()
        if exit_code(self.status, accept) or self.status is Status.DIAGNOSED:
            return ()
        return tuple(patch for patch in self.patches if patch.rank == 1)

    def accepted_stack(self, accept: Accept = "certified") -> StackView | None:
        """The most accepted patches that were tried together; ``None`` where there is one cause, or none accepted."""
        enough = [stack for stack in self.stacks if exit_code(stack.status, accept) == 0]
        return pick_stack(enough)

    def accepted_diff(self, accept: Accept = "certified") -> str:
        """All accepted patches as one diff that applies to the project as it is."""
        stack = self.accepted_stack(accept)
        return stack.diff if stack is not None else "".join(patch.diff for patch in self.accepted(accept))

    def to_json(self) -> dict[str, Any]:
        """The result as JSON values, ``schema`` first."""
        values = to_plain(self)
        return {"schema": values.pop("schema"), **values}

    @classmethod
    def from_json(cls, values: Any) -> Result:
        """The result that the JSON values describe. Unknown fields are passed over, wrong ones raise ``ValueError``."""
        result: Result = from_plain(cls, values, "result")
        return result
