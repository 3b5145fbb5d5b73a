"""The packages that are known."""
from .errors import UnknownPackage


class Index:
    """Maps package names to the names they need.

    >>> Index.parse("app: web, db").needs("app")
    ['web', 'db']
    """

    def __init__(self, packages=None):
        self.packages = {name: list(needs) for name, needs in (packages or {}).items()}

    @classmethod
    def parse(cls, text):
        packages = {}
        for line in text.splitlines():
            line = line.split("#")[0].strip()
            if not line:
                continue
            name, _, needs = line.partition(":")
            packages[name.strip()] = [n.strip() for n in needs.split(",") if n.strip()]
        return cls(packages)

    def __contains__(self, name):
        return name in self.packages

    def __iter__(self):
        return iter(self.packages)

    def needs(self, name, needed_by=None):
        if name not in self.packages:
            raise UnknownPackage(name, needed_by)
        return self.packages[name]
