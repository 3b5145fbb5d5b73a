"""What continuous integration reads of us: the action, its script in a repository, pre-commit's hook, the plugins."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from repair.agents.hosts import INSTRUCTIONS, host_named

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent

SHOP = "def price(n):\n    return n * 5\n"
TESTS = "import shop\n\n\ndef test_price():\n    assert [shop.price(n) for n in (0, 1, 2)] == [0, 5, 10]\n"


def git(root, *arguments):
    own = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *own, "-C", str(root), *arguments], check=True, capture_output=True)


@pytest.fixture
def judge(tmp_path, accepted_risk):
    """The action's script in a repository with one commit; its exit status, stdout, outputs and summary."""
    root = tmp_path / "shop"
    root.mkdir()
    (root / "shop.py").write_text(SHOP)
    (root / "test_shop.py").write_text(TESTS)
    git(root, "init", "-q", "-b", "main")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "one")

    def run(text=None, **given):
        if text is not None:
            (root / "shop.py").write_text(text)
        files = {name: tmp_path / name.lower() for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
        done = subprocess.run(
            ["bash", ROOT / ".github" / "check.sh"],
            cwd=root,
            env={
                "PATH": os.environ["PATH"],
                "REPAIR": str(BIN / "repair"),
                "HOME": str(tmp_path / "home"),
                "RUNNER_TEMP": str(tmp_path),
                "PYTHON": sys.executable,
                "SINCE": "HEAD",
                **{name: str(path) for name, path in files.items()},
                **accepted_risk,
                **given,
            },
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        said = [path.read_text() if path.exists() else "" for path in files.values()]
        return done.returncode, done.stdout, dict(line.split("=", 1) for line in said[0].splitlines()), said[1]

    return run


def test_a_broken_change_is_annotated_and_fails_only_where_that_is_asked_for(judge):
    broken = SHOP.replace("5", "6")
    status, printed, outputs, summary = judge(broken)
    assert status == 0, "it only says, unless it is told to fail"
    assert printed.startswith("::warning file=shop.py,line=2,title=rejected patch of price::")
    assert outputs["status"] == "rejected"
    assert json.loads(Path(outputs["result"]).read_text())["status"] == "rejected"
    assert json.loads(Path(outputs["sarif"]).read_text())["version"] == "2.1.0"
    assert "+    return n * 6" in Path(outputs["patch"]).read_text()
    assert summary.startswith("### repair check: rejected\n\n    rejected  shop.py:2: price")
    assert judge(FAIL_ON="rejected plausible")[0] == 1


def test_nothing_to_judge_is_said(judge):
    status, printed, outputs, summary = judge()
    assert (status, outputs["status"]) == (0, "unchanged")
    assert printed.startswith("::warning title=repair unchanged::Nothing differs from HEAD.")
    assert "Nothing differs" in summary


def test_a_revision_that_is_not_there_fails_the_step(judge):
    status, printed, _, _ = judge(SINCE="nowhere")
    assert status == 2
    assert "git knows no revision nowhere" in printed
    assert judge(SINCE="")[0] == 2


def check_schema(name, path):
    done = subprocess.run(
        [BIN / "check-jsonschema", "--builtin-schema", name, path], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_action_has_the_form_that_is_asked_for():
    check_schema("vendor.github-actions", ROOT / "action.yml")
    text = (ROOT / "action.yml").read_text()
    scripts = [part.split("- name:")[0] for part in text.split("run: |")[1:]]
    assert len(scripts) == 2
    assert not any("${{" in script for script in scripts), "what a repository names becomes text, and no command"


def test_the_action_is_safe_by_a_linter_of_actions():
    done = subprocess.run(
        [BIN / "zizmor", "--offline", "--quiet", "--persona", "pedantic", ROOT / "action.yml"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_hook_of_pre_commit_calls_a_command_that_exists():
    (hook,) = YAML(typ="safe").load(ROOT / ".pre-commit-hooks.yaml")
    assert hook["stages"] == ["pre-push", "manual"], "a verdict takes longer than a commit may wait"
    shell, run, script = shlex.split(hook["entry"])
    assert (shell, run) == ("bash", "-c")
    assert "PRE_COMMIT_FROM_REF:-HEAD" in script, "before a push everything is committed"
    words = script.split()
    assert words[:3] == ["exec", "repair", "check"]
    done = subprocess.run([BIN / "repair", "check", "--help"], capture_output=True, text=True, check=True)
    assert [word for word in words if word.startswith("--") and word not in done.stdout] == []


def test_the_plugins_call_the_hooks_that_are_printed():
    folder = ROOT / "plugin"
    assert json.loads((folder / "hooks" / "hooks.json").read_text()) == host_named("claude-code").settings
    assert json.loads((folder / "gemini" / "hooks" / "hooks.json").read_text()) == host_named("gemini").settings
    assert (folder / "gemini" / "GEMINI.md").read_text() == INSTRUCTIONS


def test_the_skill_keeps_to_the_form_of_skills():
    text = (ROOT / "plugin" / "skills" / "judge-patch" / "SKILL.md").read_text()
    _, head, body = text.split("---\n", 2)
    values = dict(line.split(": ", 1) for line in head.splitlines())
    assert values["name"] == "judge-patch"
    assert len(values["description"]) < 1024
    assert "--answer" not in body, "an agent's own answer is no evidence"
    versions = [
        json.loads((ROOT / "plugin" / name).read_text())["version"]
        for name in (".claude-plugin/plugin.json", ".codex-plugin/plugin.json", "gemini/gemini-extension.json")
    ]
    assert set(versions) == {(ROOT / "setup.cfg").read_text().split("version = ")[1].split()[0]}
