"""Carry out the steps of a diff."""
from .nodes import Dir, File


class SyncError(Exception):
    pass


def _parent(tree, path):
    *parts, name = path.split("/")
    node = tree
    for part in parts:
        node = node.children.get(part)
        if not isinstance(node, Dir):
            raise SyncError(f"{path}: parent is not a directory")
    return node, name


def apply_ops(tree, ops):
    """Apply steps to a tree in place, strictly, and return how many there were."""
    count = 0
    for op in ops:
        parent, name = _parent(tree, op.path)
        node = parent.children.get(name)
        if op.kind == "mkdir":
            if node is not None:
                raise SyncError(f"{op.path}: exists")
            parent.children[name] = Dir()
        elif op.kind == "rmdir":
            if not isinstance(node, Dir) or node.children:
                raise SyncError(f"{op.path}: not an empty directory")
            del parent.children[name]
        elif op.kind == "write":
            if isinstance(node, Dir):
                raise SyncError(f"{op.path}: is a directory")
            parent.children[name] = File(op.content, op.executable)
        elif op.kind == "chmod":
            if not isinstance(node, File):
                raise SyncError(f"{op.path}: not a file")
            node.executable = op.executable
        elif op.kind == "delete":
            if not isinstance(node, File):
                raise SyncError(f"{op.path}: not a file")
            del parent.children[name]
        else:
            raise SyncError(f"unknown step {op.kind}")
        count += 1
    return count
