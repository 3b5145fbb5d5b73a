import ast

import pytest

from analysis.specified.task_text import StatedTask
from repair.records.grown import SaidBy
from repair.survey.making.standings import mark_tests, read_standings

TASK = StatedTask(
    "TASK.md",
    """\
# Prices

Write a module `prices`. REQ-1: `total([1, 2])` shall return 3.

- `discount` raises ValueError when the price
  is negative.
- `label(None)` returns "nothing to pay".
- REQ-2: `label(3)` shall return "3 to pay".
""",
)


def standing(body, decorator=""):
    source = f"{decorator}def test_it():\n    " + body.replace("\n", "\n    ") + "\n"
    (found,) = read_standings((("tests/test_a.py", source.encode()),), TASK)
    return found


TOTAL = '"""Quotes: `total([1, 2])` shall return 3."""\n'
RAISES = '"""Quotes: raises ValueError when the price is negative"""\n'


@pytest.mark.parametrize(
    "body",
    [
        TOTAL + "assert total([1, 2]) == 3",
        TOTAL + "assert 3 == total([1, 2])",
        TOTAL + "given = [1, 2]\nassert total(given) == 3",
        TOTAL + "assert prices.total([1,2]) == 3",
        TOTAL + "found = total([1, 2])\nassert found == 3",
        TOTAL + "expected = 3\nassert total([1, 2]) == expected",
        TOTAL.replace("Quotes: ", 'Quotes: "').replace('3."""', '3." """') + "assert total([1, 2]) == 3",
        RAISES + "with pytest.raises(ValueError):\n    discount(-1, 0)",
        '"""Quotes: `label(None)` returns "nothing to pay"."""\nassert label(None) == "nothing to pay"',
        '"""Quotes: `total([1, 2])` shall return 3.\n\nQuotes: raises ValueError when the price"""\n'
        "assert total([1, 2]) == 3\nwith pytest.raises(ValueError):\n    discount(-1, 0)",
    ],
)
def test_a_test_is_required_where_its_quote_says_all_that_it_claims(body):
    found = standing(body)
    assert (found.standing, found.why) == (SaidBy.REQUIRED, "")
    assert found.quotes


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("assert total([1, 2]) == 3", "quotes nothing"),
        ('"""Quotes: it shall return 4."""\nassert total([2, 2]) == 4', "not in the task"),
        ('"""Quotes: 3."""\nassert total([1, 2]) == 3', "not in the task"),
        (TOTAL + "assert total([]) == 0", "does not say 0"),
        (TOTAL + "assert total([3]) == 3", "speaks of another call"),
        (TOTAL + "given = [3]\nassert total(given) == 3", "speaks of another call"),
        (TOTAL.replace("`total([1, 2])` ", "") + "assert total([3]) == 3", "speaks of another call"),
        (TOTAL + "assert total([1, 2]) == 3\nassert total([0, 3]) == 3", "speaks of another call"),
        (TOTAL + "assert total([1, 2]) == 3\nassert total([]) == 0", "does not say 0"),
        (TOTAL + "expected = 3\nexpected += 1\nassert total([1, 2]) == expected", "understood"),
        (TOTAL + "assert total([1, 2]) == sum([1, 2])", "understood"),
        (TOTAL + "assert 3 == 3", "understood"),
        (TOTAL + "assert total([1, 2]) > 2", "understood"),
        (TOTAL + "if False:\n    assert total([1, 2]) == 3", "understood"),
        (TOTAL + "for n in []:\n    assert total([1, 2]) == 3", "understood"),
        (TOTAL + "return\nassert total([1, 2]) == 3", "understood"),
        (TOTAL + "try:\n    assert total([1, 2]) == 3\nexcept AssertionError:\n    pass", "understood"),
        (TOTAL + "self.assertEqual(total([1, 2]), 3)", "understood"),
        (TOTAL + "total([1, 2])", "asserts nothing"),
        (RAISES + "with pytest.raises(TypeError):\n    discount(-1, 0)", "does not say TypeError"),
        (RAISES + "with pytest.raises(ValueError, match='too low'):\n    discount(-1, 0)", "does not say"),
        (RAISES + "with pytest.raises(ValueError):\n    discount(-1, 0)\n    assert total([1]) == 1", "understood"),
    ],
)
def test_a_test_is_pinned_where_its_quote_does_not(body, why):
    found = standing(body)
    assert found.standing is SaidBy.PINNED
    assert why in found.why


def test_each_row_of_a_table_has_to_be_said():
    body = TOTAL + "assert total(given) == expected"
    table = '@pytest.mark.parametrize("given, expected", [([1, 2], 3){}])\n'
    assert standing(body, table.format("")).standing is SaidBy.REQUIRED
    assert standing(body, table.format(", ([], 0)")).standing is SaidBy.PINNED
    assert "another call" in standing(body, table.format(", ([3], 3)")).why


def test_a_test_that_may_be_left_out_is_pinned():
    assert "understood" in standing(TOTAL + "assert total([1, 2]) == 3", "@pytest.mark.skip\n").why


def test_a_mark_says_who_says_so_and_changes_nothing_else():
    source = f'''\
import pytest
from prices import discount, total


def test_total():
    {TOTAL}
    assert total([1, 2]) == 3


class TestMore:
    def test_more(self):
        """It is so."""
        # as everybody knows
        assert total([]) == 0

    def test_bare(self): assert total([]) == 0


def test_discount():
    """Quotes: raises ValueError when the price
    is negative
    """
    with pytest.raises(ValueError):
        discount(-1, 0)
'''
    files = (("tests/test_a.py", source.encode()),)
    tests = read_standings(files, TASK)
    assert [test.standing.value for test in tests] == ["required", "pinned", "pinned", "required"]
    (marked,) = (text.decode() for _, text in mark_tests(files, TASK, tests))
    assert '    # Required: TASK.md:3 says "total([1, 2]) shall return 3."\n' in marked
    assert '    # Required: TASK.md:5 says "raises ValueError when the price is negative"\n    with' in marked
    assert '        """Pinned: nobody said that it should be so."""\n        # as everybody knows\n' in marked
    assert "Quotes:" not in marked
    plain = [ast.dump(node) for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Assert | ast.With)]
    assert plain == [ast.dump(node) for node in ast.walk(ast.parse(marked)) if isinstance(node, ast.Assert | ast.With)]


PROGRAM = (("prices.py", b"def total(prices):\n    return sum(prices)\n"),)


@pytest.mark.parametrize(("value", "given", "is_denied"), [(3, [1, 2], False), (2, [1, 2], True)])
def test_what_the_task_excludes_is_not_required_though_its_value_stands_in_the_quote(value, given, is_denied):
    source = f"from prices import total\n\n\ndef test_it():\n    {TOTAL}    assert total({given}) == {value}\n"
    (found,) = read_standings((("tests/test_a.py", source.encode()),), TASK, PROGRAM)
    assert found.standing is (SaidBy.PINNED if is_denied else SaidBy.REQUIRED)
    assert ("the task says otherwise: TASK.md:3" in found.why) is is_denied


def test_a_mark_names_the_requirement():
    source = b'def test_it():\n    """Quotes: `label(3)` shall return"""\n    label(3)\n'
    source = source.replace(b"    label(3)", b"    assert label(3) == '3 to pay'").replace(
        b'return"', b'return "3 to pay"."'
    )
    files = (("tests/test_a.py", source),)
    ((_, marked),) = mark_tests(files, TASK, read_standings(files, TASK))
    assert b'# Required: REQ-2, TASK.md:8 says "label(3) shall return' in marked
