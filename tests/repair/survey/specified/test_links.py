"""Which tests claim which requirements."""

from fakes.stating import SHOP, scanned

from repair.survey.specified.links import find_links

PAGE = """- REQ-1: `total([1, 2])` shall return 3.
- REQ-2: It shall sing.
- REQ-3: It shall dance.
"""
FEATURE = "Feature: A\n  @REQ-4\n  Scenario: The north\n    When `total([])` is called\n    Then it returns 0\n"
TESTS = """
def test_sum():
    assert total([1, 2]) == 3

def test_song():
    \"\"\"REQ-2\"\"\"
    total([])

@scenario("a.feature", "The north")
def test_north(): ...
"""


def links(tmp_path, page=PAGE, tests=TESTS):
    files = {"shop.py": SHOP, "a.md": page, "a.feature": FEATURE, "test_a.py": f"from shop import total\n{tests}"}
    found = find_links(scanned(tmp_path, files), {"test_a.py": files["test_a.py"].encode()})
    return [(each.requirement, each.test, each.functions) for each in found.links]


def test_by_id_by_scenario_and_by_the_same_claim(tmp_path):
    assert sorted(links(tmp_path)) == [
        ("REQ-1", "test_a.py::test_sum", ("shop.py:total",)),
        ("REQ-2", "test_a.py::test_song", ("shop.py:total",)),
        ("REQ-4", "test_a.py::test_north", ("shop.py:total",)),
    ]


def test_another_claim_of_the_same_call_is_no_link(tmp_path):
    assert links(tmp_path, tests="def test_sum():\n    assert total([1, 2]) == 4\n") == []
