"""What is odd about a patch by itself: does it depart from the old function beyond the tested values, and how?"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any

from analysis.calls import Comparison, DigitTried, Witness
from analysis.facts import Digest, TestId
from analysis.trials import Trial
from repair.compare.collateral import changes_only_named_value
from repair.compare.comparing import Versions, constants, infinitive_of, new_constants
from repair.records.ports import Submission

LEAST_SPARED = 3
"""How many neighbours of the tests' calls must be as before."""


LEAST_SPELLED = 3
"""Values that a call must have for it to be strange that a patch holds all of them."""


def mends_only_tested(found: Comparison, failing: Collection[TestId], brought_in: Collection[Any]) -> Witness | None:
    """An input like the failing tests' own on which nothing changes, where nothing changes on any input but theirs.

    Three kinds of other inputs that change count as theirs:

    - one that now gets the very answer of a tested one, a constant of the patch: a special case may have some room;
    - one that differs from a tested one in a sign: a function may call itself;
    - one that raises something else, where the tests' calls return.

    ``None`` where another input is mended too, where too few were tried, or where the patch has no constant of its own.

    Example: the patch reads ``if n == 12: return 'dozen'``, and ``name(13)`` to ``name(15)`` are as before.
    """
    near = [each for each in found.neighbours if each.test in failing]
    spared = [witness for each in near for witness in each.spared]
    tested = [departure for departure in found.departures if departure.tested]
    fixed = {departure.mine for departure in tested} & {f"returns {value!r}" for value in brought_in}
    unsigned = {departure.call.replace("-", "") for departure in tested}
    moved = [departure for departure in found.departures if not departure.tested]
    moved += [witness for each in near for witness in each.followed]
    moved = [witness for witness in moved if witness.call.replace("-", "") not in unsigned]
    if all(departure.mine.startswith("returns") for departure in tested):
        moved = [witness for witness in moved if witness.mine.startswith("returns")]
    if not brought_in or not tested or any(witness.mine not in fixed for witness in moved):
        return None
    return spared[0] if len(spared) >= LEAST_SPARED and found.is_thorough else None


def hard_codes_calls(found: Comparison, held: Collection[Any], brought_in: Collection[Any]) -> Witness | None:
    """A test's call of which the patch holds every value, new ones among them, where it holds another such call, too.

    A call with fewer than three values says nothing: a fix may well bring in a row of a table.

    Example: tests call ``area(3, 4, 5)`` and ``area(5, 12, 13)``, and the patch holds all six numbers.
    """
    texts, new = {repr(value) for value in held}, {repr(value) for value in brought_in}
    spelled = []
    for departure in found.departures:
        values = _values(departure.call) if departure.made else frozenset()
        if len(values) >= LEAST_SPELLED and values <= texts and values & new:
            spelled.append(departure)
    return spelled[0] if len({departure.call for departure in spelled}) > 1 else None


def _values(call: str) -> frozenset[str]:
    """The numbers and texts that a call spells out; none where its text is cut or no expression."""
    try:
        tree = ast.parse(call, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset()
    plain = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant))
    return frozenset(repr(value) for value in plain if type(value) in (int, float, str, bytes))


def picks_digits(found: Comparison, failing: Collection[TestId], brought_in: Collection[Any]) -> Witness | None:
    """A call of a failing test with another digit in one place, where the patch mends the tests' digits there alone.

    These conditions hold for that place; else the answer is ``None``:

    - two or more digits of the tests are mended, with gaps between them;
    - one of these in the place of another is mended too, and no other digit is;
    - of at least three other digits no test says that they are right as they are.

    Example: tests ask for ``parity(2)`` and ``parity(7)``, the patch reads ``if n % 10 in (2, 7)``, and ``parity(4)``
    is as before.
    """
    if not brought_in:
        return None
    made = {each.witness.call for each in found.digits if each.own == each.other}
    for place in dict.fromkeys(each.place for each in found.digits):
        there = [each for each in found.digits if each.place == place]
        mended = {each.own for each in there if each.test in failing and each.moved and each.own == each.other}
        pinned = {each.own for each in there if each.own == each.other and not each.moved}
        tried = [each for each in there if each.test in failing and each.own != each.other]
        spared = [
            each for each in tried if not each.moved and each.other not in mended and each.witness.call not in made
        ]
        free = {each.other for each in spared} - pinned
        if _has_gaps(mended) and _follows(tried, mended) and len(free) >= LEAST_SPARED:
            return next(each.witness for each in spared if each.other in free)
    return None


def _has_gaps(digits: Collection[int]) -> bool:
    return len(digits) > 1 and max(digits) - min(digits) >= len(digits)


def _follows(tried: Sequence[DigitTried], mended: Collection[int]) -> bool:
    """Whether a mended digit in the place of another is mended too, and no other digit is."""
    moved = {each.other for each in tried if each.moved}
    return bool(moved) and moved <= set(mended)


def rejects_single_number(found: Comparison, failing: Collection[TestId]) -> Witness | None:
    """A number next to the failing tests' that is still taken, where no number but theirs is newly refused.

    A fix that refuses a single number between two that it takes is rarely meant: what is out of bounds goes on.

    Example: the test wants ``month(13)`` to raise, and with the patch ``month(14)`` still returns.
    """
    theirs = {_numbers(departure.call) for departure in found.departures if departure.tested}
    if any(_numbers(departure.call) not in theirs for departure in found.departures):
        return None
    return next((witness for test, witness in found.alone if test in failing), None)


def doubt_fit(both: Versions, found: Comparison, submission: Submission) -> tuple[str, Witness, str] | None:
    """What is odd about the patch without a look at another: the claim, a witness and what to ask.

    ``found`` compares it with the old function.
    """
    if found.unsteady:
        witness = found.unsteady[0]
        claim = "the patch answers one call in two ways, where the old function had one answer"
        return claim, witness, f"Should {witness.call} hang on anything but its arguments?"
    spared = mends_only_tested(found, submission.baseline.failing, new_constants(both))
    claim = "it changes what the failing tests themselves call, and nothing that is like it"
    if spared is None:
        spared = picks_digits(found, submission.baseline.failing, new_constants(both))
        claim = "it mends some digits in one place, each that the failing tests hold there, and no other"
    if spared is None:
        spared = rejects_single_number(found, submission.baseline.failing)
        claim = "it refuses the failing tests' own number, and the numbers on both sides of it are taken"
    if spared is None:
        spared = changes_only_named_value(found, submission.baseline.failing, new_constants(both))
        claim = "it changes calls with one value of the failing tests, which it names, and no other"
    if spared is None:
        made = hard_codes_calls(found, constants(both), new_constants(both))
        claim = "it holds every value of several calls of the tests that it changes"
        return (claim, made, "What should it answer on other values?") if made else None
    return (
        (claim, spared, f"Should {spared.call} {infinitive_of(spared.mine)}, as before this patch?") if spared else None
    )


def find_narrower_candidates(found: Comparison, others: Mapping[Digest, Trial]) -> list[tuple[Trial, Witness]]:
    """Variants that leave a call as the old function had it, which the candidate changes; the shortest calls first."""
    departures = {departure.call: departure for departure in found.departures}
    seen = []
    for digest, witness in found.witnesses:
        departure = departures.get(witness.call)
        if Digest(digest) in others and departure is not None and departure.other == witness.other:
            seen.append((others[Digest(digest)], witness))
    return sorted(seen, key=lambda each: len(each[1].call))


def is_narrower(variant: Comparison, found: Comparison) -> bool:
    """Whether the variant changes some of what the candidate changes, in the same way, and nothing else.

    Example: the candidate cuts texts from 10 letters on, the variant from 12 letters on.
    """
    ours, theirs = ({(d.call, d.mine) for d in each.departures} for each in (found, variant))
    return bool(theirs) and theirs < ours


def _numbers(call: str) -> tuple[int, ...]:
    return tuple(int(digits) for digits in re.findall(r"-?\d+", call) if len(digits) < 50)


def pick_unlike(departures: Sequence[Witness], most: int) -> tuple[Witness, ...]:
    """A few departures that have little in common: the first, the shortest that no test makes, then the least alike."""
    waiting = sorted(departures[1:], key=lambda witness: (witness.tested, len(witness.call)))
    chosen = list(departures[:1])
    while waiting and len(chosen) < most:
        far = {witness: min(_distance(witness, other) for other in chosen) for witness in waiting}
        best = waiting[0] if len(chosen) == 1 else max(waiting, key=far.__getitem__)
        waiting.remove(best)
        if far[best] > 0:
            chosen.append(best)
    return tuple(chosen)


def _distance(one: Witness, other: Witness) -> float:
    """From 0 (the same) to 2: another way to end counts most, then other texts."""
    kinds = float(_kinds(one) != _kinds(other))
    return kinds + 1 - SequenceMatcher(None, _text(one), _text(other), autojunk=False).ratio()


def _kinds(witness: Witness) -> tuple[str, str]:
    return _kind(witness.other), _kind(witness.mine)


def _kind(deed: str) -> str:
    """What is raised, or the shape of what is returned: letters and digits do not count."""
    raised = re.match(r"raises [\w.]+", deed)
    return raised.group() if raised else re.sub(r"\w+", "w", deed)[:60]


def _text(witness: Witness) -> str:
    return f"{witness.call} {witness.other[:80]} {witness.mine[:80]}"
