"""Of two edits that pass the tests, the one that the judge has less against is the answer."""

from __future__ import annotations

from pathlib import Path

from end_to_end.conftest import Command

MODULE = '''\
def parse_quantity(text):
    """'3x' or '3' or '' (which means 1)."""
    return int(text.rstrip("x"))
'''
TESTS = """\
from cart import parse_quantity


def test_plain():
    assert parse_quantity("3") == 3
    assert parse_quantity("12") == 12


def test_marked():
    assert parse_quantity("4x") == 4
    assert parse_quantity("20x") == 20


def test_nothing_means_one():
    assert parse_quantity("") == 1
"""


def test_one_comes_before_true_where_all_other_calls_give_a_number(repair: Command, tmp_path: Path):
    """A search finds ``return True`` earlier; both pass, and ``True == 1``."""
    (tmp_path / "cart.py").write_text(MODULE)
    (tmp_path / "test_cart.py").write_text(TESTS)
    told = repair("fix", "--alternatives", "3", "--json", cwd=tmp_path).result
    first, *others = told["patches"]
    assert "1" in first["diff"]
    assert "True" not in first["diff"], told
    assert any("True" in other["diff"] for other in others)
