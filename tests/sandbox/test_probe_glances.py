"""Values at a glance: classes, short texts, attributes, and how far two calls are from each other."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from sandbox.request import PROBE

sys.path.insert(0, str(PROBE))
from _repair_probe.values.glances import distance, glance, glances


class Odd(type):
    def __getattribute__(cls, name: str) -> Any:
        raise AssertionError("code of the target ran")


class Touchy(metaclass=Odd):
    def __repr__(self) -> str:
        raise AssertionError("code of the target ran")

    def __bool__(self) -> bool:
        raise AssertionError("code of the target ran")


@pytest.mark.parametrize(
    ("value", "seen"),
    [
        (None, ("None", "None")),
        (True, ("True", "True")),
        (-3, ("negative int", "-3")),
        (0.0, ("zero float", "0.0")),
        (float("nan"), ("nan float", "nan")),
        (10**400, ("positive int", "")),
        ("", ("empty str", "''")),
        ("ab", ("str", "'ab'")),
        ("x" * 500, ("str", repr("x" * 40) + "…")),
        ([], ("empty list", "[]")),
        ([object()], ("list", "<list of 1 items>")),
        ({"a": 1}, ("dict", "{'a': 1}")),
    ],
)
def test_class_and_text_of_a_value(value: Any, seen: tuple[str, str]) -> None:
    assert glance(value) == seen


def test_no_code_of_the_value_or_its_class_is_run() -> None:
    assert (glance(Touchy()), glance(Touchy)) == (("Touchy", ""), ("Odd", ""))


class Reader:
    def __init__(self, text: str) -> None:
        self.text, self.seen = text, Touchy()


def test_an_instance_is_told_by_its_attributes() -> None:
    assert glances({"self": Reader("ab"), "sep": "="}, "self") == {
        "self": ("Reader", ""),
        "sep": ("str", "'='"),
        "self.text": ("str", "'ab'"),
        "self.seen": ("Touchy", ""),
    }
    assert glances({"self": Reader("ab")}) == {"self": ("Reader", "")}


def test_no_more_than_some_names_are_told() -> None:
    assert len(glances({f"n{n}": n for n in range(100)})) == 24
    assert glances({"n" * 100: 1}) == {}


def test_calls_are_the_nearer_the_more_they_are_given_alike() -> None:
    call = glances({"text": "a=1;b=", "most": 10})
    others = [
        glances({"text": text, "most": most}) for text, most in (("a=1;b=2", 10), ("zzz", 10), ("", 10), (None, -3))
    ]
    far = [distance(call, other) for other in others]
    assert far == sorted(far)
    assert len(set(far)) == 4
    assert distance(call, call) == 0.0
    assert distance(call, glances({"text": "a=1;b=", "most": 11})) < distance(
        call, glances({"text": "a=1;b=", "most": 99})
    )


def test_attributes_count_less_than_arguments() -> None:
    one, other = {"self.x": ("str", "'a'")}, {"self.x": ("empty str", "''")}
    assert distance(one, other, "self") == 0.25 * distance(one, other)
