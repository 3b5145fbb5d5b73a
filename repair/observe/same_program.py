"""Whether two sources are the same program but for comments and layout: their syntax trees are alike.

The trees are made in a child process, since hostile source can crash a parser. It loads nothing but the standard
library, so that it answers in a few hundredths of a second. Where it gives no answer, the sources count as different.
"""

from __future__ import annotations

import base64
import json
import subprocess
import sys
from collections.abc import Sequence

MOST_BYTES = 1 << 20
"""Of all sources together; more are not compared."""

_SECONDS = 5.0

_CHILD = """
import ast, base64, json, resource, sys
resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

def alike(one, other):
    waiting = [(one, other)]
    while waiting:
        one, other = waiting.pop()
        if type(one) is not type(other):
            return False
        if isinstance(one, ast.AST):
            waiting += [(getattr(one, name, None), getattr(other, name, None)) for name in one._fields]
        elif isinstance(one, list):
            if len(one) != len(other):
                return False
            waiting += zip(one, other)
        elif repr(one) != repr(other):
            return False
    return True

pairs = [[base64.b64decode(text) for text in pair] for pair in json.load(sys.stdin)]
print(all(alike(ast.parse(one), ast.parse(other)) for one, other in pairs))
"""


def are_same_programs(pairs: Sequence[tuple[bytes, bytes]]) -> bool:
    """Whether in each pair both sources have one syntax tree, so that only comments and layout differ.

    ``x = 1  # one`` and ``x = (1)`` are alike. Another docstring is another program, since programs can read it.
    """
    if sum(len(one) + len(other) for one, other in pairs) > MOST_BYTES:
        return False
    asked = json.dumps([[base64.b64encode(text).decode("ascii") for text in pair] for pair in pairs])
    command = [sys.executable, "-I", "-S", "-W", "ignore", "-c", _CHILD]
    try:
        done = subprocess.run(command, input=asked.encode(), capture_output=True, timeout=_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0 and done.stdout.strip() == b"True"
