from dataclasses import dataclass, field


@dataclass
class Folder:
    name: str
    parent: "Folder | None" = None
    inherit: bool = True
    rules: dict[tuple[str, str], bool] = field(default_factory=dict)

    def allow(self, who: str, right: str) -> None:
        self.rules[who, right] = True

    def deny(self, who: str, right: str) -> None:
        self.rules[who, right] = False

    def clear(self, who: str, right: str) -> None:
        self.rules.pop((who, right), None)

    @property
    def path(self) -> str:
        if self.parent is None:
            return self.name
        return f"{self.parent.path}/{self.name}"
