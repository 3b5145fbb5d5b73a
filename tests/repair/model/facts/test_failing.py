"""The failing call, values, constraints: each fact by itself, with what is missing or bad."""

from __future__ import annotations

from dataclasses import replace

from fakes.matters import PATH, TEST, TEST_PATH, TESTS, diagnosis, frame_of, matter

from analysis.facts import Failure, FailureClass, Outcome, Phase, TestId
from repair.model.facts.failing import (
    constraints,
    failing_call,
    other_failures,
    task,
    values_where_it_failed,
)


def test_the_failing_call_has_what_came_what_was_wanted_and_how_they_are_related() -> None:
    text = failing_call(matter())
    for part in (
        f"test: {TEST} (logic, wrong_value)",
        "call: shop.price(count)",
        "got: 5",
        "wanted: 6",
        "relation of got to wanted: it is off by one",
        f"  {TEST_PATH}:28 in TestShop.test_price: assert got == WANTED",
    ):
        assert part in text


def test_a_long_message_is_cut() -> None:
    assert len(failing_call(matter(diagnoses=(diagnosis("x" * 50_000),)))) < 1600


def test_a_failure_without_an_exception_has_its_message() -> None:
    failure = Failure(TEST, Phase.CALL, Outcome.HANG, (), "it was still running")
    text = failing_call(matter(diagnoses=(replace(diagnosis(), failure=failure),)))
    assert "it was still running" in text
    assert "the call does not end" in text


def test_a_frame_beyond_the_end_of_its_file_has_no_code() -> None:
    text = failing_call(matter(diagnoses=(diagnosis(frames=(frame_of(PATH, 9999, "Shop.price", 28),)),)))
    assert f"  {PATH}:9999 in Shop.price" in text


def test_values_of_the_test_and_of_the_function_are_told() -> None:
    frames = (
        frame_of(TEST_PATH, 28, "TestShop.test_price", 24, count="3", shop=None),
        frame_of(PATH, 36, "Shop.price", 29, total="5"),
    )
    text = values_where_it_failed(matter(diagnoses=(diagnosis(frames=frames),)))
    assert "in TestShop.test_price at line 28:\n  count = 3\n  shop: a Shop" in text
    assert "in Shop.price at line 36:\n  total = 5" in text


def test_values_that_may_be_secret_are_hidden() -> None:
    frames = (
        frame_of(TEST_PATH, 28, "TestShop.test_price", 24, password="'abc'", url="'http://u:p@host/'", key="'k'"),
    )
    text = values_where_it_failed(matter(diagnoses=(diagnosis(frames=frames),)))
    assert "password = '[hidden]'" in text
    assert "url = '[hidden]'" in text
    assert "key = 'k'" in text


def test_without_frames_there_are_no_values() -> None:
    assert values_where_it_failed(matter(diagnoses=(diagnosis(frames=()),))) == ""


def test_constraints_of_tests_that_fail_otherwise_are_left_out() -> None:
    alike = diagnosis(claims=("b may be None",))
    other = diagnosis(failure_class=FailureClass.CONTRACT, claims=("KeyError is raised where a result is expected",))
    text = constraints(matter(diagnoses=(diagnosis(claims=("a may be None",)), alike, other)))
    assert text == "- a may be None\n- b may be None"
    assert constraints(matter()) == ""


def test_other_failing_tests_are_named() -> None:
    others = tuple(diagnosis(test=TestId(f"{TEST_PATH}::test_{n}")) for n in range(10))
    text = other_failures(matter(diagnoses=(diagnosis(), *others)))
    assert f"{TEST_PATH}::test_7: AssertionError: assert 5 == 6" in text
    assert text.endswith("and 2 more")
    assert other_failures(matter()) == ""


def test_the_task_is_told() -> None:
    assert task(matter(description="Prices are wrong.")) == "Prices are wrong."
    assert task(matter()) == ""


def test_a_test_file_that_cannot_be_read_leaves_the_message() -> None:
    text = failing_call(matter(tests=TESTS + "\n)))\n"))
    assert "got: 5" in text
