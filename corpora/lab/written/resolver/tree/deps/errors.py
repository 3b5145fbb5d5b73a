class DependencyError(Exception):
    pass


class UnknownPackage(DependencyError):
    def __init__(self, name, needed_by=None):
        text = f"unknown package {name}"
        if needed_by:
            text += f" (needed by {needed_by})"
        super().__init__(text)
        self.name = name


class CycleError(DependencyError):
    """path starts and ends with the same package."""

    def __init__(self, path):
        super().__init__("cycle: " + " -> ".join(path))
        self.path = path
