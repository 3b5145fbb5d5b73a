"""Real coding agents, offline: their hosts call our hook, and its question is their next prompt.

The clients come from the npm registry (``make test-agents`` installs them); without them these tests are skipped. What
each model would say comes from a server on loopback, which does the agent's edits itself.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fakes.agent_models import AgentModel, ToolCall, serving

from repair.agents.hosts import HOST_SECONDS, host_named

CLIENTS = Path(__file__).parents[2] / "build" / "agents" / "node_modules" / ".bin"

BIN = Path(sys.executable).parent

pytestmark = [
    pytest.mark.agents,
    pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed"),
]

SHOP = '''def price(n):
    """The price of n pieces; from ten pieces on there are ten percent off."""
    total = n * 5
    if n > 10:
        total = total * 9 // 10
    return total
'''
WEAK = """import shop


def test_one():
    assert shop.price(1) == 5


def test_bulk():
    assert shop.price(10) == 45
"""
STRONG = f"""{WEAK}

def test_around():
    assert [shop.price(n) for n in (0, 2, 8, 9, 11, 12, 20, 21, 30)] == [0, 10, 40, 45, 49, 54, 90, 94, 135]
"""
PATIENCE = 300
"""Seconds for a verdict, here where much else may run."""

Client = Callable[[Path, Path, str], tuple[list[str], dict[str, str]]]


def claude(root: Path, home: Path, url: str) -> tuple[list[str], dict[str, str]]:
    words = ["-p", "hi", "--output-format", "stream-json", "--verbose", "--model", "claude-sonnet-4-5"]
    quiet = {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1"}
    return ["claude", *words], {"ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": "dummy", **quiet}


def codex(root: Path, home: Path, url: str) -> tuple[list[str], dict[str, str]]:
    (home / "config.toml").write_text(
        f'model = "fake"\nmodel_provider = "fake"\n[model_providers.fake]\nname = "fake"\nbase_url = "{url}/v1"\n'
        f'wire_api = "responses"\n[projects."{root}"]\ntrust_level = "trusted"\n'
    )
    return ["codex", "exec", "--json", "--dangerously-bypass-hook-trust", "hi"], {"CODEX_HOME": str(home)}


def gemini(root: Path, home: Path, url: str) -> tuple[list[str], dict[str, str]]:
    (home / ".gemini").mkdir()
    settings = {"security": {"auth": {"selectedType": "gemini-api-key"}}}
    (home / ".gemini" / "settings.json").write_text(json.dumps(settings))
    given = {"GEMINI_API_KEY": "dummy", "GOOGLE_GEMINI_BASE_URL": url, "GEMINI_CLI_TRUST_WORKSPACE": "true"}
    return ["gemini", "-m", "gemini-2.5-flash", "-p", "hi", "--output-format", "stream-json"], given


def copilot(root: Path, home: Path, url: str) -> tuple[list[str], dict[str, str]]:
    (home / ".copilot").mkdir()
    (home / ".copilot" / "config.json").write_text(json.dumps({"trusted_folders": [str(root)]}))
    given = {"COPILOT_OFFLINE": "true", "COPILOT_PROVIDER_BASE_URL": f"{url}/v1", "COPILOT_MODEL": "fake"}
    return ["copilot", "-p", "hi", "--allow-all-tools"], {**given, "COPILOT_PROVIDER_API_KEY": "dummy"}


AGENTS: dict[str, Client] = {"claude-code": claude, "codex": codex, "gemini": gemini, "copilot": copilot}


def git(root: Path, *arguments: str) -> None:
    own = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *own, "-C", str(root), *arguments], check=True, capture_output=True)


@pytest.fixture
def shop(tmp_path):
    root = tmp_path / "shop"
    root.mkdir()
    (root / "shop.py").write_text(SHOP)
    (root / "test_shop.py").write_text(WEAK)
    git(root, "init", "-q", "-b", "main")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "one")
    return root


def run_agent(name: str, root: Path, tmp_path: Path, model: AgentModel, accepted: dict[str, str]) -> str:
    """The agent, from its prompt to the end of its turn; what it printed."""
    home = tmp_path / "home"
    home.mkdir()
    host = host_named(name)
    subprocess.run([BIN / "repair", "init", "--target", name, "--write", "--root", root], check=True)
    settings = root / host.file
    patient = settings.read_text().replace(f"{HOST_SECONDS}000", f"{PATIENCE}000").replace(
        f": {HOST_SECONDS}", f": {PATIENCE}"
    )  # fmt: skip
    settings.write_text(patient)
    with serving(model) as url:
        words, given = AGENTS[name](root, home, url)
        client = CLIENTS / words[0]
        if not client.exists():
            pytest.skip(f"{words[0]} is not installed: `make test-agents` does so, from the npm registry")
        env = {"PATH": f"{BIN}:{os.environ['PATH']}", "HOME": str(home), "NO_COLOR": "1", **accepted, **given}
        env["REPAIR_HOOK_SECONDS"] = str(PATIENCE - 5)
        done = subprocess.run(
            [client, *words[1:]], cwd=root, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            timeout=4 * PATIENCE, check=False,
        )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout + done.stderr


@pytest.mark.parametrize("name", AGENTS)
def test_a_wrong_edit_is_asked_about_and_a_right_one_with_tests_may_stop(name, shop, tmp_path, accepted_risk):
    def wrong() -> None:
        (shop / "shop.py").write_text(SHOP.replace("n > 10", "n == 10"))

    def right() -> None:
        (shop / "shop.py").write_text(SHOP.replace("n > 10", "n >= 10"))
        (shop / "test_shop.py").write_text(STRONG)

    model = AgentModel([wrong, right])
    run_agent(name, shop, tmp_path, model, accepted_risk)
    assert len(model.heard) == 2, "the first edit was asked about, the second was not"
    assert "repair check: " not in model.heard[0]
    assert "repair check: plausible, not done. shop.py:4 price." in model.heard[1]
    assert "Should price(" in model.heard[1]


@pytest.mark.parametrize("name", AGENTS)
def test_an_agent_that_does_not_answer_may_stop_the_second_time(name, shop, tmp_path, accepted_risk):
    def breaks() -> None:
        (shop / "shop.py").write_text(SHOP.replace("total = n * 5", "total = n * 6"))

    model = AgentModel([breaks, lambda: None])
    run_agent(name, shop, tmp_path, model, accepted_risk)
    assert len(model.heard) == 2
    assert "repair check: rejected. shop.py:3 price." in model.heard[1]
    assert "test_shop.py::test_one" in model.heard[1]


def test_an_agent_calls_our_server_and_hears_its_question(shop, tmp_path, accepted_risk):
    def edit_and_ask() -> ToolCall:
        (shop / "shop.py").write_text(SHOP.replace("n > 10", "n == 10"))
        return ToolCall("mcp__repair__check_patch", {"since": "HEAD"})

    client = CLIENTS / "claude"
    if not client.exists():
        pytest.skip("claude is not installed: `make test-agents` does so, from the npm registry")
    served = {"command": str(BIN / "repair"), "args": ["mcp", "--root", str(shop)], "env": accepted_risk}
    (tmp_path / "mcp.json").write_text(json.dumps({"mcpServers": {"repair": served}}))
    model = AgentModel([edit_and_ask, lambda: None])
    with serving(model) as url:
        words, given = claude(shop, tmp_path, url)
        more = ["--mcp-config", tmp_path / "mcp.json", "--allowedTools", "mcp__repair__check_patch"]
        env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), **given}
        done = subprocess.run(
            [client, *words[1:], *more], cwd=shop, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            timeout=PATIENCE, check=False,
        )  # fmt: skip
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    assert "mcp__repair__check_patch" in model.heard[0], "the client tells its model of our tools"
    assert "plausible, not done" in model.heard[1]
    assert "Should price(" in model.heard[1]


def test_the_inspector_of_the_protocol_reads_our_tools_and_a_verdict(shop, tmp_path, accepted_risk):
    client = CLIENTS / "mcp-inspector"
    if not client.exists():
        pytest.skip("mcp-inspector is not installed: `make test-agents` does so, from the npm registry")
    (shop / "shop.py").write_text(SHOP.replace("total = n * 5", "total = n * 6"))

    def inspect(*words: str) -> dict[str, Any]:
        served = [client, "--cli", BIN / "repair", "mcp", "--root", shop, "--method"]
        env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), **accepted_risk}
        done = subprocess.run(
            [*served, *words], env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE,
            check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr[-2000:]
        read: dict[str, Any] = json.loads(done.stdout)
        return read

    tools = {tool["name"] for tool in inspect("tools/list")["tools"]}
    assert tools >= {"check_patch", "fix_tests", "explain_failure", "job_status", "job_result", "cancel_job"}
    assert "apply_patch" not in tools, "nobody allowed it"
    judged = inspect("tools/call", "--tool-name", "check_patch", "--tool-arg", "since=HEAD")
    assert judged["structuredContent"]["status"] == "rejected"
    refused = inspect("tools/call", "--tool-name", "check_patch", "--tool-arg", "root=/")
    assert refused["isError"]
    assert "/" in refused["content"][0]["text"]


@pytest.mark.parametrize(
    "words",
    [
        ["claude", "plugin", "validate", "--strict", "plugin"],
        ["codex", "plugin", "marketplace", "add", "./plugin"],
        ["gemini", "extensions", "validate", "./plugin/gemini"],
    ],
    ids=lambda words: words[0],
)
def test_the_hosts_take_our_plugins(words, tmp_path):
    client = CLIENTS / words[0]
    if not client.exists():
        pytest.skip(f"{words[0]} is not installed: `make test-agents` does so, from the npm registry")
    env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "CODEX_HOME": str(tmp_path)}
    done = subprocess.run(
        [client, *words[1:]], cwd=Path(__file__).parents[2], env=env, capture_output=True, text=True, timeout=120,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
