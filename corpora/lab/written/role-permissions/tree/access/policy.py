"""Decides who may do what."""
from datetime import datetime

from .model import PermissionDenied, UnknownRole
from .patterns import any_match, split


class Policy:
    def __init__(self, roles=(), now=datetime.now):
        self._roles = {}
        self._now = now
        self.log = []
        for role in roles:
            self.add(role)

    def add(self, role):
        for pattern in role.grants | role.denies:
            split(pattern)   # complain early
        self._roles[role.name] = role

    def role(self, name):
        try:
            return self._roles[name]
        except KeyError:
            raise UnknownRole(name) from None

    def roles_of(self, user):
        """All roles in force for ``user`` at this moment.

        Roles of active assignments and, recursively, their parents; each role
        once, a role before its parents.
        """
        now = self._now()
        found = {}
        stack = [a.role for a in reversed(user.assignments) if a.active(now)]
        while stack:
            name = stack.pop()
            if name in found:
                continue
            role = self.role(name)
            found[name] = role
            stack.extend(reversed(role.parents))
        return list(found.values())

    def is_allowed(self, user, permission):
        """May ``user`` do ``permission``?

        Superusers may do everything.  Others need a role in force that
        grants the permission, and none of their roles may deny it: a denial
        beats every grant, no matter which of the roles it comes from.
        """
        split(permission)
        if user.superuser:
            return True
        for role in self.roles_of(user):
            if any_match(role.denies, permission):
                return False
            if any_match(role.grants, permission):
                return True
        return False

    def require(self, user, permission):
        """Raise PermissionDenied unless allowed; every decision is logged."""
        allowed = self.is_allowed(user, permission)
        self.log.append((user.name, permission, allowed))
        if not allowed:
            raise PermissionDenied(user, permission)

    def allowed_actions(self, user, resource, actions):
        """Those of ``actions`` the user may do on ``resource``, in order."""
        return [a for a in actions if self.is_allowed(user, f"{resource}:{a}")]

    def users_with(self, users, permission):
        return [user.name for user in users if self.is_allowed(user, permission)]
