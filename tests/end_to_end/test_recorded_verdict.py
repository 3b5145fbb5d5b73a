"""The same question twice: the second answer is the recorded one, until one byte that the tests load is another."""

import os
import subprocess
import sys

import pytest
from fakes.bare import BARE

SHOP = '''"""A shop."""


def cheapest(prices):
    """The smallest price."""
    return min(prices)


def total(prices, discount=0):
    """The sum of the prices, less a discount in percent."""
    return sum(prices) * (100 - discount) / 100
'''
TESTS = """\
import json
from pathlib import Path

from shop import cheapest, total


def test_cheapest():
    assert cheapest(json.loads(Path(__file__).with_name("prices.json").read_text())) == 1


def test_total():
    assert total([1, 2, 3]) == 6
    assert total([100], 10) == 90
"""


@pytest.fixture
def project(tmp_path, monkeypatch):
    root = tmp_path / "project"
    root.mkdir()
    files = {"shop.py": SHOP, "test_shop.py": TESTS, "prices.json": "[3, 1, 2]\n", "pytest.ini": "[pytest]\n"}
    for name, text in files.items():
        (root / name).write_text(text)
    for words in (["init", "-q"], ["add", "."], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "one"]):
        subprocess.run(["git", "-C", str(root), *words], check=True)
    (root / "shop.py").write_text(SHOP.replace("min(prices)", "sorted(prices)[0]"))
    return root


HEAVY = "libcst hypothesis mutmut coverage pytest openai repair.engine.engine"
ASK = f"""
import sys
from repair.cli import main
main(["check", "--since", "HEAD"])
print("loaded", *sorted(set(sys.modules) & set({HEAVY!r}.split())), file=sys.stderr)
"""


def loaded(project):
    """What takes long to load and was loaded for one more check."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("REPAIR_", "OPENAI_", "PYTHON", "PYTEST_"))}
    env = {**kept, **BARE, "REPAIR_PASS_ENV": " ".join(BARE)}
    asked = [sys.executable, "-E", "-P", "-c", ASK]
    done = subprocess.run(asked, cwd=project, env=env, capture_output=True, text=True, check=True)
    assert "as judged in run" in done.stdout
    return done.stderr.splitlines()[-1].split()[1:]


def test_a_verdict_is_given_again_until_anything_changes(project, repair, accepted_risk):
    if accepted_risk:
        pytest.skip("without walls no verdict is given again")

    def check(*words):
        return repair("check", "--since", "HEAD", "--json", *words, cwd=project).result

    first = check()
    assert (first["recorded"], first["status"]) == ("", "plausible")
    again = check()
    assert (again["recorded"], again["run"], again["status"]) == (first["run"], first["run"], first["status"])
    assert again["patches"] == first["patches"]
    assert "nothing that it rests on has changed" in again["messages"][-1]
    said = repair("check", "--since", "HEAD", cwd=project)
    assert (said.status, f"as judged in run {first['run']}" in said.output) == (1, True)

    assert loaded(project) == [], "a recorded verdict needs no engine"
    (project / "prices.json").write_text("[3, 1, 4]\n")  # data that a test opens, and no Python at all
    assert check()["recorded"] == ""
    (project / "prices.json").write_text("[3, 1, 2]\n")
    assert check()["recorded"] == first["run"]
    assert check("--no-cache")["recorded"] == ""
