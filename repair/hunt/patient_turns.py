"""Whose turn it is among proposers that wait for outcomes: one function after another, the likeliest first.

Such a proposer costs time or money, so it is not spread over all suspects. It has its say about one function to its
end, and then about the next. It may say that another function is at fault. That one comes next, and the first is never
asked about again. Which functions that may be is for frames and coverage to say. Failing tests run them, or they are
around one that these run, since a mend of a nested function may belong there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from analysis.facts import FunctionId, Suspect
from analysis.functions import span_of
from repair.hunt.candidate_streams import CandidateStream, weigh_anew
from repair.records.plan import Localized
from repair.records.task import Pause
from transforms.tree.proposal import Proposal

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
    """The turns of these streams; functions that are said not to be at fault are added to ``denied``."""

    def __init__(
        self,
        streams: Sequence[CandidateStream],
        localized: Localized,
        open_stream: OpenStream,
        denied: list[FunctionId],
    ) -> None:
        order = list(dict.fromkeys(stream.proposer.name for stream in streams))
        self._waiting = sorted(streams, key=lambda stream: (order.index(stream.proposer.name), -stream.weight))
        self._localized = localized
        self._open = open_stream
        self._denied = denied

    def draw(
        self, enough: Callable[[], bool], known: Sequence[CandidateStream] = ()
    ) -> Iterator[tuple[CandidateStream, Proposal | None]]:
        """What they propose, each proposal with its stream; a stream that has ended gives ``None`` once.

        What one of them says of its function counts for all that are ``known``.
        """
        while self._waiting and not enough():
            stream = self._waiting[0]
            given = stream.ask()
            if given is None:
                self._waiting.remove(stream)
                stream.empty = True
                yield stream, None
            elif not isinstance(given, Pause):
                yield stream, stream.take()
            elif given.elsewhere is not None:
                self._go_to(stream, given.elsewhere)
                yield stream, None
            else:
                weigh_anew(known or self._waiting, stream, given.decides)

    def _go_to(self, stream: CandidateStream, function: FunctionId) -> None:
        """The function comes next, and that of the stream never again."""
        self._denied.append(stream.span.function)
        stream.empty = True
        self._waiting.remove(stream)
        own = [each for each in self._waiting if each.proposer is stream.proposer and each.span.function == function]
        reachable = reachable_suspects(self._localized, stream.span.function)
        named = next((suspect for suspect in reachable if suspect.function == function), None)
        if not own and named is not None and function not in self._denied:
            opened = self._open(stream, named)
            own = [opened] if opened is not None else []
        self._waiting = [*own, *(each for each in self._waiting if each not in own)]
