"""What a commit's message and its tests say of the failure that it mends, without running anything."""

from __future__ import annotations

import re

from analysis.exception_kinds import Subclass
from analysis.facts import FailureClass

_NAMED = (
    ("KeyError", Subclass.KEY),
    ("IndexError", Subclass.INDEX),
    ("AttributeError: .NoneType|NoneType. object", Subclass.NONE),
    ("AttributeError", Subclass.ATTRIBUTE),
    ("UnboundLocalError", Subclass.UNBOUND),
    ("NameError", Subclass.NAME),
    ("ZeroDivisionError|divi(?:de|sion) by zero", Subclass.DIVISION),
    ("TypeError", Subclass.TYPE),
    ("ValueError|UnicodeDecodeError|UnicodeEncodeError", Subclass.CONVERSION),
    ("infinite|hangs?|endless|RecursionError", Subclass.TIMEOUT),
)
_VAGUE = (("NoneType|None", Subclass.NONE), ("empty", Subclass.EMPTY))
"""Words that may speak of a value and not of an exception."""

_WAITS = re.compile(r"\b(?:raises|assertRaises\w*|assert_raises\w*)\s*\(")
_JUDGES = re.compile(r"(?:^|:)\s*(?:assert\b|self\.assert\w+\(|assert_\w+\(|eq_\()")
_OF_TEXT = re.compile(r"(?:==|,)\s*(?:\w\.?)*['\"]|^\s*assert\s+['\"]|\(['\"].*['\"]\)")


def failure_said(message: str, old: str, new: str, tests: str) -> tuple[FailureClass | None, str]:
    """Class and subclass of the failure, as far as the words tell.

    ``old`` and ``new`` are the function's texts, ``tests`` the lines that the commit adds to tests.
    """
    raised = set(re.findall(r"\braise\s+([\w.]+)", new)) - set(re.findall(r"\braise\s+([\w.]+)", old))
    if raised and _WAITS.search(tests):
        return FailureClass.CONTRACT, Subclass.MISSING_RAISE
    named = _find_named(_NAMED, message)
    if named:
        return FailureClass.LOGIC if named == Subclass.TIMEOUT else FailureClass.RUNTIME_SAFETY, named
    if _WAITS.search(tests):
        return FailureClass.CONTRACT, Subclass.WRONG_RAISE
    judged = [line for line in tests.splitlines() if _JUDGES.search(line)]
    if judged:
        return FailureClass.LOGIC, Subclass.TEXT if all(map(_OF_TEXT.search, judged)) else Subclass.WRONG_VALUE
    return None, _find_named(_VAGUE, message)


def _find_named(forms: tuple[tuple[str, Subclass], ...], message: str) -> str:
    return next((subclass for form, subclass in forms if re.search(rf"\b(?:{form})\b", message)), "")
