"""Arguments of a call as texts, which strangers' processes write."""

import pytest

from analysis.calls import CallInput


@pytest.mark.parametrize(
    ("args", "kwargs", "values"),
    [
        ("()", "{}", ((), {})),
        ("(1, 'a', [None], {2.5: b'x'}, {1, 2})", "{'n': -3}", ((1, "a", [None], {2.5: b"x"}, {1, 2}), {"n": -3})),
    ],
)
def test_plain_arguments(args: str, kwargs: str, values: object) -> None:
    assert CallInput(args, kwargs).values() == values


@pytest.mark.parametrize(
    ("args", "kwargs"),
    [
        ("", "{}"),
        ("()", ""),
        ("[1]", "{}"),
        ("5", "{}"),
        ("(1,)", "[]"),
        ("()", "{1: 2}"),
        ("(<object>,)", "{}"),
        ("(__import__('os'),)", "{}"),
        ("({[]: 1},)", "{}"),
        ("(\0,)", "{}"),
        ("(" * 100_000, "{}"),
        (f"({'-' * 100_000}1,)", "{}"),
    ],
)
def test_what_is_not_plain_has_no_values(args: str, kwargs: str) -> None:
    assert CallInput(args, kwargs).values() is None
