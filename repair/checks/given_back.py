"""The patch gives the function an earlier text of the project's history back, or undoes a part of the latest one."""

from __future__ import annotations

from dataclasses import replace

from analysis.earlier_texts import EarlierText, gives_back
from repair.checks.check import Behaved, Support


def find(found: Behaved) -> str:
    """The commit that had that text.

    Example: a commit made ``<`` out of ``<=``, and the patch makes ``<=`` of it again.
    """
    commit = gives_back(found.before, found.after, found.earlier)
    return f"the function was so in commit {commit}" if commit else ""


def _text(*body: str) -> tuple[str, ...]:
    return ("def price(n):", *(f"    {line}" for line in body))


_GOOD, _BROKEN = _text("if n <= 3:", "    return 1", "return n"), _text("if n < 3:", "    return 1", "return n")
_BACK = Behaved(before=_BROKEN, after=_GOOD, earlier=(EarlierText("1a2b3c4", _GOOD),))
_MORE = _text("if n <= 3:", "    return 1", "return -n")

SUPPORT = Support(
    "given_back",
    find,
    supported=(
        _BACK,
        replace(_BACK, earlier=(EarlierText("1a2b3c4", _MORE),)),  # a part of what the latest change did
        replace(_BACK, earlier=(EarlierText("5d6e7f8", _text("return n")), EarlierText("1a2b3c4", _GOOD))),
    ),
    silent=(
        Behaved(before=_BROKEN, after=_GOOD),
        replace(_BACK, after=_text("if n <= 4:", "    return 1", "return n")),
        replace(_BACK, after=_text("if n <= 3:", "    return 2", "return n")),
        replace(_BACK, earlier=(EarlierText("5d6e7f8", _text("return n")), EarlierText("1a2b3c4", _MORE))),
    ),
)
