"""Directory trees in memory."""
from dataclasses import dataclass, field
from typing import Dict, Union


@dataclass
class File:
    content: bytes = b""
    executable: bool = False


@dataclass
class Dir:
    children: Dict[str, Union["Dir", File]] = field(default_factory=dict)


def build(spec):
    """Make a tree from nested dicts: dict -> Dir, str -> File, File -> itself.

    >>> build({"a": {"b.txt": "hi"}})
    Dir(children={'a': Dir(children={'b.txt': File(content=b'hi', executable=False)})})
    """
    if isinstance(spec, dict):
        return Dir({name: build(child) for name, child in spec.items()})
    if isinstance(spec, str):
        return File(spec.encode())
    return spec


def flatten(tree, prefix=""):
    """Yield (path, node) for everything below a directory, sorted, parents first."""
    for name in sorted(tree.children):
        node = tree.children[name]
        path = f"{prefix}{name}"
        yield path, node
        if isinstance(node, Dir):
            yield from flatten(node, path + "/")
