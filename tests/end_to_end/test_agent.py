"""`repair fix` with an agent: it works in a copy with keys of its own, and one function of it is judged."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from textwrap import dedent

import pytest

KEY = "sk-canary-agent-881"

FILES = {
    "shop.py": """\
        def total(prices, discount=0):
            result = 0
            for price in prices:
                result += price
            return result - result * discount * 100


        def label(name):
            return name.title()
        """,
    "test_shop.py": """\
        from shop import label, total


        def test_discount_is_a_percentage():
            assert total([100, 300], 25) == 300
            assert total([10], 50) == 5
            assert total([8, 8, 8], 75) == 6


        def test_without_discount_prices_add_up():
            assert total([]) == 0
            assert total([1, 2, 3]) == 6


        def test_labels_are_titles():
            assert label("red tea") == "Red Tea"
        """,
}

AGENT = """\
import os, pathlib
assert os.environ["AGENTS_OWN_KEY"], "it has its keys"
assert "shop.py" in pathlib.Path(os.environ["AGENT_BRIEF"]).read_text()
shop = pathlib.Path("shop.py")
shop.write_text(shop.read_text().replace("discount * 100", "discount / 100").replace(".title()", ".upper()"))
pathlib.Path("test_shop.py").write_text("def test_nothing(): pass\\n")
print("done with", os.environ["AGENTS_OWN_KEY"])
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    root.mkdir()
    for name, text in FILES.items():
        (root / name).write_text(dedent(text))
    return root


def test_an_agent_s_change_is_cut_down_to_one_function_and_judged(project, tmp_path, repair):
    script = tmp_path / "agent.py"
    script.write_text(AGENT)
    words = ["fix", "test_shop.py::test_discount_is_a_percentage", "--root", str(project), "--json"]
    words += ["--proposer", "agent", "--agent", f"{sys.executable} {script}", "--max-seconds", "240"]
    records = tmp_path / "records"
    answer = repair(*words, "--state-dir", str(records), env={"AGENTS_OWN_KEY": KEY})
    result = answer.result
    assert result["status"] in ("certified", "plausible"), answer.messages
    patch = result["patches"][0]
    assert (patch["proposer"], patch["function"]) == ("agent", "total")
    assert "upper" not in patch["diff"]
    assert "changed elsewhere, and dropped: shop.py:label, test_shop.py" in patch["explanation"]
    sentence = f"the agent {Path(sys.executable).name} runs outside of all walls"
    assert answer.messages.count(sentence) == 1
    assert any(said.startswith(sentence) for said in result["warnings"])
    for name, text in FILES.items():
        assert (project / name).read_text() == dedent(text)
    kept = [path.read_bytes() for path in records.rglob("*") if path.is_file()]
    assert not [content for content in kept if KEY.encode() in content]
    assert KEY not in answer.output + answer.messages
    (events,) = records.rglob("events.jsonl")
    _, *told = [json.loads(line) for line in events.read_text().splitlines()]
    assert [each["type"] for each in told if each["type"].startswith("agent")] == ["agent_started", "agent_ended"]


def test_a_command_that_is_not_there_is_said_before_anything_runs(project, repair):
    answer = repair("fix", "--root", str(project), "--agent", "no-such-agent")
    assert answer.status == 2
    assert "The agent's command is not there (no-such-agent)" in answer.messages
