"""Copies of libraries whose words become tests, and changes of them."""

import sys

import pytest

from corpora.lab.benchmarks.healed_library import (
    CopiedLibrary,
    HealedLibrary,
    example_cases,
    with_other_end,
    write_tests,
)
from corpora.lab.benchmarks.healing import change_moved, change_result
from corpora.lab.pinned import SourcePackage

SOURCE = '''
def double(n):
    """Twice as much.

    >>> double(2)
    4
    """
    return n * 2


def triple(n):
    """Three times as much.

    >>> triple(2)
    6
    >>> triple(3)
    8
    """
    for part in range(0):
        pass
    return n * 3
'''


@pytest.fixture
def copy(tmp_path):
    library = HealedLibrary(SourcePackage("toy", "1", "0"), "toy", ".", ("toy/sums.py",))
    (tmp_path / "toy").mkdir()
    (tmp_path / "toy" / "__init__.py").touch()
    (tmp_path / "toy" / "sums.py").write_text(SOURCE)
    made = CopiedLibrary(library, tmp_path, sys.executable)
    made.git("init", "-q")
    return made


def test_every_second_function_has_its_words_in_sentences(copy):
    double, triple = example_cases(copy)
    assert (double.in_sentences, double.examples) == (False, (("double(2)", "4"),))
    assert (triple.in_sentences, triple.examples) == (True, (("triple(2)", "6"),))
    owners = write_tests(copy, [double, triple])
    (written,) = (copy.root / "tests").glob("*.py")
    assert 'says ">>> double(2) 4"' in written.read_text()
    assert 'says "triple(2) returns 6."' in written.read_text()
    assert [owner.function.qualname for owner in owners.values()] == ["double", "triple"]


def test_what_a_function_gives_is_changed_with_its_words(copy):
    double, triple = example_cases(copy)
    assert change_result(copy, triple, 0, said=True, beside=[double]) == (0,)
    text = (copy.root / "toy" / "sums.py").read_text()
    assert "triple(2) returns 6." not in text
    assert "triple(2) returns " in text
    assert ">>> double(2)\n    4\n" in text


def test_a_change_after_which_a_module_cannot_be_imported_is_none(copy):
    cases = example_cases(copy)
    before = (copy.root / "toy" / "sums.py").read_text()
    (copy.root / "toy" / "bad.py").write_text("import nothing_of_that_name\n")
    assert not change_moved(copy, cases[0], 0)
    assert (copy.root / "toy" / "sums.py").read_text() == before
    (copy.root / "toy" / "bad.py").unlink()
    assert change_moved(copy, cases[0], 0)
    assert "double_anew" in (copy.root / "toy" / "sums.py").read_text()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (">>> f(1)\n2\n", ">>> f(1)\n3\n"),
        ("f(1) returns 2.\n", "f(1) returns 3.\n"),
        ("f(1) returns 20.\n", ""),
        ("f(2) returns 2.\n", ""),
    ],
)
def test_words_that_say_something_else(text, expected):
    assert with_other_end(text, "f(1)", "2", "3") == expected
