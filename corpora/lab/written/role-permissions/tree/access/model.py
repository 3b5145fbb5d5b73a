from dataclasses import dataclass, field
from datetime import datetime
from typing import Optional


class UnknownRole(KeyError):
    pass


class PermissionDenied(Exception):
    def __init__(self, user, permission):
        super().__init__(f"{user.name} may not {permission}")
        self.permission = permission


@dataclass
class Role:
    """A named set of permission patterns.

    ``parents`` are the names of roles this one builds upon: it grants and
    denies all they do.
    """

    name: str
    grants: set = field(default_factory=set)
    denies: set = field(default_factory=set)
    parents: list = field(default_factory=list)


@dataclass
class Assignment:
    role: str
    until: Optional[datetime] = None

    def active(self, now):
        """An assignment has ended at the moment ``until``."""
        return self.until is None or now < self.until


@dataclass
class User:
    name: str
    assignments: list = field(default_factory=list)
    superuser: bool = False

    def assign(self, role, until=None):
        self.assignments.append(Assignment(role, until))
        return self
