from dataclasses import dataclass, field


@dataclass
class Event:
    name: str
    data: dict = field(default_factory=dict)
    stopped: bool = False

    def stop(self):
        """Keep the event from the remaining handlers."""
        self.stopped = True


def matches(pattern: str, name: str) -> bool:
    """Whether a pattern like "user.*" or "*" fits the event name."""
    if pattern == "*":
        return True
    if pattern.endswith(".*"):
        return name.startswith(pattern[:-1])
    return pattern == name
