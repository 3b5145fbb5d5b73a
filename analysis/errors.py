"""The one family of exceptions. Each says what was found, where, and what to do next."""

from __future__ import annotations


class RepairError(Exception):
    """Base of all errors that a user may see; ``exit_code`` is the process status it leads to.

    ``status`` is the result word of the run (``usage`` where there is no run to speak of).
    """

    exit_code = 1
    status = "error"

    def __init__(self, found: str, *, where: str = "", remedy: str = "") -> None:
        self.found = found
        self.where = where
        self.remedy = remedy
        place = f" ({where})" if where else ""
        advice = f" {remedy}" if remedy else ""
        super().__init__(f"{found}{place}.{advice}")


class UsageError(RepairError):
    """A wrong option, configuration key or argument."""

    exit_code = 2
    status = "usage"


class TargetError(RepairError):
    """The target cannot be tested."""

    exit_code = 3
    status = "environment"


class UnparseableError(TargetError):
    """A source file cannot be parsed, or does not survive a round trip."""

    status = "unparseable"


class OutOfTimeError(RepairError):
    """The time of a whole run is up. It says nothing about the target."""

    status = "unrepaired"


class ModelError(RepairError):
    """The model backend failed: authentication, network, budget or an unusable reply."""

    exit_code = 4
    status = "model_error"


class ConflictError(RepairError):
    """A file is no longer what it was when the run read it."""

    status = "conflict"
