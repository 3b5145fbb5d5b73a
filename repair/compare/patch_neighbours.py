"""Programs next to a patch that pass the same tests: edits that a search finds, and other numbers in place of its own.

A half fix lacks a step, a condition that is too wide lacks a part: what the author meant is often one edit away. How
likely such a program is beside the patch follows from its edit of the *old* function, and from what it leaves alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, takewhile
from time import monotonic

from analysis.errors import RepairError
from analysis.facts import Digest, Suspect
from analysis.trials import Trial, TrialState
from repair.compare.comparing import Versions
from repair.records.functions import edit_scope
from repair.records.plan import plan
from repair.records.ports import Context, Proposer, Submission, TrialSession
from repair.records.task import Pause
from transforms.mutants.made import changed_old_lines
from transforms.mutants.other_numbers import other_numbers
from transforms.patch.apply import place, render
from transforms.rules.antipatterns import antipatterns
from transforms.tree.scope import EditScope
from transforms.tree.shape import changed_nodes

MOST_TRIED = 200
"""Edits of the patch that are tried, for the usual effort."""

MOST_SECONDS = 3.0
"""How long they are tried, for the usual effort."""

MOST_NEIGHBOURS = 16
"""Those that pass and are compared with the patch: the smallest edits of the old function first."""

LARGER = 6
"""So many nodes more than the patch an edit of the old function may change."""

MOST_CALLS = 12
"""Calls that are recorded for the types of arguments."""


@dataclass(frozen=True, slots=True)
class Neighbour:
    """An edit of the patch that passes the same tests; ``size`` counts the nodes that differ from the old function."""

    trial: Trial
    size: int


def find_neighbours(
    session: TrialSession,
    both: Versions,
    submission: Submission,
    proposer: Proposer,
    known: Mapping[Digest, object],
    seed: int,
    effort: int,
) -> tuple[Neighbour, ...]:
    """Edits of the lines that the patch changes which pass the tests that vouch for it; but for the ``known`` ones."""
    if not submission.diagnoses:
        return ()
    until = monotonic() + MOST_SECONDS * effort
    drawn = takewhile(lambda _: monotonic() < until, _draw(session, both, submission, proposer, seed, until))
    trials = dict(islice(((t.digest, t) for t in drawn if t.digest not in known), MOST_TRIED * effort))
    in_time = takewhile(lambda _: monotonic() < until, trials.values())
    passed = [each.digest for each in session.trials(in_time) if each.state is TrialState.PASSED]
    limit = submission.candidate.size + LARGER
    found = [Neighbour(trials[each], _size(both, trials[each].text)) for each in passed]
    sound = [each for each in found if each.size <= limit and not antipatterns(both.old.text, each.trial.text)]
    return tuple(sorted(sound, key=lambda each: each.size)[: MOST_NEIGHBOURS * effort])


def _draw(
    session: TrialSession, both: Versions, submission: Submission, proposer: Proposer, seed: int, until: float
) -> Iterator[Trial]:
    """Edits of the changed lines, the likeliest first."""
    scope, function = both.new, both.new.function
    sources = {**dict(submission.sources), **dict(submission.whole)}
    lines = sorted(changed_old_lines(both.new, both.old))
    suspect = Suspect(function, 1.0, ("the patch changes it",), tuple((line, 1.0) for line in lines))
    context = Context(
        scope=scope,
        module_source=sources[function.path],
        test_sources=tuple((path, text.decode("utf-8", "replace")) for path, text in submission.test_sources),
        description="",
        seed=seed,
        attempts=lambda: (),
        seconds_left=lambda: until - monotonic(),
        calls=lambda: session.questions_about(function).record(function, MOST_CALLS),
        sources=tuple(sources.items()),
    )
    for proposal in proposer.propose(plan(suspect, submission.diagnoses), context):
        made = None if isinstance(proposal, Pause) else render(scope, proposal)
        if isinstance(made, Trial) and made.text not in (both.old.text, both.new.text):
            yield made


def _size(both: Versions, text: bytes) -> int:
    """The nodes of the old function that a text changes."""
    try:
        return changed_nodes(both.old.node, _scope(both, text).node)
    except RepairError:
        return 0


def _scope(both: Versions, text: bytes) -> EditScope:
    function = both.new.function
    return edit_scope(((function.path, place(both.new, text)),), function, text)


MOST_NUMBERS = 14
"""How many numbers that pass the tests too are compared with the candidate's own."""

MOST_NUMBERS_SECONDS = 20.0
"""How long other numbers are tried: a loop over one of them may take all that the rest needs."""


def find_passing_numbers(session: TrialSession, both: Versions, known: Sequence[Trial]) -> dict[Digest, Trial]:
    """The candidate with other numbers in place of its own, as far as the same tests pass."""
    digests = {trial.digest for trial in known}
    trials = {trial.digest: trial for trial in other_numbers(both.new, both.old) if trial.digest not in digests}
    until = monotonic() + MOST_NUMBERS_SECONDS
    in_time = takewhile(lambda _: monotonic() < until, trials.values())
    passed = {each.digest for each in session.trials(in_time) if each.state is TrialState.PASSED}
    return {digest: trials[digest] for digest in [each for each in trials if each in passed][:MOST_NUMBERS]}
