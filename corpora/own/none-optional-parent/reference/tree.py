"""Nodes of a tree of folders."""


class Node:
    """A folder with a parent; the root has none."""

    def __init__(self, name, parent=None):
        self.name = name
        self.parent = parent
        self.children = []
        if parent is not None:
            parent.children.append(self)

    def ancestors(self):
        """The folders around this one, the nearest first."""
        node = self.parent
        while node is not None:
            yield node
            node = node.parent

    def path(self):
        """Names from the root to this folder."""
        return "/" + "/".join(node.name for node in [*list(self.ancestors())[::-1], self] if node.parent)

    def common(self, other):
        """The innermost folder that holds both (a folder holds itself), None where they are of different trees."""
        mine = [self, *self.ancestors()]
        for node in [other, *other.ancestors()]:
            if node in mine:
                return node
        return None

    def siblings(self):
        """The other folders of the same parent."""
        if self.parent is None:
            return []
        return [node for node in self.parent.children if node is not self]
