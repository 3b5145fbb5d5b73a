"""Templates of fixes: what two share stays, what differs is a typed hole, and the rest is filled from what is near."""

from __future__ import annotations

import pytest

from transforms.ingredients.edit_templates import EditTemplate, PieceEdit, learn_templates, piece_edit, rewritings

GETS = [
    PieceEdit("self.names.get(key)", "self.names.get(key, self.default)", ("key",)),
    PieceEdit("self.opts.get(name)", "self.opts.get(name, self.default)", ("name",)),
]


def made(template: EditTemplate, code: str, **words: list[str]) -> list[str]:
    return list(rewritings(template, code, lambda kind: words.get(kind, [])))


def test_the_piece_of_a_fix_is_the_smallest_that_can_be_looked_for() -> None:
    before, after = "def f(rows):\n    a = 1\n    return rows[len(rows)]\n", "rows[len(rows) - 1]"
    found = piece_edit(before, before.replace("rows[len(rows)]", after))
    assert found == PieceEdit("rows[len(rows)]", after, ("a", "rows"))


@pytest.mark.parametrize(
    "after",
    [
        "def f(a):\n    b = 1\n    c = 2\n    return b\n",
        "class f:\n    pass\n",
        "def f(a",
        "\0",
        "def f(a):\n    hole_name_1 = 1\n    return 2\n",
    ],
)
def test_what_is_no_small_piece_is_none(after: str) -> None:
    assert piece_edit("def f(a):\n    b = 1\n    return b\n", after) is None


def test_two_fixes_share_a_template_with_typed_holes() -> None:
    first, *_ = learn_templates(GETS, 10)
    assert first.commits == 2
    assert first.before == "self.hole_attribute_1.get(hole_name_2)"
    assert made(first, "self.table.get(word)") == ["self.table.get(word, self.default)"]
    assert made(first, "self.table.get(3)") == []
    assert made(first, "return self.table.get(word)") == []


def test_one_fix_has_a_template_in_which_local_names_are_holes() -> None:
    (only,) = learn_templates([PieceEdit("rows[len(rows)]", "rows[len(rows) - 1]", ("rows",))], 10)
    assert made(only, "items[len(items)]") == ["items[len(items) - 1]"]
    assert made(only, "items[len(others)]") == []


def test_holes_that_the_old_code_does_not_bind_are_filled() -> None:
    template = EditTemplate("open(hole_name_1)", "open(hole_name_1, encoding=hole_text_2)", 2, 3)
    found = made(template, "open(path)", text=["'utf-8'", "'ascii'", "not python("])
    assert found == ["open(path, encoding='utf-8')", "open(path, encoding='ascii')"]


def test_what_keeps_too_little_is_no_template() -> None:
    assert learn_templates([PieceEdit("a", "b", ("a", "b")), PieceEdit("x.y", "x.z", ("x",))], 10) == ()


def test_an_edit_whose_text_is_damaged_is_passed_over() -> None:
    assert len(learn_templates([PieceEdit("(", ")"), *GETS], 10)) == 3
    assert made(EditTemplate("(", "x", 1, 3), "y") == []
