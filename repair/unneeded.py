"""Parts of a patch that no test asks for: the tests pass without them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from analysis.calls import Witness
from analysis.trials import Trial, TrialState
from repair.comparing import Versions, as_trial, compare
from repair.functions import edit_scope
from repair.ports import WarmSession
from transforms.apply import place
from transforms.difference import region
from transforms.mutants import changed_old_lines
from transforms.node_path import NodePath
from transforms.parts import Parts, parts_of
from transforms.scope import EditScope

MOST_TRIED = 40
MOST_TOGETHER = 4
"""Neighbouring parts that are left out together: a turned comparison is three."""


@dataclass(frozen=True, slots=True)
class Unneeded:
    """``witness`` is an input on which the patch without one of its parts does something else; ``claim`` says which.

    Without one ``aside`` leads to the parts which nothing tells apart.
    """

    aside: tuple[NodePath, ...] = ()
    witness: Witness | None = None
    claim: str = ""


def unneeded(session: WarmSession, both: Versions, seed: int, effort: int) -> Unneeded:
    """What of the patch its tests would not miss. ``session`` runs the tests that vouch for it."""
    parts = parts_of(both.old, both.new)
    trials: dict[Trial, tuple[int, ...]] = {}
    for numbers in _runs(parts.numbers):
        text = parts.without(numbers) if len(trials) < MOST_TRIED else None
        if text is not None and text not in (both.new.text, both.old.text):
            trials.setdefault(as_trial(both.new, text, "without a part"), numbers)
    passing = _passing(session, list(trials)) if trials else frozenset[str]()
    spare = {trial: numbers for trial, numbers in trials.items() if trial.digest in passing}
    if not spare:
        return Unneeded()
    found = compare(session, both, list(spare), seed, effort)
    if found.witnesses:
        digest, witness = found.witnesses[0]
        without = next(trial for trial in spare if trial.digest == digest)
        claim = f"No test asks for the part of the patch in line {_line(both, without)}, and an input tells"
        return Unneeded(witness=witness, claim=claim)
    together = tuple(number for number in parts.numbers if any(number in numbers for numbers in spare.values()))
    return Unneeded(_aside(session, both, parts, together)) if found.searched else Unneeded()


def _runs(numbers: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Each part by itself, then neighbours by twos and more, but never all of them."""
    for size in range(1, min(MOST_TOGETHER, len(numbers) - 1) + 1):
        yield from (tuple(numbers[start : start + size]) for start in range(len(numbers) - size + 1))


def _passing(session: WarmSession, trials: Sequence[Trial]) -> frozenset[str]:
    return frozenset(each.digest for each in session.trials(trials) if each.state is TrialState.PASSED)


def _aside(session: WarmSession, both: Versions, parts: Parts, numbers: Sequence[int]) -> tuple[NodePath, ...]:
    """Where the patch differs from what it is without all of these parts, as far as that passes too."""
    text = parts.without(numbers)
    if text is None or not _passing(session, [as_trial(both.new, text, "without its needless parts")]):
        return ()
    where = region(_scope(both, text).node, both.new.node)
    return where.new


def _line(both: Versions, without: Trial) -> int:
    return min(changed_old_lines(both.new, _scope(both, without.text)), default=both.new.function.first_line)


def _scope(both: Versions, text: bytes) -> EditScope:
    """The text opened as the function."""
    function = both.new.function
    return edit_scope(((function.path, place(both.new, text)),), function, text)
