"""``repair mcp`` as a client starts it: over stdin and stdout, with a project of its own."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import anyio
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp_types import ElicitResult

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


def talk(shop, home, accepted_risk, work, *words, **given):
    """What ``work`` gives for a client of the server."""
    served = StdioServerParameters(
        command=str(Path(sys.executable).with_name("repair")),
        args=["mcp", "--root", str(shop), *words],
        env={"PATH": os.environ["PATH"], "HOME": str(home), **accepted_risk},
    )

    async def connected():
        async with Client(stdio_client(served), **given) as client:
            return await work(client)

    return anyio.run(connected)


async def ended(client, told):
    """The verdict, waited for call by call."""
    while told.structured_content["running"]:
        told = await client.call_tool("job_result", {"job": told.structured_content["job"]})
    return told.structured_content


def test_a_change_is_judged_and_its_question_answered_by_the_person(shop, tmp_path, accepted_risk):
    (shop / "shop.py").write_text(SHOP.replace("n > 10", "n == 10"))

    async def person(context, asked):
        return ElicitResult(action="accept", content={"answer": "otherwise"})

    async def work(client):
        first = await ended(client, await client.call_tool("check_patch", {}))
        second = await client.call_tool("ask_person", {"job": first["job"]})
        return first, await ended(client, second)

    first, second = talk(
        shop, tmp_path / "home", accepted_risk, work, "--max-seconds", "280", elicitation_callback=person
    )
    assert first["status"] == "plausible"
    assert first["question"]["function"] == "shop.py:price"
    assert second["status"] == "rejected"


def test_a_fix_is_applied_only_where_the_server_was_told_so(shop, tmp_path, accepted_risk):
    async def work(client):
        told = await ended(client, await client.call_tool("fix_tests", {"tests": ["test_shop.py::test_bulk"]}))
        return told, await client.call_tool("apply_patch", {"job": told["job"]})

    told, applied = talk(shop, tmp_path / "home", accepted_risk, work, "--allow-apply", "--max-seconds", "280")
    assert "+" in told["patch"]
    assert not applied.is_error, applied.content
    assert (shop / "shop.py").read_text() != SHOP
    tools = talk(shop, tmp_path / "home", accepted_risk, lambda client: client.list_tools()).tools
    assert "apply_patch" not in [tool.name for tool in tools]
