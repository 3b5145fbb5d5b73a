"""A corpus of one bug: a function that counts one too few."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from analysis.facts import Files
from corpora.bug import Bug, Oracle, Provenance

PROGRAM = b"def size(rows):\n    return len(rows) - 1\n\n\ndef empty(rows):\n    return not rows\n"
FIXED = PROGRAM.replace(b" - 1", b"")
TESTS = b"""from sizes import empty, size

def test_size():
    assert size([1, 2]) == 2

def test_empty():
    assert empty([])
"""
BUG = Bug("size", ("test_sizes.py::test_size",), Provenance("toy", "handwritten"))


def changed(text: bytes) -> Files:
    """The program with this text."""
    return (("sizes.py", text),)


ANSWER = Oracle(reference=changed(FIXED))


@dataclass
class Sizes:
    """The bug in this form, with this answer."""

    answer: Oracle = ANSWER
    program: bytes = PROGRAM
    name: str = "toy:sizes"

    def bugs(self) -> Iterator[Bug]:
        yield BUG

    def write_tree(self, bug: Bug, root: Path) -> None:
        root.mkdir()
        (root / "sizes.py").write_bytes(self.program)
        (root / "test_sizes.py").write_bytes(TESTS)

    def oracle(self, bug: Bug) -> Oracle:
        return self.answer
