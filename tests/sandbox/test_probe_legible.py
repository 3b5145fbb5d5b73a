"""Texts that name the folders of a run by words."""

import tempfile
from collections.abc import Callable
from typing import Any

import pytest

from analysis.calls import FOLDERS
from sandbox.request import PROBE

OWN = "/tmp/repair-x3/s1/r0"
FORK = f"{OWN}/t/fork-ab12_cd9"


@pytest.fixture
def legible(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(PROBE))
    monkeypatch.setattr(tempfile, "tempdir", FORK)
    monkeypatch.setenv("HOME", f"{OWN}/h")
    from _repair_probe.serve import fork_tasks as module  # noqa: PLC0415

    return module


@pytest.fixture
def read(legible: Any) -> Callable[[str], str]:
    made: Callable[[str], str] = legible.Legible(f"{OWN}/w/shop")
    return made


def test_the_words_are_those_that_answers_know(legible: Any) -> None:
    assert {legible.TMP, legible.HOME, legible.PROJECT} == set(FOLDERS)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (f"read('{FORK}/pytest-of-root/pytest-0/test_it0/a.txt')", "read('<tmp>/test_it0/a.txt')"),
        (f"read('{OWN}/t/pytest-of-root/pytest-12/test_it7/a.txt')", "read('<tmp>/test_it0/a.txt')"),
        (f"read('{FORK}/pytest/test_it25/a.txt')", "read('<tmp>/test_it0/a.txt')"),
        (f"read('{FORK}/pytest/test_it25', '{FORK}/pytest/data4', '{FORK}/pytest/test_it26/b')",
         "read('<tmp>/test_it0', '<tmp>/data0', '<tmp>/test_it1/b')"),
        (f"read('{FORK}/pytest')", "read('<tmp>/pytest')"),
        (f"read('{FORK}/pytestlike/a.txt')", "read('<tmp>/pytestlike/a.txt')"),
        (f"read('{FORK}')", "read('<tmp>')"),
        (f"read('{FORK}/tmpq2w3e4r5/a.txt')", "read('<tmp>/tmp1/a.txt')"),
        (f"read('{FORK}/tmpq2w3e4r5.csv')", "read('<tmp>/tmp1.csv')"),
        (f"join('{FORK}/tmpq2w3e4r5', '{FORK}/like-00000000/b', '{FORK}/tmpaaaaaaaa', '{FORK}/tmpq2w3e4r5')",
         "join('<tmp>/tmp1', '<tmp>/like-1/b', '<tmp>/tmp2', '<tmp>/tmp1')"),
        (f"read('{OWN}/w/shop/tests/data.txt')", "read('<project>/tests/data.txt')"),
        (f"read('{OWN}/w/shopping/data.txt')", f"read('{OWN}/w/shopping/data.txt')"),
        (f"returns PosixPath('{OWN}/h/.shoprc')", "returns PosixPath('<home>/.shoprc')"),
        ("read('/tmp/a.txt', '/tmp/tmpq2w3e4r5')", "read('/tmp/a.txt', '/tmp/tmpq2w3e4r5')"),
        ("half(4)", "half(4)"),
    ],
)  # fmt: skip
def test_random_folders_are_words(read: Callable[[str], str], text: str, shown: str) -> None:
    assert read(text) == shown


def test_one_name_keeps_its_number(read: Callable[[str], str]) -> None:
    first, second = f"{FORK}/tmpq2w3e4r5", f"{FORK}/tmpaaaaaaaa"
    assert [read(first), read(second), read(first)] == ["<tmp>/tmp1", "<tmp>/tmp2", "<tmp>/tmp1"]


def test_what_is_sent_to_be_used_stays_as_it_is(legible: Any) -> None:
    sent: list[dict[str, Any]] = []
    path = f"('{FORK}/a',)"
    send = legible.Legible("/w").wrap_send(lambda **fields: sent.append(fields))
    send(call=path, answered=[path, "{}"], entry=3)
    assert sent == [{"call": "('<tmp>/a',)", "answered": [path, "{}"], "entry": 3}]
