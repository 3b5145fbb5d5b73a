"""What a patch changes beyond what the tests ask for, although nothing says that it was wrong.

A patch that was chosen because it passes fits the tests' own values. Four traces give such a fit away:

- the failure has moved to calls that were fine (``moves_the_failure``);
- such a call crashes now (``crashes_anew``), or does not end (``hangs_anew``);
- only calls with a tested value change, and the patch names that value (``changes_only_named_value``);
- many values around those of passing tests change, and it is strange that none of the tests' own does
  (``passes_by_chance``).
"""

from __future__ import annotations

import ast
import contextlib
import re
from collections.abc import Collection
from math import isclose, prod
from typing import Any

from analysis.calls import MOST_DEPARTURES, Comparison, Witness
from analysis.facts import TestId
from repair.records.ports import Submission

LEAST_TRIED = 3
"""Neighbours of a call below which nothing is known of its surroundings."""

UNLIKELY = 1e-4
"""How improbable it must be that no passing test noticed, had each taken its values at random from around there."""

_NOTHING = re.compile(r"returns (items )?(None|\[\]|\(\)|\{\}|set\(\)|frozenset\(\)|b?''|b?\"\")(?=,|\Z)")
_ENDLESS = "does not end"
_NEVER_MEANT = (_ENDLESS, "raises RecursionError(", "raises NameError(", "raises UnboundLocalError(")
_SLIPS = tuple(
    f"raises {name}(" for name in ("AttributeError", "IndexError", "NameError", "TypeError", "UnboundLocalError")
)
_POINT = re.compile(r"(?<![\w.])(-?\d+(?:\.\d+(?:e[-+]?\d+)?|e[-+]?\d+))(?![\w.])")
"""Splits a text so that every other piece is a number with a point."""
_RAISED = re.compile(r"raises [\w.]+")


def moves_the_failure(found: Comparison) -> Witness | None:
    """A call that was fine, and now ends as the failing tests' calls did: in nothing, or in the same exception.

    ``None`` where these ended in several ways, or in some value.

    Example: ``first([])`` raised ``IndexError`` in the failing test. With the patch it does not, and ``first([1])``
    does.
    """
    symptoms = {_symptom(departure.other) for departure in found.departures if departure.made}
    if len(symptoms) != 1 or "" in symptoms:
        return None
    symptom = symptoms.pop()
    moved = [
        departure
        for departure in found.departures
        if not departure.made and not _symptom(departure.other) and _symptom(departure.mine) == symptom
    ]
    return min(moved, key=lambda departure: len(departure.call), default=None)


def crashes_anew(found: Comparison) -> Witness | None:
    """A call of no test that gave something, and now ends in an exception that nobody raised on purpose.

    The exception is one that a slip of the program makes (``is_programming_error``). Two other crashes are left out:

    - what the arguments bring about, such as a division by zero or an unknown key: it may come with any new answer;
    - what a call that a test makes itself ends in now.

    Example: ``width(None)`` returned 0, and raises ``TypeError`` with the patch.
    """
    asked_for = {_symptom(witness.mine) for _, witness in found.recorded}
    crashed = [
        departure
        for departure in found.departures
        if departure.accident
        and not departure.tested
        and is_programming_error(departure.mine)
        and departure.other.startswith("returns")
        and _symptom(departure.mine) not in asked_for
    ]
    return min(crashed, key=lambda departure: len(departure.call), default=None)


def hangs_anew(found: Comparison) -> Witness | None:
    """A call of no test that gave something, and now does not end though it is given more time.

    Example: ``digits(0)`` returned ``[]``, and with ``while n >= 0`` for ``while n > 0`` it loops.
    """
    hung = [
        departure
        for departure in found.departures
        if not departure.tested and departure.mine.startswith(_ENDLESS) and departure.other.startswith("returns")
    ]
    return min(hung, key=lambda departure: len(departure.call), default=None)


def is_programming_error(deed: str) -> bool:
    """Whether a call ends in an exception that a slip of the program makes.

    Examples: ``raises TypeError(…)`` is one, ``raises ValueError(…)`` is none.
    """
    return deed.startswith(_SLIPS)


def brings_back(found: Comparison, witness: Witness) -> bool:
    """Whether a rival ends a call as the failing tests' calls ended, where the patch and the old function mend it.

    That is nothing to hold against the patch. ``found`` compares the patch with the old function, too.

    Example: the failing tests' calls returned ``''`` and return ``'-'`` with the patch. For another call the old
    function and the patch return ``'-'``, and the rival returns ``''``.
    """
    made = [departure for departure in found.departures if departure.made]
    symptoms, mended = {departure.other for departure in made}, {departure.mine for departure in made}
    return is_unchanged(found, witness) and witness.other in symptoms and witness.mine in mended


def ends_pathologically(deed: str) -> bool:
    """Whether a call ends as no program is meant to: it never ends, recurses without end, or lacks a name.

    A name is lacking where the part that would bind it is left out. A rival that ends a call so, where the patch does
    not, is nothing to hold against the patch.

    Examples: ``raises RecursionError(…)`` is no end that anybody means, ``raises ValueError(…)`` may be one.
    """
    return deed.startswith(_NEVER_MEANT)


def is_rounding(witness: Witness) -> bool:
    """Whether two programs give the same but for what lies behind the ninth digit of numbers with a point.

    Example: ``returns 0.30000000000000004`` and ``returns 0.3`` differ by rounding, ``returns 0.3`` and
    ``returns 0.31`` do not.
    """
    mine, other = (_POINT.split(deed) for deed in (witness.mine, witness.other))
    if len(mine) != len(other) or mine == other or "…" in witness.mine + witness.other:
        return False
    return all(
        one == two or (n % 2 == 1 and _is_close(one, two)) for n, (one, two) in enumerate(zip(mine, other, strict=True))
    )


def _is_close(one: str, other: str) -> bool:
    return isclose(float(one), float(other), rel_tol=1e-9, abs_tol=1e-12)


def is_incidental_crash(found: Comparison, witness: Witness) -> bool:
    """Whether patch and old function, or patch and rival, end a call in an exception that nobody raised on purpose.

    It must not be the exception in which the mended calls of the tests ended. What another program does with such a
    call is nothing to hold against the patch. ``found`` compares the patch with the old function, too.

    Example: ``area(None)`` raises ``TypeError`` before and after the patch, and a mutant returns 0.
    """
    symptoms = {_symptom(departure.other) for departure in found.departures if departure.made}
    crashes = witness.accident and _symptom(witness.mine) not in symptoms
    return crashes and (witness.other.startswith("raises") or is_unchanged(found, witness))


def is_unchanged(found: Comparison, witness: Witness) -> bool:
    """Whether the patch is known to do with the call what the old function did.

    It is not known where ``found`` lists as many departures as it has room for: there may be more.
    """
    all_told = len(found.departures) < MOST_DEPARTURES
    return all_told and all(departure.call != witness.call for departure in found.departures)


def same_exception_old_message(found: Comparison, witness: Witness) -> bool:
    """Whether patch and rival raise the same exception, and the patch alone says in it what the old function said.

    Tests that wait for another kind of exception ask for no other message. So what a rival says is nothing to hold
    against the patch. ``found`` compares the patch with the old function.

    Example: ``KeyError('no unit')`` was raised, a test asks for ``ValueError``, and the patch raises
    ``ValueError('no unit')``. A rival raises ``ValueError('')``.
    """
    told = next((departure.other for departure in found.departures if departure.call == witness.call), None)
    old = witness.mine if told is None and is_unchanged(found, witness) else told or ""
    mine, other = (_RAISED.match(deed) for deed in (witness.mine, witness.other))
    if not (mine and other and mine.group() == other.group() and "…" not in witness.mine):
        return False
    return _RAISED.match(old) is not None and _words(old) == _words(witness.mine)


def _words(raising: str) -> str:
    """What an exception says; a ``KeyError`` shows its one argument as a program writes it."""
    said = _RAISED.sub("", raising, count=1)
    for _ in range(2 if raising.startswith("raises KeyError(") else 1):
        with contextlib.suppress(ValueError, SyntaxError):
            said = str(ast.literal_eval(said))
    return said


def changes_only_named_value(
    found: Comparison, failing: Collection[TestId], brought_in: Collection[Any]
) -> Witness | None:
    """A call like the failing tests' that is as before, where nothing changes but calls with one value of theirs.

    The patch brings that value in: a text of two letters or more, or a number beyond 2.

    Example: the tests fail for ``plural('mouse')``, the patch reads ``if word == 'mouse'``, and ``plural('louse')`` is
    as before.
    """
    made = [departure for departure in found.departures if departure.made]
    if not made or not found.is_thorough:
        return None
    named = [repr(value) for value in brought_in if _is_telling(value)]
    if not any(all(value in departure.call for departure in found.departures) for value in named):
        return None
    spared = [witness for near in found.neighbours if near.test in failing for witness in near.spared]
    return next((witness for witness in spared if witness.mine.startswith("returns")), None)


def _is_telling(value: Any) -> bool:
    """Whether hardly anybody names the value by accident."""
    return len(value) > 1 if isinstance(value, (str, bytes)) else isinstance(value, (int, float)) and abs(value) > 2


def passes_by_chance(found: Comparison, passing: Collection[TestId]) -> Witness | None:
    """A neighbour of a passing test's call that changes, where so many do that the tests should have noticed.

    Example: a passing test calls ``step(7)``. ``step`` gives something else for 18 of 20 numbers around 7, not for 7
    itself, and so it is around other passing tests' calls.
    """
    known = [each for each in found.surroundings if each.test in passing and each.tried >= LEAST_TRIED]
    if prod(1 - each.moved / (each.tried + 1) for each in known) >= UNLIKELY:
        return None
    calls = {each.call for each in known if each.moved}
    changed = [departure for departure in found.departures if departure.call in calls]
    return min(changed, key=lambda departure: len(departure.call), default=None)


def doubt_reach(found: Comparison, submission: Submission) -> tuple[str, Witness] | None:
    """What the patch changes though nothing says that it was wrong: the claim and a witness."""
    moved = moves_the_failure(found)
    if moved is not None:
        return "a call that was fine ends with this patch as the failing tests' calls ended without it", moved
    crashed = crashes_anew(found)
    if crashed is not None:
        return "a call that was fine now ends in an exception that nobody raised", crashed
    hung = hangs_anew(found)
    if hung is not None:
        return "a call that was fine now does not end", hung
    lucky = passes_by_chance(found, submission.baseline.passing)
    claim = "it changes so much of what lies around the passing tests' calls that these pass by chance"
    return (claim, lucky) if lucky is not None else None


def _symptom(deed: str) -> str:
    """The exception that a call ends in, or that it gives nothing; an ordinary value is no symptom."""
    raised = _RAISED.match(deed)
    return raised.group() if raised else "nothing" if _NOTHING.match(deed) else ""
