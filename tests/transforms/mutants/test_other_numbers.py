"""Other numbers in the place of those that a patch brings in."""

import pytest
from fakes.submission import scope_in

from transforms.mutants.other_numbers import other_numbers


def others(old: str, new: str) -> list[str]:
    before, after = (scope_in(text.encode(), "f") for text in (old, new))
    return [trial.text.decode() for trial in other_numbers(after, before)]


OLD = "def f(n):\n    if 10 <= n <= 20:\n        return 'th'\n    return n\n"


def test_a_number_that_stands_there_more_often_is_replaced_wherever_it_stands():
    found = others(OLD, OLD.replace("10 <= n ", "10 <= n % 20 "))
    assert any("10 <= n % 100 <= 20" in text for text in found)
    assert any("10 <= n % 20 <= 100" in text for text in found)
    assert all("if 10 <=" in text for text in found)
    assert len(found) == len(set(found)) > 20


def test_multiples_and_parts_come_first():
    found = others(OLD, OLD.replace("return n", "return n * 46"))
    assert [text.split("n * ")[1].strip() for text in found][:6] == ["92", "138", "230", "460", "23", "2"]


@pytest.mark.parametrize("new", [OLD.replace("return n", "return -n"), OLD.replace("<= 20", "< 20"), OLD])
def test_without_a_number_of_its_own_a_patch_has_none(new):
    assert others(OLD, new) == []


def test_zero_is_never_put_in_and_few_places_are_tried():
    found = others(OLD, OLD.replace("return n", "return n * 41 + n * 42 + n * 43 + n * 44"))
    assert not any("* 0" in text for text in found)
    assert all("n * 44" in text for text in found)
    assert [text.count("n * 82") + text.count("n * 84") + text.count("n * 86") for text in found][:4] == [1, 1, 1, 0]
