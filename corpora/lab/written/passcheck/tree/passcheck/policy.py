"""A password policy: several rules, all reported at once."""

from dataclasses import dataclass, field

from passcheck import rules


@dataclass(frozen=True)
class Violation:
    code: str
    message: str


@dataclass
class Policy:
    """Which rules apply and how strict they are."""

    min_length: int = 8
    max_length: int = 64
    min_classes: int = 3
    max_run: int = 3
    max_sequence: int = 3
    banned: set[str] = field(default_factory=set)

    def check(self, password: str, username: str = "") -> list[Violation]:
        """Return every violation, in the order of the rules."""
        found = []

        def report(code: str, message: str) -> None:
            found.append(Violation(code, message))

        if len(password) < self.min_length:
            report("short", f"use at least {self.min_length} characters")
        if len(password) > self.max_length:
            report("long", f"use at most {self.max_length} characters")
        if len(rules.character_classes(password)) < self.min_classes:
            report("classes", f"mix at least {self.min_classes} kinds of characters")
        if rules.longest_run(password) > self.max_run:
            report("run", f"no more than {self.max_run} equal characters in a row")
        if rules.longest_sequence(password) > self.max_sequence:
            report("sequence", f"no sequences over {self.max_sequence} characters")
        if username and username.casefold() in password.casefold():
            report("username", "must not contain the user name")
        if password.casefold() in {word.casefold() for word in self.banned}:
            report("banned", "this password is too common")
        return found

    def accepts(self, password: str, username: str = "") -> bool:
        return not self.check(password, username)
