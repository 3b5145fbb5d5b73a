"""``repair tests heal`` as users start it: on a program that moved, says something else, and was made wrong."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from end_to_end.conftest import Command
from fakes.generated import SHOP, TESTS

from repair.survey.growing.new_files import marked

pytestmark = pytest.mark.slow
GROWN = "tests/test_grown_shop.py"
GIVEN = ("--python", sys.executable, "--max-seconds", "200")


def git(root: Path, *words: str) -> None:
    subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *words], cwd=root, check=True)


def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / "tests").mkdir(parents=True)
    (root / "pyproject.toml").write_text('[tool.pytest.ini_options]\npythonpath = ["."]\n')
    (root / "shop.py").write_text(SHOP)
    (root / GROWN).write_text(marked(TESTS))
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "The shop")
    return root


def change(root: Path) -> None:
    """Move a function, change its words, and make another one wrong."""
    start, end = SHOP.index("def discount"), SHOP.index("class Cart")
    moved = SHOP[start:end].replace("def discount", "def reduced").replace("ValueError", "TypeError")
    (root / "prices.py").write_text(moved.replace(">>> discount", ">>> reduced"))
    rest = SHOP[:start] + SHOP[end:].replace("class Cart", "class Basket")
    (root / "shop.py").write_text(rest.replace("return 0", "return 1"))


def test_a_project_is_healed_and_a_wrong_program_is_not(tmp_path: Path, repair: Command):
    root = project(tmp_path)
    change(root)
    before = {path.name: path.read_bytes() for path in root.rglob("*.py")}
    shown = repair("tests", "heal", "--root", str(root), *GIVEN, "--json")
    assert {path.name: path.read_bytes() for path in root.rglob("*.py")} == before
    report = shown.result
    assert report["schema"] == "repair.healed/1"
    states = {each["name"].partition("::")[2]: (each["state"], each["kinds"]) for each in report["tests"]}
    assert states == {
        "test_total": ("finding", []),
        "test_discount_raises_value_error": ("healed", ["update", "patch"]),
        "test_discount": ("healed", ["update"]),
        "test_discount_2": ("healed", ["update"]),
        "test_cart_dear": ("healed", ["update"]),
    }
    assert all(each["kills_after"] for each in report["tests"] if each["state"] == "healed")
    assert "assert 1 == 0" in next(each["why"] for each in report["tests"] if each["state"] == "finding")

    written = repair("tests", "heal", "--root", str(root), *GIVEN, "--write")
    assert written.status == 1
    text = (root / GROWN).read_text()
    assert marked(text.partition("\n")[2]) == text
    assert "from prices import reduced\nfrom shop import Basket, total\n" in text
    assert "pytest.raises(TypeError)" in text
    assert "assert total([]) == 0\n" in text
    assert {p.name: p.read_bytes() for p in root.rglob("*.py") if p.name != Path(GROWN).name} == {
        name: content for name, content in before.items() if name != Path(GROWN).name
    }
    again = repair("tests", "heal", "--root", str(root), *GIVEN, "--json").result
    assert {each["state"] for each in again["tests"]} == {"finding", "fine"}
    assert not again["files"][0]["diff"]


def test_an_old_commit_may_hold_what_cannot_be_written_today(tmp_path: Path, repair: Command):
    root = project(tmp_path)
    for path in ("plugins/one.py", "data/two.py", "three.py"):
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_text("X = 1\n")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "More files")
    change(root)
    (tmp_path / "elsewhere").mkdir()
    for path in ("plugins/one.py", "data/two.py", "three.py"):
        (root / path).unlink()
    (root / "plugins").rmdir()
    (root / "plugins").symlink_to(tmp_path / "elsewhere")
    (root / "data").rmdir()
    (root / "data").write_text("a file now")
    (root / "three.py").mkdir()
    report = repair("tests", "heal", "--root", str(root), *GIVEN, "--json").result
    assert {each["state"] for each in report["tests"]} == {"finding", "healed"}
    assert report["not_checked"] == []
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_what_is_not_healed(tmp_path: Path, repair: Command):
    root = project(tmp_path)
    change(root)
    edited = marked(TESTS).replace("discount(50) == 45", "discount(50) == 46")
    (root / GROWN).write_text(edited)
    shown = repair("tests", "heal", "--root", str(root), *GIVEN, "--write")
    assert "a person edited it" in shown.output + shown.messages
    assert (root / GROWN).read_text() == edited
    nothing = repair("tests", "heal", "shop.py", "--root", str(root), *GIVEN)
    assert nothing.status == 2
    assert "shop.py holds no generated tests" in nothing.messages


def test_without_git_nothing_is_healed(tmp_path: Path, repair: Command):
    root = project(tmp_path)
    change(root)
    (root / ".git").rename(tmp_path / "elsewhere")
    report = repair("tests", "heal", "--root", str(root), *GIVEN, "--json").result
    assert {each["state"] for each in report["tests"]} == {"left"}
    assert all(
        "git shows no version that it fits" in each["why"] for each in report["tests"] if "discount" in each["name"]
    )
