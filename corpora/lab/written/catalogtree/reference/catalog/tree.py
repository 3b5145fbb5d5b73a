from __future__ import annotations

from .errors import BadMove, CatalogError, NameTaken, NotFound
from .node import Category


def clean(name: str) -> str:
    name = " ".join(name.split())
    if not name or "/" in name:
        raise CatalogError(f"bad name: {name!r}")
    return name


class Catalog:
    """Tree of categories, addressed by paths like ``/Books/Crime``."""

    def __init__(self) -> None:
        self.root = Category("")

    def get(self, path: str) -> Category:
        node = self.root
        for part in path.split("/"):
            if not part:
                continue
            found = node.child(part)
            if found is None:
                raise NotFound(path)
            node = found
        return node

    def add(self, path: str, name: str) -> Category:
        parent = self.get(path)
        name = clean(name)
        if parent.child(name) is not None:
            raise NameTaken(name)
        node = Category(name, parent)
        parent.children.append(node)
        return node

    def rename(self, path: str, name: str) -> None:
        node = self.get(path)
        if node.parent is None:
            raise CatalogError("the root has no name")
        name = clean(name)
        other = node.parent.child(name)
        if other is not None and other is not node:
            raise NameTaken(name)
        node.name = name

    def move(self, path: str, target: str) -> Category:
        """Make the category at ``path`` the last child of the one at ``target``.

        The root cannot be moved, and nothing can be moved into itself or
        below itself (BadMove). A name that another child of the target has
        raises NameTaken. The tree is unchanged when anything is raised.
        Moving a category to the parent it already has puts it last.
        """
        node = self.get(path)
        new_parent = self.get(target)
        if node.parent is None:
            raise BadMove("the root cannot be moved")
        if new_parent is node or node in new_parent.ancestors():
            raise BadMove(f"{path} cannot be moved into itself")
        if new_parent.child(node.name) not in (None, node):
            raise NameTaken(node.name)
        node.parent.children.remove(node)
        node.parent = new_parent
        new_parent.children.append(node)
        return node

    def remove(self, path: str) -> None:
        node = self.get(path)
        if node.parent is None:
            raise CatalogError("the root cannot be removed")
        node.parent.children.remove(node)
        node.parent = None

    def count(self, path: str = "/") -> int:
        """Items in the category and everything below it."""
        return sum(len(node.items) for node in self.get(path).walk())

    def paths(self) -> list[str]:
        return [node.path() for node in self.root.walk() if node.parent is not None]
