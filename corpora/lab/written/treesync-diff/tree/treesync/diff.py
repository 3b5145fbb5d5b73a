"""Find out what must be done to make one tree like another."""
from dataclasses import dataclass

from .nodes import Dir, File, flatten


@dataclass(frozen=True)
class Op:
    """One step. ``kind`` is one of mkdir, rmdir, write, chmod, delete.

    mkdir    make an empty directory, the parent exists
    rmdir    remove a directory, which is empty by then
    write    create a file or replace its content (and its executable bit)
    chmod    change the executable bit of a file only
    delete   remove a file
    """

    kind: str
    path: str
    content: bytes = b""
    executable: bool = False


def write_op(path, file):
    return Op("write", path, file.content, file.executable)


def create_ops(node, path):
    """Steps to create a file or a whole directory, parents first."""
    if isinstance(node, File):
        yield write_op(path, node)
        return
    yield Op("mkdir", path)
    for sub, child in flatten(node, path + "/"):
        if isinstance(child, Dir):
            yield Op("mkdir", sub)
        else:
            yield write_op(sub, child)


def remove_ops(node, path):
    """Steps to remove a file or a whole directory, children first."""
    if isinstance(node, File):
        yield Op("delete", path)
        return
    for sub, child in reversed(list(flatten(node, path + "/"))):
        yield Op("rmdir" if isinstance(child, Dir) else "delete", sub)
    yield Op("rmdir", path)


def diff_dirs(old, new, prefix=""):
    """Yield the steps that turn the directory ``old`` into ``new``.

    The steps can be applied one after the other. Names are handled in sorted
    order. What is the same on both sides gives no step, and a file of which
    only the executable bit differs is not written again but gets a chmod. A
    name can stand for a file on one side and for a directory on the other; then
    the old one is removed first. Neither tree is changed.
    """
    for name in sorted(old.children.keys() | new.children.keys()):
        path = prefix + name
        before = old.children.get(name)
        after = new.children.get(name)
        if after is None:
            yield from remove_ops(before, path)
        elif before is None:
            yield from create_ops(after, path)
        elif isinstance(after, Dir):
            yield from diff_dirs(before, after, path + "/")
        elif before.content != after.content:
            yield write_op(path, after)
        elif before.executable != after.executable:
            yield Op("chmod", path, executable=after.executable)


def plan(old, new, keep=()):
    """List the steps for a sync, without removals of paths in ``keep``."""
    keep = set(keep)
    return [op for op in diff_dirs(old, new)
            if not (op.kind in ("delete", "rmdir") and op.path in keep)]
