"""`repair spec` as a user runs it: requirements, a docstring that lies, a test that proves, one that does not."""

import json

import pytest
from fakes.stating import write_project

from repair.cli import main

SHOP = '''def total(prices):
    """Add up. Returns 1 if prices is empty."""
    return sum(prices)


def share(cents, people):
    return cents // people


def half(n):
    """Returns 0 if n is 0."""
    return n // 2


def twice(n):
    """Returns 0 if n is 0."""
    return n * 2


class Till:
    def __init__(self, coins):
        self.coins = coins

    def take(self, n):
        """Raises ValueError if n is negative."""
        self.coins -= n


def plain(text: str) -> str:
    """Make it plain.

    Idempotent.
    """
    return text.strip() + "."
'''
PAGE = "- REQ-1: `total([1, 2])` shall return `3`.\n- REQ-2: `share(9, 2)` shall return `4`.\n- REQ-3: It shall sing.\n"
TESTS = '''import pytest

from shop import Till, half, share, total, twice


def test_total():
    """REQ-1"""
    assert total([1, 2]) == 3


def test_share():
    """REQ-2"""
    share(9, 2)


@pytest.mark.parametrize("n", [2, 4])
def test_half(n):
    assert half(n) != 99


def test_twice():
    assert twice(2) == 4


def test_take():
    assert Till(5).take(1) is None
'''


@pytest.fixture
def shop(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    files = {"shop.py": SHOP, "docs/requirements.md": PAGE, "test_shop.py": TESTS}
    monkeypatch.chdir(write_project(tmp_path / "shop", files))


def asked(capsys, *words):
    status = main(["spec", *words, "--json", "--no-progress"])
    return status, json.loads(capsys.readouterr().out)


def test_what_lies_is_found_and_may_be_disputed(shop, capsys):
    status, found = asked(capsys, "check")
    assert status == 1
    drifts = {each["witness"]: each for each in found["findings"] if each["kind"] == "drift"}
    assert sorted(drifts) == ["Till(5).take(-1)", "plain('')", "total([])"]
    assert {each["file"] for each in drifts.values()} == {"shop.py"}
    assert "plain('.') returns '..'" in drifts["plain('')"]["said"]
    gaps = {each["subject"]: each["said"] for each in found["findings"] if each["kind"] == "gap"}
    assert "kill nothing" in gaps["REQ-2"]
    assert "no test" in gaps["REQ-3"]
    assert gaps["shop.py:half"].startswith("half has 1 fact, and its tests kill none of"), gaps["shop.py:half"]
    assert "shop.py:twice" not in gaps
    said = [word for each in drifts.values() for word in ("--dispute", each["id"], "it means a free gift")]
    status, again = asked(capsys, "check", *said, "--as", "Ann")
    assert status == 0
    (word,) = [each["word"] for each in again["findings"] if each["id"] == drifts["total([])"]["id"]]
    assert (word["says"], word["who"], word["reason"]) == ("disputed", "Ann", "it means a free gift")


def test_only_a_test_that_kills_proves(shop, capsys):
    status, found = asked(capsys, "trace")
    assert status == 1
    links = {each["requirement"]: each for each in found["links"]}
    assert links["REQ-1"]["state"] == "proved"
    assert links["REQ-1"]["killed"] > 0
    assert (links["REQ-2"]["state"], links["REQ-2"]["killed"]) == ("claimed", 0)
    assert [each["id"] for each in found["requirements"]] == ["REQ-1", "REQ-2", "REQ-3"]
