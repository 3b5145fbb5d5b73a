from dataclasses import dataclass, field


@dataclass
class Contact:
    name: str
    phones: list = field(default_factory=list)
    emails: list = field(default_factory=list)
    note: str = ""

    def __str__(self):
        first = self.phones[0] if self.phones else "no phone"
        return f"{self.name} ({first})"
