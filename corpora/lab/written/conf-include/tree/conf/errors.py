class ConfError(Exception):
    """Base class of everything that can be wrong with a configuration."""


class SyntaxProblem(ConfError):
    def __init__(self, lineno, message):
        super().__init__(f"line {lineno}: {message}")
        self.lineno = lineno


class MissingFile(ConfError):
    def __init__(self, path):
        super().__init__(f"no such file: {path}")
        self.path = path


class CycleError(ConfError):
    """Files include each other. `chain` begins and ends with the same file."""

    def __init__(self, chain):
        self.chain = [p.name for p in chain]
        super().__init__("include cycle: " + " -> ".join(self.chain))
