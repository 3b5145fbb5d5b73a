"""Streams: one suspect with one proposer each, merged best-first: suspicion of the function times hope in the edit.

A proposer that waits for outcomes costs time or money, so it is not spread over all suspects. It has its say about one
function to its end, and then about the next. It may say that another function is at fault. That one comes next, and the
first is never asked about again. Which functions that may be is for frames and coverage to say. Failing tests run them,
or they are around one that these run, since a mend of a nested function may belong there.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from analysis.facts import FunctionId, Suspect
from analysis.functions import FunctionSpan, span_of
from repair.records.plan import Localized, plan
from repair.records.ports import Context, Proposer
from repair.records.task import PatchPlan, Pause, Strategist, first_strategy
from transforms.patch.printer import Printer
from transforms.tree.candidate import Rejected
from transforms.tree.proposal import Proposal
from transforms.tree.scope import EditScope, open_scope

MOST_SUSPECTS = 8
"""Suspects that a search begins with."""

MOST_FURTHER = 16
"""Further ones that it looks at where it has found nothing: a small function is soon tried, whatever its rank."""

FURTHER_SHARE, FURTHER_SHARE_OF_FEW = 0.6, 0.3
"""What is left of the time when these join the first ones, at the latest; less where few edits were tried until then.
"""

FIRST_EDITS = 80
"""Edits of each of them that are drawn before all are drawn likeliest first: a small function has few more."""

LEAST_WEIGHT = 0.05

MOST_HOPE = 0.02
"""What the first edit of a stream is taken for before it is drawn: making it costs reading the whole module."""

DECIDING, UNDECIDING = 3.0, 0.6
"""Factors for the edits of a function in which another value at one place mends the failing tests, or none does."""

STALE = 0.25
"""A stream that is behind what its suspiciousness entitles it to by so much is drawn next, whatever its hopes."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A stream that the budget has cut: after how many edits, and of which families nothing was left."""

    title: str
    drawn: int
    ended: tuple[str, ...] = ()


@dataclass(slots=True, eq=False)
class CandidateStream:
    """A stream of proposals for one function. ``drawn`` counts what was taken from it; ``head`` is the next one.

    ``place`` is the function for a reader. ``empty`` says that nothing is left in it; ``ended`` are families of edits
    of which nothing is left.
    """

    scope: EditScope
    printer: Printer
    span: FunctionSpan
    place: str
    plan: PatchPlan
    proposer: Proposer
    proposals: Iterator[Proposal | Pause]
    weight: float
    drawn: int = 0
    head: Proposal | None = None
    last: float = MOST_HOPE
    empty: bool = False
    ended: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    """Pieces of code that its proposer has named for a fix, and that the search has not tried yet."""
    base: CandidateStream | None = None
    """The stream of the function as it is, where this one holds edits on top of another edit of it."""
    waits: int = 0
    """How many proposals of all streams are to be drawn before it is asked again."""
    said: str = ""

    @property
    def root(self) -> CandidateStream:
        """The stream of the function as it is."""
        return self if self.base is None else self.base

    @property
    def hope(self) -> float:
        """How likely the next edit is to be the fix, beside those of other streams: no likelier than the last one."""
        return self.weight * (self.last if self.head is None else self.head.weight)

    def take(self) -> Proposal | None:
        """The head, which is gone then."""
        proposal, self.head = self.head, None
        if proposal is not None:
            self.ended += proposal.ended
        self.last = proposal.weight if proposal is not None else 0.0
        self.drawn += 1
        return proposal

    @property
    def title(self) -> str:
        """The function and the proposer, for a reader, and what that has said."""
        by = f"{self.proposer.name}: {self.said}" if self.said else self.proposer.name
        return f"{self.place} ({by})"

    def ask(self) -> Proposal | Pause | None:
        """Ask the proposer for the next head; a pause leaves the stream without one."""
        self.waits, given = 0, next(self.proposals, None)
        if isinstance(given, Pause):
            self.waits, self.said = given.draws, given.said or self.said
            self.words = given.words or self.words
        else:
            self.head = given
        return given

    @property
    def cut(self) -> Cut:
        """How far it came, where it did not come to its end."""
        return Cut(self.title, self.drawn, self.ended)


@dataclass(frozen=True, slots=True)
class Opening:
    """What streams are opened with: the suspects, their texts, and what proposers see of one of them."""

    localized: Localized
    texts: Mapping[str, bytes]
    context: Callable[[EditScope, FunctionSpan], Context]
    strategist: Strategist = first_strategy
    """What earlier runs say of the proposers."""

    def open_streams(self, suspect: Suspect, proposers: Sequence[Proposer]) -> list[CandidateStream] | str:
        """A stream of each proposer for this suspect, or a sentence why it cannot be edited."""
        path = suspect.function.path
        spans = self.localized.index.get(path, ())
        span = span_of(spans, suspect.function)
        if span is None:
            return f"{path}: {suspect.function.qualname} cannot be edited: its text was not found there"
        scope = open_scope(self.texts[path], span)
        if isinstance(scope, Rejected):
            return f"{path}: {suspect.function.qualname} cannot be edited: {scope.detail}"
        printer = Printer(scope)
        made = plan(suspect, self.localized.diagnoses)
        weight = max(suspect.suspiciousness, LEAST_WEIGHT) ** 2
        place = f"{path}:{span.function.qualname}"
        if sum(each.function.qualname == span.function.qualname for each in spans) > 1:
            place += f" at line {span.def_line}"  # a property's setter, say
        strategy = self.strategist(made, tuple(self.texts.items()))

        def open_stream(p: Proposer) -> CandidateStream:
            proposals, own = p.propose(made, self.context(scope, span)), weight * strategy.share(p.name)
            return CandidateStream(scope, printer, span, place, made, p, proposals, own)

        return [open_stream(p) for p in proposers]


def open_streams(
    opening: Opening, suspects: Sequence[Suspect], proposers: Sequence[Proposer]
) -> tuple[list[CandidateStream], list[str]]:
    """Streams for these suspects, and a sentence for each suspect that cannot be edited."""
    streams: list[CandidateStream] = []
    refused: list[str] = []
    for suspect in suspects:
        opened = opening.open_streams(suspect, proposers)
        if isinstance(opened, str):
            refused.append(opened)
        else:
            streams += opened
    return streams, refused


@dataclass(slots=True)
class FurtherSuspects:
    """The suspects behind the first ones, opened once: where ``is_due`` says that these have had their time in vain."""

    opening: Opening
    proposers: Sequence[Proposer]
    is_due: Callable[[], bool]
    opened: bool = False

    @property
    def are_left(self) -> bool:
        """Whether there are some that are not opened yet."""
        return not self.opened and len(self.opening.localized.suspects) > MOST_SUSPECTS

    @property
    def are_due(self) -> bool:
        """Whether they are to be opened now."""
        return self.are_left and self.is_due()

    def open(self) -> list[CandidateStream]:
        """Their streams, of those proposers that need not be waited for. What cannot be edited is left out."""
        self.opened = True
        further = self.opening.localized.suspects[MOST_SUSPECTS:][:MOST_FURTHER]
        opened, _ = open_streams(self.opening, further, [each for each in self.proposers if each.eager])
        return opened


def interleave(
    streams: Sequence[CandidateStream], enough: Callable[[], bool], known: Sequence[CandidateStream] = ()
) -> Iterator[tuple[CandidateStream, Proposal | None]]:
    """Proposals of all streams, likeliest fix first; a stream that is empty gives ``None`` once.

    What one of them says of its function counts for all that are ``known``, too: some are drawn at other times.

    Streams without opinions about their edits, and those far behind their share, are drawn as often as
    their weight says.
    """
    left = [stream for stream in streams if not stream.empty]
    while left and not enough():
        stream = _next_stream([stream for stream in left if not stream.waits] or left)
        if stream.head is None:
            given = stream.ask()
            if isinstance(given, Pause):
                _weigh_anew(known or streams, stream, given.decides)
                continue
            if given is None:
                left.remove(stream)
                stream.empty = True
                yield stream, None
                continue
            if given.weight and stream is not _next_stream([each for each in left if not each.waits]):
                continue
        for each in left:
            each.waits = max(0, each.waits - 1)
        yield stream, stream.take()


def _weigh_anew(streams: Sequence[CandidateStream], asked: CandidateStream, decides: bool | None) -> None:
    """Edits of a function are likelier fixes where another value in it mends the failing tests, and else less likely.

    Forced values are mutants, and those that mend say where the fault is (value replacement: Jeffrey, Gupta and Gupta,
    2008). MUSE does so with mutants that failing tests notice (Moon, Kim, Kim and Yoo, 2014).
    """
    if decides is not None:
        for stream in streams:
            if stream.span == asked.span:
                stream.weight *= DECIDING if decides else UNDECIDING


def _next_stream(streams: Sequence[CandidateStream]) -> CandidateStream:
    behind = min(streams, key=lambda each: each.drawn / each.weight)
    best = max(streams, key=lambda each: each.hope)
    entitled = behind.weight / sum(each.weight for each in streams) * sum(each.drawn for each in streams)
    return behind if not best.hope or behind.drawn < STALE * entitled - 1 else best


AROUND = "it is around a suspect"
"""Why a function may be edited that no failing test runs."""

OpenStream = Callable[[CandidateStream, Suspect], CandidateStream | None]
"""A stream of the same proposer for another suspect; ``None`` where that cannot be edited."""


def reachable_suspects(localized: Localized, function: FunctionId) -> tuple[Suspect, ...]:
    """The functions that may be edited, where this one is looked at: all suspects, and those around it.

    What is around it (``outer``, of ``outer.inner`` or ``outer.Class.method``) stands behind it where no test runs it.
    """
    known = {suspect.function for suspect in localized.suspects}
    found: list[Suspect] = []
    for suspect in localized.suspects:
        found.append(suspect)
        if suspect.function == function:
            around = (each for each in _functions_around(localized, function) if each not in known)
            found += [replace(suspect, function=each, reasons=(AROUND,)) for each in around]
    return tuple(found)


def _functions_around(localized: Localized, function: FunctionId) -> Iterator[FunctionId]:
    """The functions that hold this one, the innermost first."""
    spans = localized.index.get(function.path, ())
    own = span_of(spans, function)
    holding = [span for span in spans if own is not None and span.contains(own.def_line) and span is not own]
    yield from (span.function for span in sorted(holding, key=lambda span: span.end_line - span.def_line))


class PatientTurns:
    """The turns of these streams, of one after the other or of several at once, each in a thread of its own.

    Several at once are of one proposer. Functions that are said not to be at fault are added to ``denied``.
    """

    def __init__(
        self,
        streams: Sequence[CandidateStream],
        localized: Localized,
        open_stream: OpenStream,
        denied: list[FunctionId],
    ) -> None:
        order = list(dict.fromkeys(stream.proposer.name for stream in streams))
        self._waiting = sorted(streams, key=lambda stream: (order.index(stream.proposer.name), -stream.weight))
        self._asked: list[CandidateStream] = []
        self._lock = threading.Lock()
        self._localized = localized
        self._open = open_stream
        self._denied = denied

    def draw(
        self, enough: Callable[[], bool], known: Sequence[CandidateStream] = ()
    ) -> Iterator[tuple[CandidateStream, Proposal | None]]:
        """What they propose, each proposal with its stream; a stream that has ended gives ``None`` once.

        What one of them says of its function counts for all that are ``known``. Drawn twice at once, it is about two
        functions.
        """
        stream: CandidateStream | None = None
        while not enough():
            stream = stream or self._begin()
            if stream is None:
                return
            asked, given = stream, stream.ask()
            if given is None:
                self._end(asked)
                stream = None
                yield asked, None
            elif not isinstance(given, Pause):
                yield asked, asked.take()
            elif given.elsewhere is not None:
                self._go_to(asked, given.elsewhere)
                stream = None
                yield asked, None
            else:
                _weigh_anew(known or self._waiting, asked, given.decides)
                if given.words:
                    yield asked, None  # the search tries them before anything more is asked

    def _begin(self) -> CandidateStream | None:
        """The first that nobody asks, of the proposer whose turn it is; it is being asked from now on."""
        with self._lock:
            own = [each for each in self._waiting if each.proposer is self._waiting[0].proposer]
            found = next((each for each in own if each not in self._asked), None)
            if found is not None:
                self._asked.append(found)
            return found

    def _end(self, stream: CandidateStream) -> None:
        with self._lock:
            self._waiting.remove(stream)
        stream.empty = True

    def _go_to(self, stream: CandidateStream, function: FunctionId) -> None:
        """The function comes next, and that of the stream never again."""
        self._end(stream)
        with self._lock:
            self._denied.append(stream.span.function)
            waiting = self._waiting
            own = [each for each in waiting if each.proposer is stream.proposer and each.span.function == function]
            reachable = reachable_suspects(self._localized, stream.span.function)
            named = next((suspect for suspect in reachable if suspect.function == function), None)
            if not own and named is not None and function not in self._denied:
                opened = self._open(stream, named)
                own = [opened] if opened is not None else []
            self._waiting = [*own, *(each for each in waiting if each not in own)]
