class UsageError(Exception):
    """Base of everything the user can do wrong on the command line."""


class UnknownOption(UsageError):
    def __init__(self, name):
        super().__init__(f"unknown option {name}")
        self.name = name


class MissingValue(UsageError):
    def __init__(self, name):
        super().__init__(f"option {name} needs a value")
        self.name = name
