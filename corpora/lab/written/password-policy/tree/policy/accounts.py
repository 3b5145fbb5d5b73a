"""Keeps the (hashed) passwords of users and the ones they had before."""

import hashlib

from .policy import Policy


class PolicyError(Exception):
    def __init__(self, problems):
        super().__init__("; ".join(problems))
        self.problems = problems


def _digest(user, password):
    return hashlib.sha256(f"{user}:{password}".encode()).hexdigest()


class Accounts:
    def __init__(self, policy=None, history=3):
        self.policy = policy or Policy()
        self.history = history
        self._old = {}

    def set_password(self, user, password):
        """Raises PolicyError and leaves the account as it was if the password is refused."""
        problems = self.policy.problems(password, user)
        digest = _digest(user, password)
        known = self._old.setdefault(user, [])
        if digest in known[-self.history:]:
            problems.append("was used before")
        if problems:
            raise PolicyError(problems)
        known.append(digest)

    def check(self, user, password):
        known = self._old.get(user)
        return bool(known) and known[-1] == _digest(user, password)
