from __future__ import annotations

from typing import Iterator


class Category:
    """A named category; ``children`` keeps the order of insertion."""

    def __init__(self, name: str, parent: Category | None = None):
        self.name = name
        self.parent = parent
        self.children: list[Category] = []
        self.items: list[str] = []

    def child(self, name: str) -> Category | None:
        for c in self.children:
            if c.name == name:
                return c
        return None

    def ancestors(self) -> Iterator[Category]:
        """The parent, its parent, and so on up to the root."""
        node = self.parent
        while node is not None:
            yield node
            node = node.parent

    def walk(self) -> Iterator[Category]:
        yield self
        for c in self.children:
            yield from c.walk()

    def path(self) -> str:
        names = [n.name for n in self.ancestors() if n.parent is not None]
        names.reverse()
        if self.parent is not None:
            names.append(self.name)
        return "/" + "/".join(names)

    def __repr__(self) -> str:
        return f"<Category {self.path()}>"
