"""What is made of near edits: unions of their atoms, and further edits on top of those that are drawn.

A search runs it now and then while it has found nothing, when a model's edit has failed, and in the end.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from analysis.facts import Digest, FunctionId
from repair.hunt.candidate_streams import CandidateStream, interleave
from repair.hunt.fusion import MOST_UNITED, unions
from repair.hunt.near_edits import MOST_SECONDS, TURN_EDITS, NearEdit, NearEdits
from repair.hunt.neighbourhood import open_neighbourhood
from repair.hunt.search_state import SearchState
from repair.hunt.worded import worded_edits
from repair.records.ports import Context
from repair.trials.pool import Pool
from transforms.patch.edit_atoms import atom_key
from transforms.synthesis.candidates import PROPOSER as SYNTHESIS
from transforms.tree.proposal import Proposal

FIRST_DRAWN = 1000
"""Edits that a search draws before near edits are gone on from; then as many as were drawn by then, and so on."""

ROUND_TURNS = 8
"""Turns of near edits before the search goes on."""

UNITED_AT_ONCE = 32
"""Unions that are tried before their outcomes count."""

ASKED_SHARE = 0.15
"""Of the time that is left, what going on from a reply may take before the next request."""

JOINING_SHARE = 0.25
"""What of its time a search keeps for near edits, where it has some and several tests fail."""

Drawn = tuple[CandidateStream, Proposal]


@dataclass(slots=True)
class Joining:
    """The work on the near edits of one search; without a stream of the search for a function there is none on it.

    - ``context`` is what a proposer is shown of the function of a stream.
    - ``is_done`` says that the search has found something, or may not go on.
    - ``attempt`` tries edits.
    """

    near: NearEdits
    context: Callable[[CandidateStream], Context]
    clock: Callable[[], float]
    pool: Pool
    state: SearchState
    is_done: Callable[[], bool]
    attempt: Callable[[Iterator[Drawn]], None]
    streams: Sequence[CandidateStream] = ()
    due: int = FIRST_DRAWN
    _asked: int = 0
    _worded: Iterator[Drawn] = field(default_factory=lambda: iter(()))
    _has_words: bool = False
    _united: set[frozenset[object]] = field(default_factory=set)
    _fused: int = 0
    _opened: dict[Digest, CandidateStream | None] = field(default_factory=dict)

    @property
    def is_due(self) -> bool:
        """Whether near edits are to be gone on from before the streams of the search."""
        return self.state.drawn >= self.due and (self.near.is_worthwhile or self._has_words) and not self.is_done()

    def go_on_from_asked(self, left: float) -> None:
        """Go on from what a model said, where an edit of it has failed or it has named words.

        The next request waits for that: of the seconds that are ``left`` no more than a share. One half of it is for
        what is near a reply's edit, the other for its words, which come after it.
        """
        if self._asked < len(self.near.asked) or self._has_words:
            self._asked = len(self.near.asked)
            until = self.clock() + min(MOST_SECONDS, ASKED_SHARE * left) / 2
            self.run(lambda: self.clock() > until, asked=True)

    def take_words(self, asked: CandidateStream) -> None:
        """Have edits made of the words that the proposer of a stream has named.

        They stand in place of expressions, and are the first ingredients of the search's operators.
        """
        words, asked.words = asked.words, ()
        below = self._stream_of(asked.scope.function)
        if words and below is not None:
            edits = worded_edits(below, self.context(below), words, asked.proposer.name)
            self._worded = itertools.chain(self._worded, ((below, each) for each in edits))
            self._has_words = True

    def run(
        self,
        over: Callable[[], bool],
        turns: int | None = None,
        *,
        asked: bool = False,
        interrupted: Callable[[], bool] = lambda: False,
    ) -> bool:
        """Try what is made of words and near edits, until something is found or it is over.

        No more than so many ``turns`` are taken. Where it is ``interrupted``, it is to be run again, and ``False``.
        """

        def ended() -> bool:
            return self.is_done() or over()

        if self.near.may_look_back and not asked:
            run = self.pool.backwards.trials
            self.near.look_back(lambda trials: run(_draw_until(ended, trials)))
        for batch in self.batches(turns, asked=asked):
            self.attempt(_draw_until(ended, batch))
            if ended():
                break
            if interrupted():
                return False
        self.due = max(self.due, 2 * self.state.drawn) if not asked else self.due
        return True

    def batches(self, turns: int | None = None, *, asked: bool = False) -> Iterator[Iterator[Drawn]]:
        """Edits to try, so many turns of near edits at most; the outcomes of one batch decide about the next.

        With ``asked`` the near edits of a model alone are gone on from.
        """
        while True:
            while batch := list(itertools.islice(self._unions(), UNITED_AT_ONCE)):
                yield iter(batch)
            if turns is not None and not turns:
                return
            if self._has_words:
                words = list(itertools.islice(self._worded, TURN_EDITS))
                self._has_words = bool(words)
                yield iter(words)
                continue
            near = self.near.draw(asked=asked)
            if near is None:
                return
            turns = None if turns is None else turns - 1
            began = self.clock()
            yield self._on_top(near)
            self.near.took(near, self.clock() - began)

    def _unions(self) -> Iterator[Drawn]:
        """Unions that were not tried yet, of the near edits that are known by now."""
        if len(self.near.known) == self._fused:
            return
        for proposal in unions(self.near.best_first()):
            if len(self._united) >= MOST_UNITED:
                break
            key = frozenset(map(atom_key, proposal.replacements))
            stream = self._stream_of(proposal.function)
            if stream is not None and key not in self._united:
                self._united.add(key)
                yield stream, proposal
        self._fused = len(self.near.known)

    def _on_top(self, near: NearEdit) -> Iterator[Drawn]:
        """The edits of one turn on top of the near edit."""
        key = near.edit.trial.digest
        if key not in self._opened:
            below = self._stream_of(near.edit.trial.function)
            self._opened[key] = below and open_neighbourhood(near, below.proposer, self.context(below))
        stream = self._opened[key]
        if stream is not None:
            for own, proposal in itertools.islice(interleave([stream], lambda: False), TURN_EDITS):
                if proposal is not None:
                    yield own, proposal
        if stream is None or stream.empty:
            self.near.give_up(near)

    def _stream_of(self, function: FunctionId) -> CandidateStream | None:
        """The stream of the search that edits the function."""
        own = (each for each in self.streams if each.scope.function == function and each.proposer.eager)
        return next((each for each in own if each.proposer.name != SYNTHESIS), None)


_Drawn = TypeVar("_Drawn")


def _draw_until(ended: Callable[[], bool], items: Iterator[_Drawn]) -> Iterator[_Drawn]:
    """The items, none of which is drawn once it has ended."""
    while not ended():
        try:
            item = next(items)
        except StopIteration:
            return
        yield item
