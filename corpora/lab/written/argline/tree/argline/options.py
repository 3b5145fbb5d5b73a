from dataclasses import dataclass
from typing import Any, Callable, Optional


class UsageError(Exception):
    """The command line cannot be understood; the text is meant for the user."""


@dataclass(frozen=True)
class Option:
    """One option of the command line.

    action is "store" (one value), "append" (a value each time, collected in a
    list after those of the default) or "flag" (no value, turns on True).
    """

    name: str
    short: Optional[str] = None
    action: str = "store"
    convert: Callable[[str], Any] = str
    default: Any = None
    help: str = ""

    @property
    def dest(self) -> str:
        return self.name.replace("-", "_")

    @property
    def takes_value(self) -> bool:
        return self.action != "flag"

    def read(self, text: str) -> Any:
        try:
            return self.convert(text)
        except ValueError:
            raise UsageError(f"--{self.name}: bad value {text!r}") from None
