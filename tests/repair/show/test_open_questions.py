"""Where the questions of the last verdict stand in a file, and how an answer becomes a test in a file of tests."""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path

import pytest
from fakes.reviewed import ASKED, DOUBT, OLD, run_to_review, text_of

from repair.records.result import RegionView, Result, Status
from repair.show.open_questions import AnswerTest, insert_test, questions_in
from repair.store.rested import put_to_rest
from repair.store.store import open_store

TEST = AnswerTest("shop.price(10) == 50", ("import shop",), ("def test_price():", "    assert shop.price(10) == 50"))


def with_test(text: str, test: AnswerTest = TEST) -> str:
    """The file with the insertions made, as an editor would."""
    lines = text.splitlines(keepends=True)
    for each in sorted(insert_test(text, test), key=lambda each: -each.line):
        lines.insert(each.line, each.text)
    return "".join(lines)


def test_a_question_is_placed_with_both_answers(tmp_path: Path) -> None:
    run_to_review(tmp_path)
    for content in (OLD, text_of(1)):
        (found,) = questions_in(open_store(tmp_path), "shop.py", content)
    assert (found.first, found.last, found.status, found.test_file) == (1, 1, "plausible", "test_shop.py")
    assert found.text == f"{ASKED.question}\nthis patch: returns 50\notherwise: returns 40"
    assert [each.answer for each in found.answers] == ["shop.price(10) == 50", "shop.price(10) == 40"]
    assert found.answers[0].imports == ("import shop",)
    assert found.answers[0].body[:3] == ("def test_price():", "    found = shop.price(10)", "    assert found == 50")


def test_nothing_is_asked_of_another_text_another_file_or_of_what_rests(tmp_path: Path) -> None:
    run_to_review(tmp_path)
    store = open_store(tmp_path)
    assert questions_in(store, "shop.py", OLD + b"# edited since\n") == ()
    assert questions_in(store, "other.py", OLD) == ()
    put_to_rest(store.directory, "shop.py:price: price(10)", "it cannot be ten")
    assert questions_in(store, "shop.py", OLD) == ()


def test_the_last_verdict_counts_and_no_strangers(tmp_path: Path) -> None:
    older = run_to_review(tmp_path)
    store = open_store(tmp_path)
    newer = run_to_review(tmp_path, "bb")
    patches = tuple(
        replace(patch, status=Status.CERTIFIED, evidence=(replace(DOUBT, asked=None),))
        for patch in newer.ended_result().patches
    )
    newer.save_json("result.json", Result(Status.CERTIFIED, run=newer.id, patches=patches).to_json())
    assert questions_in(store, "shop.py", OLD) == ()
    (newer.path / "seals" / "run.json").write_text("0")
    assert [each.run for each in questions_in(store, "shop.py", OLD)] == [older.id]
    (older.path / "result.json").write_text("{")
    assert questions_in(store, "shop.py", OLD) == ()


def test_the_changed_lines_are_those_of_the_region(tmp_path: Path) -> None:
    run = run_to_review(tmp_path)
    result = run.ended_result()
    patch = replace(result.patches[0], region=RegionView(2, 3))
    run.save_json("result.json", replace(result, patches=(patch,), failures=()).to_json())
    (found,) = questions_in(open_store(tmp_path), "shop.py", OLD)
    assert (found.first, found.last, found.test_file) == (2, 3, "test_shop_answers.py")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "import shop\n\n\ndef test_price():\n    assert shop.price(10) == 50\n"),
        (
            '"""Tests."""\nimport os\n\n\ndef test_price():\n    pass\n',
            '"""Tests."""\nimport os\nimport shop\n\n\ndef test_price():\n    pass\n\n\n'
            "def test_price_2():\n    assert shop.price(10) == 50\n",
        ),
        (
            "import shop\n\n\nx = 1",
            "import shop\n\n\nx = 1\n\n\ndef test_price():\n    assert shop.price(10) == 50\n",
        ),
        (
            '"""Tests."""\n',
            '"""Tests."""\nimport shop\n\n\ndef test_price():\n    assert shop.price(10) == 50\n',
        ),
    ],
    ids=["empty", "same name", "no last line end", "docstring alone"],
)
def test_a_test_is_added_where_it_can_be_read(before: str, after: str) -> None:
    made = with_test(before)
    assert made == after
    ast.parse(made)


def test_a_file_that_cannot_be_parsed_is_left_alone() -> None:
    assert insert_test("def (:\n", TEST) == ()
    assert insert_test("x = 1\0\n", TEST) == ()
