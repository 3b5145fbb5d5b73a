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


PROGRAM = (
    (
        "prices.py",
        b"def total(prices):\n    return sum(prices)\n\n\ndef discount(price, percent): ...\n\n\n"
        b"def label(price): ...\n\n\nclass Cart:\n    def __init__(self):\n        self.size = 3\n",
    ),
)
IMPORTS = "import contextlib\nimport prices\nimport pytest\nfrom prices import Cart, discount, label, total\n\n\n"


def standings(source, task=TASK):
    return read_standings((("tests/test_a.py", f"{IMPORTS}{source}".encode()),), task, PROGRAM)


def standing(body, decorator="", arguments=""):
    (found,) = standings(f"{decorator}def test_it({arguments}):\n    " + body.replace("\n", "\n    ") + "\n")
    return found


TOTAL = '"""Quotes: `total([1, 2])` shall return 3."""\n'
RAISES = '"""Quotes: `discount` raises ValueError when the price is negative"""\n'


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
        '"""Quotes: `total([1, 2])` shall return 3.\n\n'
        'Quotes: `discount` raises ValueError when the price is negative."""\n'
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
        (TOTAL.replace("`total([1, 2])` ", "") + "assert total([1, 2]) == 3", "no whole sentence"),
        (TOTAL + "assert prices.total([3]) == 3", "speaks of another call"),
        (TOTAL + "assert Cart().size == 3", "speaks of another call"),
        (TOTAL + "assert int('3') == 3", "understood"),
        (TOTAL + "with contextlib.suppress(AssertionError):\n    assert total([1, 2]) == 3", "understood"),
        (TOTAL + "assert total([1, 2]) == pytest.approx(3, abs=1e99)", "understood"),
        (TOTAL + "assert total([1, 2]) * 0 + 3 == 3", "understood"),
        (TOTAL + "assert total([1, 2]).__class__(3) == 3", "understood"),
        (TOTAL + "assert total([1, 2]).imag == 3", "understood"),
        (TOTAL + "total = lambda prices: 3\nassert total([1, 2]) == 3", "understood"),
        (TOTAL + "prices.total = lambda items: 3\nassert prices.total([1, 2]) == 3", "could change the program"),
        (TOTAL + "setattr(prices, 'total', id)\nassert prices.total([1, 2]) == 3", "could change the program"),
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
        (RAISES + "with pytest.raises(ValueError):\n    int('x')", "understood"),
        (RAISES + "with pytest.raises(ValueError):\n    discount(int('x'), 0)", "understood"),
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

    def rows(more):
        return standing(body, table.format(more), "given, expected")

    assert rows("").standing is SaidBy.REQUIRED
    assert rows(", ([], 0)").standing is SaidBy.PINNED
    assert "another call" in rows(", ([3], 3)").why


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
    """Quotes: `discount` raises ValueError when the price
    is negative
    """
    with pytest.raises(ValueError):
        discount(-1, 0)
'''
    files = (("tests/test_a.py", source.encode()),)
    tests = read_standings(files, TASK, PROGRAM)
    assert [test.standing.value for test in tests] == ["required", "pinned", "pinned", "required"]
    (marked,) = (text.decode() for _, text in mark_tests(files, TASK, tests))
    assert '    # Required: TASK.md:3 says "total([1, 2]) shall return 3."\n' in marked
    assert '    # Required: TASK.md:5 says "discount raises ValueError when the price is negative"\n    with' in marked
    assert '        """Pinned: nobody said that it should be so."""\n        # as everybody knows\n' in marked
    assert "Quotes:" not in marked
    plain = [ast.dump(node) for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Assert | ast.With)]
    assert plain == [ast.dump(node) for node in ast.walk(ast.parse(marked)) if isinstance(node, ast.Assert | ast.With)]


@pytest.mark.parametrize(("value", "given", "is_denied"), [(3, [1, 2], False), (2, [1, 2], True)])
def test_what_the_task_excludes_is_not_required_though_its_value_stands_in_the_quote(value, given, is_denied):
    found = standing(f"{TOTAL}assert total({given}) == {value}")
    assert found.standing is (SaidBy.PINNED if is_denied else SaidBy.REQUIRED)
    assert ("the task says otherwise: TASK.md:3" in found.why) is is_denied


def test_a_mark_names_the_requirement():
    source = b'from prices import label\n\n\ndef test_it():\n    """Quotes: `label(3)` shall return "3 to pay"."""\n'
    files = (("tests/test_a.py", source + b"    assert label(3) == '3 to pay'\n"),)
    ((_, marked),) = mark_tests(files, TASK, read_standings(files, TASK, PROGRAM))
    assert b'# Required: REQ-2, TASK.md:8 says "label(3) shall return' in marked


BODY = f"    {TOTAL}    assert total([1, 2]) == 3\n"
INNER = f"        {TOTAL}        assert total([1, 2]) == 3\n"


@pytest.mark.parametrize(
    "source",
    [
        f"def test_it():\n{BODY}\n\ndef test_it():\n    pass\n",
        f"def test_it():\n{BODY}\n\ntest_it = lambda: None\n",
        f"def test_it():\n{BODY}\n\nfrom contextlib import suppress as test_it\n",
        f"def test_it():\n{BODY}\n\nif 1:\n    def test_it():\n        pass\n",
        f"class TestA:\n    def test_it(self):\n{INNER}\n\nTestA = object\n",
        f"@staticmethod\nclass TestA:\n    def test_it(self):\n{INNER}\n",
    ],
)
def test_a_test_whose_name_is_bound_again_is_pinned(source):
    found = standings(source)
    assert {each.standing for each in found} == {SaidBy.PINNED}
    assert "bound more than once" in found[0].why


def test_tests_of_one_name_in_two_classes_are_two_tests():
    of = f"class {{}}:\n    def test_it(self):\n{INNER}"
    found = standings(f"{of.format('TestA')}\n\n{of.format('TestB')}")
    assert [each.standing for each in found] == [SaidBy.REQUIRED] * 2


@pytest.mark.parametrize(
    "test",
    [
        'def test_it():\n    """Quotes: `total([1, 2])` shall return 3."""; assert total([1, 2]) == 3\n    x = 1\n',
        'def test_it(\n): """Quotes: `total([1, 2])` shall return 3."""; assert total([1, 2]) == 3\n',
    ],
)
def test_a_docstring_that_shares_a_line_makes_a_test_pinned_and_its_assertion_stays(test):
    (found,) = standings(test)
    assert (found.standing, found.why) == (SaidBy.PINNED, "its docstring shares a line")
    ((_, marked),) = mark_tests((("tests/test_a.py", test.encode()),), TASK, (found,))
    assert b"assert total([1, 2]) == 3" in marked
    assert b'"""Pinned: nobody said that it should be so."""\n' in marked


@pytest.mark.parametrize(
    ("test", "expected"),
    [
        ("def test_it(): assert total([]) == 0", ["def test_it():", "    {mark}", "    assert total([]) == 0"]),
        (
            "def test_it(): x = 1; assert x  # so",
            ["def test_it():", "    {mark}", "    x = 1", "    assert x", "    # so"],
        ),
        ('def test_it(): """It."""', ["def test_it():", "    {mark}", "    pass"]),
        (
            "def test_it(): assert total(\n    [1,\n 2]) == 3",
            ["def test_it():", "    {mark}", "    assert total(", "    [1,", " 2]) == 3"],
        ),
        (
            'class TestA:\n    def test_it(self): assert "é; # é" ; assert 1',
            ["class TestA:", "    def test_it(self):", "        {mark}", '        assert "é; # é"', "        assert 1"],
        ),
        (
            'def test_it():\n    """It."""; x = 1; y = 2\n    assert x',
            ["def test_it():", "    {mark}", "    x = 1", "    y = 2", "    assert x"],
        ),
    ],
)
def test_a_test_on_one_line_has_its_mark_too(test, expected):
    (found,) = standings(test + "\n")
    ((_, marked),) = mark_tests((("tests/test_a.py", (test + "\n").encode()),), TASK, (found,))
    lines = marked.decode().splitlines()
    mark = '"""Pinned: nobody said that it should be so."""'
    assert lines == [line.replace("{mark}", mark) for line in expected]


DENYING = StatedTask(
    "TASK.md",
    "`rank` must not return 7 for an empty list. `top` returns 7 when the list is not empty.\n\n"
    "If the list is empty `low` does not return 7.\n",
)


@pytest.mark.parametrize(
    ("quote", "why"),
    [
        ("return 7 for an empty list", "no whole sentence"),
        ("`rank` must not return 7 for an empty list.", "what is not so"),
        ("If the list is empty `low` does not return 7.", "what is not so"),
        ("`top` returns 7 when the list is not empty.", ""),
        ("`rank` must not return 7 for an empty list. `top` returns 7 when the list is not empty.", "what is not so"),
    ],
)
def test_a_quote_is_a_whole_sentence_that_denies_nothing(quote, why):
    (found,) = standings(f'def test_it():\n    """Quotes: {quote}"""\n    assert total([]) == 7\n', DENYING)
    assert found.standing is (SaidBy.PINNED if why else SaidBy.REQUIRED)
    assert why in found.why


@pytest.mark.parametrize(
    ("imports", "standing"),
    [
        ("from prices import total", SaidBy.REQUIRED),
        ("from tests.helper import total", SaidBy.PINNED),
        ("from prices import discount as total", SaidBy.PINNED),
        ("from prices import total\nfrom shop import total", SaidBy.PINNED),
        ("from prices import *", SaidBy.PINNED),
        ("from prices import total\nfrom tests.helper import *", SaidBy.PINNED),
        ("from prices import total\nfrom unittest.mock import patch as p", SaidBy.PINNED),
        ("from prices import total\nimport builtins", SaidBy.PINNED),
        ("from prices import total\nfrom helper import total as other", SaidBy.REQUIRED),
    ],
)
def test_what_is_called_is_imported_from_the_program_under_its_name_and_from_nowhere_else(imports, standing):
    source = f"{imports}\n\n\ndef test_it():\n{BODY}".encode()
    (found,) = read_standings((("tests/test_a.py", source),), TASK, PROGRAM)
    assert found.standing is standing


def test_a_module_of_the_program_may_be_called_by_another_name():
    source = f"import prices as p\n\n\ndef test_it():\n{BODY.replace('assert total', 'assert p.total')}"
    (found,) = read_standings((("tests/test_a.py", source.encode()),), TASK, PROGRAM)
    assert found.standing is SaidBy.REQUIRED
