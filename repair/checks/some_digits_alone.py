"""The patch mends some digits in one place, each that the failing tests hold there, and no other."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from analysis.behaviour import CallResult, Returned
from analysis.calls import AgainstOld, DigitTried
from repair.checks.check import FAILING, LEAST_SPARED, PASSING, Behaved, Check, ask_as_before, kept


def find(found: Behaved) -> CallResult | None:
    """A call of a failing test with another digit in one place, where the patch mends the tests' digits there alone.

    These conditions hold for that place; else the answer is ``None``:

    - two or more digits of the tests are mended, with gaps between them;
    - one of these in the place of another is mended too, and no other digit is;
    - of at least three other digits no test says that they are right as they are.

    Example: tests ask for ``parity(2)`` and ``parity(7)``, the patch reads ``if n % 10 in (2, 7)``, and ``parity(4)``
    is as before.
    """
    if not found.brought_in:
        return None
    digits = found.old.digits
    made = {each.result.call.given for each in digits if each.own == each.other}
    for place in dict.fromkeys(each.place for each in digits):
        there = [each for each in digits if each.place == place]
        mended = {each.own for each in there if each.test in found.failing and each.moved and each.own == each.other}
        pinned = {each.own for each in there if each.own == each.other and not each.moved}
        tried = [each for each in there if each.test in found.failing and each.own != each.other]
        spared = [
            each for each in tried if not each.moved and each.other not in mended and each.result.call.given not in made
        ]
        free = {each.other for each in spared} - pinned
        if _has_gaps(mended) and _follows(tried, mended) and len(free) >= LEAST_SPARED:
            return next(each.result for each in spared if each.other in free)
    return None


def _has_gaps(digits: Collection[int]) -> bool:
    """Whether there are several, and not all in a row: 3, 5 and 9 have gaps, 3, 4 and 5 have none."""
    return len(digits) > 1 and max(digits) - min(digits) >= len(digits)


def _follows(tried: Sequence[DigitTried], mended: Collection[int]) -> bool:
    """Whether a mended digit in the place of another is mended too, and no other digit is."""
    moved = {each.other for each in tried if each.moved}
    return bool(moved) and moved <= set(mended)


def _digit(own: int, other: int, *, moved: bool, failing: bool = True) -> DigitTried:
    result = kept(f"price('1.{other}')", Returned("1"))
    return DigitTried(FAILING if failing else PASSING, "0[-1]", own, other, moved, result)


def _tried(
    mended: tuple[int, ...], spared: tuple[int, ...], pinned: tuple[int, ...] = (), brought_in: tuple[str, ...] = ("x",)
) -> Behaved:
    """Calls with these digits in the last place: mended ones, others in their place, and those of passing tests."""
    own = [_digit(n, n, moved=True) for n in mended]
    others = [_digit(n, m, moved=m in mended) for n in mended for m in (*mended, *spared) if n != m]
    digits = (*own, *others, *(_digit(n, n, moved=False, failing=False) for n in pinned))
    return Behaved(AgainstOld(digits=digits), brought_in=brought_in)


_ALONE = tuple(each for each in _tried((3, 5), (4, 6, 7)).old.digits if each.own == each.other or not each.moved)

CHECK = Check(
    "some_digits_alone",
    "it mends some digits in one place, each that the failing tests hold there, and no other",
    find,
    flagged=(_tried((3, 5, 9), (4, 6, 7, 8)), _tried((1, 3), (4, 6, 7, 8))),
    clean=(
        Behaved(brought_in=("x",)),
        _tried((3, 5, 9), (4, 6, 7), brought_in=()),
        _tried((3, 4, 5), (6, 7, 8)),
        _tried((5,), (4, 6, 7)),
        _tried((3, 5, 9), (4, 6)),
        _tried((3, 5, 9), (4, 6, 7), pinned=(4, 7)),
        Behaved(
            AgainstOld(digits=(*_tried((3, 5), (4, 6, 7)).old.digits, _digit(3, 8, moved=True))), brought_in=("x",)
        ),
        Behaved(AgainstOld(digits=_ALONE), brought_in=("x",)),
        Behaved(_tried((3, 5, 9), (4, 6, 7)).old, failing=(PASSING,), brought_in=("x",)),
    ),
    question=ask_as_before,
)
