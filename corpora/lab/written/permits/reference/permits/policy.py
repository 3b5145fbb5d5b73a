from dataclasses import dataclass, field

from permits.roles import RoleTree
from permits.rules import parse_rules


@dataclass
class User:
    name: str
    roles: list = field(default_factory=list)
    active: bool = True


class Denied(Exception):
    pass


class Policy:
    def __init__(self, rules, tree=None):
        self.rules = list(rules)
        self.tree = tree or RoleTree()

    @classmethod
    def from_text(cls, text, tree=None):
        return cls(parse_rules(text), tree)

    def allows(self, user, action, resource):
        """May ``user`` do this?

        A matching deny rule always wins, wherever it stands in the list.
        Without any matching rule the answer is no. Users that are not
        active may do nothing.
        """
        if not user.active:
            return False
        roles = self.tree.expand(user.roles)
        allowed = False
        for rule in self.rules:
            if rule.matches(roles, action, resource):
                if rule.effect == "deny":
                    return False
                allowed = True
        return allowed

    def check(self, user, action, resource):
        if not self.allows(user, action, resource):
            raise Denied(f"{user.name} may not {action} {resource}")

    def visible(self, user, resources, action="read"):
        return [r for r in resources if self.allows(user, action, r)]
