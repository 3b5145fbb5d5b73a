"""Questions about the frames of a failure that classification, constraints and localization share."""

from __future__ import annotations

from collections.abc import Callable

from analysis.facts import Failure, Frame, SeenError

IsTest = Callable[[str], bool]
"""Whether a path belongs to the tests."""


def telling_exception(failure: Failure) -> SeenError | None:
    """The exception that tells most: the one that ended the test, or the first member of a group."""
    if not failure.exceptions:
        return None
    first = failure.exceptions[0]
    if has_type(first, "BaseExceptionGroup"):
        # A member may itself be a group: the first that is none stands for them all.
        members = [e for e in failure.exceptions[1:] if e.link == "group" and not has_type(e, "BaseExceptionGroup")]
        return members[0] if members else first
    return first


def has_type(raised: SeenError, *names: str) -> bool:
    """Whether one of the names is the exception's class or one of its bases."""
    known = {name.rsplit(".", 1)[-1] for name in (raised.type_name, *raised.bases)}
    return not known.isdisjoint(names)


def short_name(raised: SeenError) -> str:
    """The class name of the exception without its module."""
    return raised.type_name.rsplit(".", 1)[-1]


def innermost_frame(raised: SeenError) -> Frame | None:
    """The innermost project frame, tests included."""
    return next((f for f in reversed(raised.frames) if f.in_project), None)


def is_module_level(frame: Frame) -> bool:
    """Whether the frame is a module's own body."""
    return frame.name == "<module>" or frame.qualname == "<module>"
