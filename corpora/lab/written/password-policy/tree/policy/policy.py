from dataclasses import dataclass, field

from . import checks


@dataclass
class Policy:
    """Settings of a customer. ``problems`` lists everything that is wrong."""

    min_length: int = 10
    min_classes: int = 3
    max_repeat: int = 3
    sequence_length: int = 4
    forbidden_names: list = field(default_factory=list)

    def problems(self, password, user_name=""):
        found = []
        if len(password) < self.min_length:
            found.append(f"shorter than {self.min_length} characters")
        if checks.count_classes(password) < self.min_classes:
            found.append("too few kinds of characters")
        if checks.longest_repeat(password) > self.max_repeat:
            found.append("repeats a character too often")
        sequence = checks.find_sequence(password, self.sequence_length)
        if sequence is not None:
            found.append(f"contains the sequence {sequence}")
        if checks.contains_name(password, user_name, *self.forbidden_names):
            found.append("contains a name")
        if checks.is_common(password):
            found.append("is a common password")
        return found

    def accepts(self, password, user_name=""):
        return not self.problems(password, user_name)


LENIENT = Policy(min_length=8, min_classes=2, sequence_length=5)
STRICT = Policy(min_length=14, min_classes=4, max_repeat=2, sequence_length=3)
