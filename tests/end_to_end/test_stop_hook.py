"""An agent's host calls ``repair hook``: a wrong edit is asked about, a second stop ends the turn."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")

SHOP = '''def price(n):
    """The price of n pieces; from ten pieces on there are ten percent off."""
    total = n * 5
    if n > 10:
        total = total * 9 // 10
    return total
'''
TESTS = """import shop


def test_one():
    assert shop.price(1) == 5


def test_bulk():
    assert shop.price(10) == 45
"""


def git(root, *arguments):
    own = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *own, "-C", str(root), *arguments], check=True, capture_output=True)


@pytest.fixture
def shop(tmp_path):
    root = tmp_path / "shop"
    root.mkdir()
    (root / "shop.py").write_text(SHOP)
    (root / "test_shop.py").write_text(TESTS)
    git(root, "init", "-q", "-b", "main")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "one")
    return root


@pytest.fixture
def hook(shop, tmp_path, accepted_risk):
    """Calls ``repair hook`` as Claude Code does; exit status, its JSON, and stderr."""

    def call(*arguments, sent=None, env=None):
        values = {"session_id": "s1", "cwd": str(shop), "hook_event_name": "Stop", "stop_hook_active": False}
        done = subprocess.run(
            [str(Path(sys.executable).with_name("repair")), "hook", *arguments],
            input=json.dumps(values) if sent is None else sent,
            env={
                "PATH": str(Path(sys.executable).parent) + ":/usr/bin:/bin",
                "HOME": str(tmp_path / "home"),
                "REPAIR_HOOK_SECONDS": "300",
                **accepted_risk,
                **(env or {}),
            },
            capture_output=True,
            text=True,
            timeout=320,
            check=False,
        )
        return done.returncode, json.loads(done.stdout) if done.stdout else None, done.stderr

    return call


def test_a_wrong_edit_is_asked_about_and_the_second_stop_ends_the_turn(shop, hook):
    assert hook("start") == (0, {}, "")
    assert hook("stop") == (0, {}, "")
    (shop / "shop.py").write_text(SHOP.replace("n > 10", "n == 10"))
    status, said, _ = hook("stop")
    assert status == 0
    assert said["decision"] == "block"
    assert "repair check: plausible" in said["reason"]
    assert "Should price(" in said["reason"]
    assert "assert shop.price(" in said["reason"]
    assert hook("stop")[:2] == (0, {})


def test_a_hook_in_the_background_wakes_its_agent_by_its_status(shop, hook):
    (shop / "shop.py").write_text(SHOP.replace("total = n * 5", "total = n * 6"))
    status, said, told = hook("stop", "--wake")
    assert (status, said) == (2, None)
    assert "repair check: rejected" in told
    assert hook("stop", "--wake") == (0, None, "")


@pytest.mark.parametrize("sent", ["", "no json", "[]"])
def test_what_is_no_event_is_answered_by_nothing(hook, sent):
    assert hook("stop", sent=sent) == (0, {}, "")


def test_a_folder_that_is_gone_lets_the_agent_stop(hook):
    status, said, told = hook("stop", sent='{"session_id": "s", "cwd": "/nowhere/at/all"}')
    assert (status, said) == (0, {})
    assert "The root is not a directory" in told


def test_a_deadline_that_is_near_is_kept_and_said(shop, hook):
    (shop / "shop.py").write_text(SHOP.replace("n > 10", "n == 10"))
    status, said, _ = hook("stop", env={"REPAIR_HOOK_SECONDS": "3"})
    assert status == 0
    assert "not judged" in said["systemMessage"]
