"""`repair check` with a model: it mends the old function without seeing the patch, and the two are compared."""

from __future__ import annotations

import json
from pathlib import Path
from textwrap import dedent

import pytest
from fakes.model_server import Fails, Says, model_server

KEY = "sk-canary-73f0c2d6a1"
CANARY = "canary_word_of_the_patch"

FILES = {
    "shop.py": """\
        def total(prices, discount=0):
            \"\"\"The sum of the prices, less a discount in percent.\"\"\"
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
            assert total([5], 0) == 5


        def test_labels_are_titles():
            assert label("red tea") == "Red Tea"
        """,
}
OLD = "    return result - result * discount * 100\n"
HALF = f"    {CANARY} = result - result * discount / 100\n    return {CANARY} if discount > 10 else result\n"
OWN = (
    "WHY: a percentage is divided by 100\n```python update `result * discount * 100`\nresult * discount / 100\n```\nEND"
)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A small project with one failing test, and a patch that mends it for large discounts alone."""
    root = tmp_path / "project"
    root.mkdir()
    for name, text in FILES.items():
        (root / name).write_text(dedent(text))
    lines = [f"-{OLD}", *(f"+{line}" for line in HALF.splitlines(keepends=True))]
    head = "--- a/shop.py\n+++ b/shop.py\n@@ -3,4 +3,5 @@\n"
    kept = "     result = 0\n     for price in prices:\n         result += price\n".replace(
        "     result", "     result", 1
    )
    (tmp_path / "half.diff").write_text(head + kept + "".join(lines))
    return root


def test_the_models_own_fix_is_the_question_and_nothing_of_the_patch_is_told(project, repair, tmp_path):
    asked = ["check", str(tmp_path / "half.diff"), "--root", str(project), "--max-seconds", "240"]
    with model_server(Says(OWN)) as server:
        named = ["--model", "some-model", "--base-url", server.url]
        answer = repair(*asked, *named, "--json", env={"REPAIR_API_KEY": KEY})
    result = answer.result
    (patch,) = result["patches"]
    assert result["status"] == "plausible", answer.messages
    assert patch["questions"][0].endswith("(a model's own fix)?"), patch["second_opinion"]
    assert patch["second_opinion"].startswith("a model that did not see the patch mends it otherwise: ")
    assert len(server.asked) == result["cost"]["requests"] == 1
    assert CANARY not in json.dumps([each.body for each in server.asked])
    assert KEY not in answer.output + answer.messages + json.dumps(server.asked[0].body)
    assert not any(KEY.encode() in path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert "result * discount / 100" in repair("show", result["run"], "--model", "--root", str(project)).output

    again = repair("replay", result["run"], "--model", "--root", str(project), "--json")
    assert again.result["patches"][0]["questions"] == patch["questions"]
    assert "1 of 1 questions are byte for byte as recorded" in again.result["messages"]
    assert len(server.asked) == 1, "nobody was asked again"


def test_an_endpoint_that_refuses_costs_one_sentence(project, repair, tmp_path):
    with model_server(Fails(401)) as server:
        answer = repair(
            *("check", str(tmp_path / "half.diff"), "--root", str(project), "--max-seconds", "240"),
            *("--model", "some-model", "--base-url", server.url),
            env={"REPAIR_API_KEY": KEY},
        )
    assert answer.status == 1, answer.messages
    assert answer.output.startswith("plausible")
    assert "\nNo second opinion: " in answer.output
    assert "Question:" in answer.output
    assert len(server.asked) == 1
