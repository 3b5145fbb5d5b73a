"""What an old subject needs to run under a newer Python: pins that still install, and a plugin with what is gone since.

All of it is declared in the bug's environment, and the plugin is a file of the tree that pytest loads by name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

PLUGIN = "bugsinpy_shim"
SHIMS = (
    "names of collections.abc in collections",
    "inspect.getargspec",
    "asyncio.coroutine",
    "sys.setcheckinterval",
    "get_marker of pytest",
)
RAISED = (
    ("exceptiongroup", "1.2.2"),
    ("iniconfig", "2.0.0"),
    ("packaging", "24.0"),
    ("pluggy", "1.5.0"),
    ("py", "1.11.0"),
    ("pytest", "7.4.4"),
    ("tomli", "2.0.1"),
)
"""A pytest that runs under every Python from 3.8 on, what it needs, and what its old plugins import."""
DROPPED = frozenset({"pkg-resources", "pywin32-ctypes", "pywin32", "pypiwin32", "pywinpty", "win-unicode-console"})
"""Of Windows, or no distribution at all."""

_SOURCE = '''"""What old programs expect of Python and of pytest, and newer ones have no more."""

import asyncio
import collections
import collections.abc
import inspect
import os
import sys
import types

from _pytest.nodes import Node

for name in collections.abc.__all__:
    if not hasattr(collections, name):
        setattr(collections, name, getattr(collections.abc, name))

if not hasattr(asyncio, "coroutine"):
    asyncio.coroutine = types.coroutine

if not hasattr(sys, "setcheckinterval"):
    sys.getcheckinterval = lambda: 100
    sys.setcheckinterval = lambda every: None

if not hasattr(Node, "get_marker"):
    Node.get_marker = Node.get_closest_marker

if not hasattr(inspect, "getargspec"):
    ArgSpec = collections.namedtuple("ArgSpec", "args varargs keywords defaults")

    def getargspec(function):
        """The four parts that there were before keyword-only arguments."""
        return ArgSpec(*inspect.getfullargspec(function)[:4])

    inspect.getargspec = getargspec

sys.path[1:1] = [os.path.abspath(path) for path in PATHS if os.path.isdir(path)]
'''


@dataclass(frozen=True, slots=True)
class Pins:
    """Requirements that can be installed, and in words what was changed to get there."""

    requirements: tuple[str, ...]
    changes: tuple[str, ...]


def plugin(paths: Sequence[str]) -> bytes:
    """The plugin's source; ``paths`` are folders of the tree from which programs are imported."""
    heading, rest = _SOURCE.split("\n\n", 1)
    return f"{heading}\n\nPATHS = {list(paths)!r}\n\n{rest}".encode()


def pins(text: bytes, project: str) -> Pins:
    """The pinned requirements of a file, without the project itself and with a pytest that newer Pythons run."""
    found = dict(RAISED)
    changes = []
    wide = text[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\0" in text  # some were written by PowerShell
    for line in text.decode("utf-16" if wide else "utf-8", "replace").splitlines():
        pin = re.fullmatch(r"([A-Za-z0-9][A-Za-z0-9._-]*)==([^\s;#]+).*", line.strip())
        if pin is None:
            continue
        name, version = re.sub(r"[-_.]+", "-", pin[1]).lower(), pin[2]
        if name == project.lower():
            continue
        if name in DROPPED:
            changes.append(f"without {name}")
        elif name in found:
            changes += [f"{name} {found[name]} instead of {version}"] if found[name] != version else []
        else:
            found[name] = version
    return Pins(tuple(f"{name}=={version}" for name, version in sorted(found.items())), tuple(changes))
