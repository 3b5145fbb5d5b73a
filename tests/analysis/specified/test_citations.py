"""What tests name and quote."""

import ast

import pytest

from analysis.specified.citations import read_tests

SOURCE = '''
# REQ-1: see docs/a.md
def test_a():
    """Requirement: AC-2.1 (docs/b.md:14-16 sha256:9f3a12aa)"""
    assert shop.total([1]) == 1


class TestMore:
    """REQ-3"""

    def test_req_4_total(self):
        # Required: shop.py:15 says "It "sings"."
        assert True


@scenario("features/a.feature", "The north")
def test_north():
    pass
'''


def test_what_tests_name():
    one, two, three = read_tests("tests/test_a.py", ast.parse(SOURCE), SOURCE)
    assert one.requirements == ("REQ-1", "AC-2.1")
    assert one.files == (("docs/a.md", 2), ("docs/b.md", 4))
    assert [(q.path, q.digest, q.line) for q in one.quotes] == [("docs/b.md", "9f3a12aa", 4)]
    assert "total" in one.calls
    assert (two.name, two.requirements) == ("tests/test_a.py::TestMore::test_req_4_total", ("REQ-3", "REQ-4"))
    assert [(q.path, q.quote, q.line) for q in two.quotes] == [("shop.py", 'It "sings".', 12)]
    assert three.scenario == "The north"


@pytest.mark.parametrize("piece", ["a/", "a.", "a:1 says ", "req_1_"])
def test_a_text_that_goes_on_and_on_is_read_at_once(piece):
    source = f'def test_a():\n    """{piece * 20_000}"""\n'
    (test,) = read_tests("t.py", ast.parse(source), source)
    assert test.quotes == test.files == ()
