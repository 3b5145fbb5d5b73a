"""A project with three faults of three causes, and a test that no patch can mend: one command mends the three."""

from __future__ import annotations

import subprocess

from repair.store.store import open_store

SHOP = '''\
"""A small shop."""


def price(count):
    """3 for each."""
    return count + 3


def label(text):
    """The text without spaces around it."""
    return text.lower()


def area(width, height):
    """Of a rectangle."""
    return width + height
'''
TESTS = """\
import socket

from shop import area, label, price


def test_price():
    assert price(3) == 9


def test_prices():
    assert price(5) == 15
    assert price(0) == 0
    assert price(1.5) == 4.5


def test_label():
    assert label(" a ") == "a"


def test_labels():
    assert label("b") == "b"
    assert label(" B") == "B"


def test_plain():
    assert label("") == ""


def test_area():
    assert area(3, 5) == 15


def test_areas():
    assert area(0, 7) == 0
    assert area(10, 1) == 10


def test_square():
    assert area(2, 2) == 4


def test_somewhere_else():
    assert socket.create_connection(("127.0.0.1", 9))
"""
MENDED = SHOP.replace("+ 3", "* 3").replace("text.lower()", "text.strip()").replace("width + height", "width * height")


def test_all_causes_are_mended_by_one_command_and_applied_one_by_one(repair, tmp_path):
    root = tmp_path / "project"
    root.mkdir()
    (root / "shop.py").write_text(SHOP)
    (root / "test_shop.py").write_text(TESTS)
    found = repair("fix", "--json", "--accept", "plausible", "--max-seconds", "280", cwd=root)
    words = {cause["function"]: cause["status"] for cause in found.result["causes"] if cause["patch"]}
    assert set(words) == {"price", "label", "area"}, found.output
    assert set(words.values()) <= {"certified", "plausible"}
    last = found.result["causes"][-1]
    assert (last["tests"], last["status"]) == (["test_shop.py::test_somewhere_else"], "environment")
    assert found.status == 0  # what is no fault of the program was not asked for
    run, whole = found.result["run"], found.result["stacks"][-1]
    assert sorted(whole["causes"]) == [1, 2, 3]

    applied = subprocess.run(["git", "apply", "-"], input=whole["diff"], cwd=root, text=True, check=False)
    assert applied.returncode == 0
    assert "* 3" in (root / "shop.py").read_text()
    (root / "shop.py").write_text(SHOP)

    assert repair("apply", run, cwd=root).status == 0
    written = (root / "shop.py").read_text()
    assert (written == MENDED) or set(words.values()) == {"plausible"}
    assert repair("undo", run, cwd=root).status == 0
    assert (root / "shop.py").read_text() == SHOP

    one = repair("apply", run, "--cause", "2", "--json", cwd=root).result
    assert one["causes"] == [*found.result["causes"][1]["stands_on"], 2]
    assert repair("undo", run, "--cause", "2", cwd=root).status == 0
    replayed = repair("replay", run, "--cause", "2", "--json", cwd=root)
    assert replayed.result["status"] in ("certified", "plausible")
    numbers = [*found.result["causes"][1]["stands_on"], 2]
    assert [cause["number"] for cause in replayed.result["causes"]] == numbers
    again = repair("apply", replayed.result["run"], "--cause", "2", "--json", cwd=root).result
    assert again["causes"] == numbers
    judged = next(stack for stack in found.result["stacks"] if stack["causes"] == numbers)
    mended = (root / "shop.py").read_text()
    (root / "shop.py").write_text(SHOP)
    subprocess.run(["git", "apply", "-"], input=judged["diff"], cwd=root, text=True, check=True)
    assert (root / "shop.py").read_text() == mended

    seal = open_store(root).load_run(run).path / "seals" / "run.json"
    seal.write_text("0" * 64)  # as if somebody else had recorded it
    refused = repair("replay", run, "--cause", "2", "--json", cwd=root)
    assert refused.status == 2
    assert "program of its own" in refused.messages + refused.output
