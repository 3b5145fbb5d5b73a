from dataclasses import dataclass
from fnmatch import fnmatchcase


@dataclass(frozen=True)
class Rule:
    effect: str      # "allow" or "deny"
    role: str
    action: str      # may hold wildcards, like resource
    resource: str

    def __post_init__(self):
        if self.effect not in ("allow", "deny"):
            raise ValueError(f"bad effect {self.effect!r}")

    def matches(self, roles, action, resource):
        return (
            self.role in roles
            and fnmatchcase(action, self.action)
            and fnmatchcase(resource, self.resource)
        )


def parse_rules(text):
    """Rules from lines like ``allow editor write docs/*``."""
    rules = []
    for line in text.splitlines():
        line = line.partition("#")[0].strip()
        if line:
            words = line.split()
            if len(words) != 4:
                raise ValueError(f"bad rule {line!r}")
            rules.append(Rule(*words))
    return rules
