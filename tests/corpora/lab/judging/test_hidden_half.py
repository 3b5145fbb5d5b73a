"""Every second test is hidden, by one rule, and only scoring has the file as it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from corpora.bug import Bug, Environment, Oracle, Provenance
from corpora.lab.judging.hidden_half import Halved, thin_out

TESTS = b"""import pytest

def test_a():
    pass

@pytest.mark.slow
def test_b():
    pass

class TestMore:
    pass

def test_c():
    pass
"""


def names(shown: int) -> list[bytes]:
    text = thin_out("test_x.py", TESTS, shown)
    return [name for name in (b"test_a", b"test_b", b"test_c", b"slow", b"TestMore") if name in text]


def test_every_second_test_function_goes():
    assert names(0) == [b"test_a", b"test_c", b"TestMore"]
    assert names(1) == [b"test_b", b"slow", b"TestMore"]


def test_every_second_line_of_data_goes():
    assert thin_out("x.json", b"[1]\n\n[2]\n[3]", 0) == b"[1]\n[3]"
    assert thin_out("x.json", b"[1]\n\n[2]\n[3]", 1) == b"[2]\n"


@pytest.mark.parametrize(("path", "content"), [("x.json", b"[1]\n"), ("test_x.py", b"def test_a():\n    pass\n")])
def test_a_single_test_stays(path: str, content: bytes):
    assert thin_out(path, content, 0) == thin_out(path, content, 1) == content


class Corpus:
    name = "toy:x"

    def bugs(self):
        yield BUG

    def write_tree(self, bug: Bug, root: Path) -> None:
        root.mkdir()
        (root / "test_x.py").write_bytes(TESTS)

    def oracle(self, bug: Bug) -> Oracle:
        return Oracle(reference=(("x.py", b""),))


BUG = Bug("x", (), Provenance("toy", "handwritten"), environment=Environment(tests=("test_x.py",)))


def test_the_tree_has_a_half_and_the_answer_the_whole(tmp_path: Path):
    halved = Halved(Corpus(), 0)
    halved.write_tree(BUG, tmp_path / "tree")
    assert b"test_b" not in (tmp_path / "tree" / "test_x.py").read_bytes()
    assert halved.oracle(BUG) == Oracle(reference=(("x.py", b""),), held_out=(("test_x.py", TESTS),))
    assert [bug.id for bug in halved.bugs()] == ["x"]
    assert halved.name == "toy:x"
