"""What follows the program in generated tests: names, calls, quotes and claims, and what never does."""

import ast

import pytest
from fakes.generated import SHOP, TESTS, generated, program

from repair.records.healed import HealKind
from repair.survey.healing.generated_file import GeneratedFile
from repair.survey.healing.healing_plan import FilePlan, compose_note, imports_of, mending, plan_file
from repair.survey.healing.test_edits import edited

MOVED = SHOP.replace("class Cart", "class Basket").replace("dear", "costly").replace("percent", "rate")


def plan(file: GeneratedFile | None = None, old: str = SHOP, **new: str) -> FilePlan:
    file, was = file or generated(), program("0abc123", shop=old)
    return plan_file(file, program(**new), [(test, was, "") for test in file.tests])


def healed(made: FilePlan, *, notes: bool = False) -> str:
    spans = []
    for each in made.planned:
        found = mending(each, made)
        spans += [*found.spans, *([compose_note(found, each, made, "2026-11-28")] if notes and found.kinds else [])]
    return edited(made.file, spans, imports_of(made), tuple(made.now.names.modules))


def reasons(made: FilePlan) -> dict[str, str]:
    return {each.test.name: each.why or mending(each, made).why for each in made.planned}


def test_a_program_that_is_as_it_was_changes_nothing():
    assert healed(plan(shop=SHOP)) == TESTS


def test_names_and_parameters_follow():
    made = plan(prices=MOVED.replace("def discount", "def reduced"))
    assert not any(reasons(made).values())
    text = healed(made)
    assert "from prices import Basket, reduced, total\n" in text
    assert "assert Basket(items=[1, 5]).costly(2) == [5]" in text
    assert "reduced(price, rate=percent) == expected" in text
    assert 'Required: prices.py:7 says "Returns 0 for an empty list."' in text
    assert '# Asked: a person answered "shop.Cart(items=[1, 5]).dear(2) == [5]"' in text
    assert ast.parse(text)


def test_a_module_that_is_imported_whole():
    text = "import shop\n\n\ndef test_total():\n    " + '"""Pinned: so."""\n    assert shop.total([]) == 0\n'
    made = plan(generated(text), prices=SHOP)
    assert healed(made) == text.replace("shop", "prices")


@pytest.mark.parametrize("name", ["test_total", "list", "Cart"])
def test_a_new_name_that_stands_for_something_else_is_not_imported(name):
    old = SHOP.replace("def total", f"def {name}") if name != "Cart" else SHOP
    taken = name if name != "Cart" else "Basket"
    file = generated(TESTS + f"\n\ndef test_more():\n    {taken} = 1\n    assert {taken}\n")
    new = old.replace("class Cart", "class Basket") if name == "Cart" else old
    text = healed(plan(file, shop=new, old=SHOP))
    assert f"shop.{taken}(" in text
    assert "import shop\n" in text
    assert ast.parse(text)


def test_an_expectation_follows_changed_words():
    new = SHOP.replace("Returns 0 for", "Returns 1 for").replace("ValueError: If", "TypeError: If").replace("45", "40")
    made = plan(shop=new)
    text = healed(made, notes=True)
    assert 'says "Returns 1 for an empty list."\n    assert total([]) == 1\n    # Healed 2026-11-28 (patch)' in text
    assert "with pytest.raises(TypeError):\n        discount(-1)" in text
    assert 'says ">>> discount(50) 40"\n    assert discount(50) == 40' in text
    assert "it held at commit 0abc123." in " ".join(text.split())
    kinds = {each.test.name: mending(each, made).kinds for each in made.planned}
    assert kinds["test_total"] == (HealKind.PATCH,)
    assert kinds["test_discount_2"] == kinds["test_cart_dear"] == ()


def test_a_claim_of_another_form_is_written_anew():
    made = plan(shop=SHOP.replace("Returns 0 for an empty list.", "Raises ValueError for an empty list."))
    assert mending(made.planned[0], made).kinds == (HealKind.REWRITE,)
    assert "with pytest.raises(ValueError):\n        total([])" in healed(made)


def test_words_in_other_words_leave_the_expectation():
    made = plan(shop=SHOP.replace("Returns 0 for an empty list.", "Returns 0 if prices is empty."))
    text = healed(made)
    assert 'says "Returns 0 if prices is empty."\n    assert total([]) == 0' in text


def test_a_program_that_does_otherwise_changes_nothing():
    assert healed(plan(shop=SHOP.replace("return 0", "return 1").replace("price < 0", "price < -5"))) == TESTS


@pytest.mark.parametrize(
    ("new", "test", "why"),
    [
        (SHOP.replace("    Returns 0 for an empty list.\n", ""), "test_total", "no others of that kind"),
        (SHOP.replace("an empty list", "a list of 3 items"), "test_total", "no others of that kind"),
        (SHOP.replace("    >>> discount(50)\n    45\n", ""), "test_discount", "no other makes its call"),
        (SHOP.replace("percent=10", "percent, vat"), "test_discount_2", "it has to be given vat now"),
        (SHOP.partition("class Cart")[0], "test_cart_dear", "nothing new is like it"),
    ],
)
def test_what_nobody_can_follow(new, test, why):
    assert why in reasons(plan(shop=new))[test]
