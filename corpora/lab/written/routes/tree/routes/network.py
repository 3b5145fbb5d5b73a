from typing import Dict, Iterable, Tuple


class Network:
    """Stops and the roads between them, with the minutes a road takes."""

    def __init__(self) -> None:
        self._roads: Dict[str, Dict[str, int]] = {}

    def add_stop(self, name: str) -> None:
        self._roads.setdefault(name, {})

    def add_road(self, a: str, b: str, minutes: int, one_way: bool = False) -> None:
        if minutes < 0:
            raise ValueError("minutes must not be negative")
        self.add_stop(a)
        self.add_stop(b)
        self._roads[a][b] = minutes
        if not one_way:
            self._roads[b][a] = minutes

    def close_road(self, a: str, b: str) -> None:
        del self._roads[a][b]
        self._roads[b].pop(a, None)

    def __contains__(self, stop: str) -> bool:
        return stop in self._roads

    def from_stop(self, stop: str) -> Iterable[Tuple[str, int]]:
        return sorted(self._roads[stop].items())

    def minutes(self, a: str, b: str) -> int:
        return self._roads[a][b]


def parse(text: str) -> Network:
    """Read lines like ``a - b 5`` or, one way, ``a > b 5``. # starts a comment."""
    net = Network()
    for n, line in enumerate(text.splitlines(), 1):
        line = line.split("#")[0].strip()
        if not line:
            continue
        words = line.split()
        if len(words) != 4 or words[1] not in ("-", ">"):
            raise ValueError(f"line {n}: {line!r}")
        net.add_road(words[0], words[2], int(words[3]), one_way=words[1] == ">")
    return net
