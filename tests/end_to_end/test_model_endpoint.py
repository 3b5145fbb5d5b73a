"""`repair fix` with a model: a local endpoint answers; what it costs is counted, and the key stays where it belongs."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from textwrap import dedent

import pytest
from fakes.model_server import Fails, ModelServer, Says, model_server

KEY = "sk-canary-51d0a7b3e9"

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
            assert total([5], 0) == 5


        def test_labels_are_titles():
            assert label("red tea") == "Red Tea"
        """,
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A small project with one failing test."""
    root = tmp_path / "project"
    root.mkdir()
    for name, text in FILES.items():
        (root / name).write_text(dedent(text))
    return root


def reply(replacement: str, why: str = "a percentage is divided by 100") -> Says:
    return Says(f"WHY: {why}\n```python update `result * discount * 100`\n{replacement}\n```\nEND.", reasoning="hm")


def arguments(project: Path, server: ModelServer, *more: str) -> list[str]:
    asked = ["fix", "test_shop.py::test_discount_is_a_percentage", "--root", str(project), "--json", "--seed", "5"]
    named = ["--proposer", "model", "--model", "some-model", "--base-url", server.url, "--max-seconds", "240"]
    return [*asked, *named, *more]


def files_below(*folders: Path) -> list[bytes]:
    return [path.read_bytes() for folder in folders for path in folder.rglob("*") if path.is_file()]


def test_a_model_s_edit_is_judged_like_any_other(project, repair):
    with model_server(reply("result * discount / 100")) as server:
        answer = repair(*arguments(project, server), env={"REPAIR_API_KEY": KEY})
    result, asked = answer.result, server.asked
    assert result["status"] in ("certified", "plausible"), answer.messages
    patch = result["patches"][0]
    assert patch["proposer"] == "model"
    assert patch["explanation"] == "a percentage is divided by 100"
    assert result["cost"]["requests"] == result["cost"]["tries"] == len(asked) > 0
    assert result["cost"]["input_tokens"] == 700 * len(asked)
    subprocess.run(["git", "apply", "--check", "-"], input=patch["diff"], text=True, cwd=project, check=True)
    assert asked[0].key == KEY
    assert KEY not in answer.output + answer.messages + json.dumps(asked[0].body)
    assert not any(KEY.encode() in content for content in files_below(project))


def test_what_was_asked_and_said_is_recorded_and_replayed_without_a_network(project, repair, tmp_path):
    """A wrong edit, an error that leaks the key, then the right edit: all of it is in the record, but for the key."""
    leak = Fails(503, {"error": {"message": f"busy, {KEY}"}})
    with model_server(
        reply("result * discount / 10", f"it is {KEY}"), leak, reply("result * discount / 100")
    ) as server:
        first = repair(*arguments(project, server), env={"REPAIR_API_KEY": KEY})
    assert first.result["status"] in ("certified", "plausible"), first.messages
    assert not any(KEY.encode() in content for content in files_below(tmp_path)), "neither here nor in the records"
    shown = repair("show", first.result["run"], "--model", "--json", "--root", str(project)).result["exchanges"]
    assert [len(each["tries"]) for each in shown][:2] == [1, 2], "behind them the judge's doubts may come back"
    sent = [asked.body for number, asked in enumerate(server.asked) if number != 1]
    assert [each["messages"] for each in shown] == [
        [{"role": turn["role"], "text": turn["content"]} for turn in body["messages"]] for body in sent
    ]
    assert [each["seed"] for each in shown] == [body["seed"] for body in sent]
    assert shown[1]["tries"][0]["fault"]["detail"] == "HTTP 503: busy, [key]"
    said = shown[0]["tries"][0]["reply"]
    assert (said["text"].startswith("WHY: it is [key]"), said["reasoning"]) == (True, "hm")

    again = repair("replay", first.result["run"], "--model", "--root", str(project), "--json")
    assert again.status == first.status
    assert again.result["patches"][0]["diff"] == first.result["patches"][0]["diff"]
    assert again.result["cost"]["input_tokens"] == first.result["cost"]["input_tokens"]
    assert f"{len(shown)} of {len(shown)} questions are byte for byte as recorded" in again.result["messages"]
    assert any("the patch is the same, byte for byte" in message for message in again.result["messages"])
    assert len(server.asked) == len(shown) + 1, "nobody was asked again"
    text = repair("show", first.result["run"], "--model", "--root", str(project)).output
    assert "HTTP 503: busy, [key]" in text
    assert "result * discount / 10\n" in text


def test_a_run_without_a_model_has_none_to_replay(project, repair):
    answer = repair("fix", "test_shop.py", "--root", str(project), "--json")
    for command in (("replay", "--model"), ("show", "--model")):
        refused = repair(command[0], answer.result["run"], *command[1:], "--root", str(project))
        assert refused.status == 2
        assert "asked no model" in refused.messages


def test_a_wrong_edit_is_not_accepted_and_its_requests_are_limited(project, repair):
    with model_server(reply("result * discount / 10")) as server:
        answer = repair(*arguments(project, server, "--max-requests", "2"), env={"REPAIR_API_KEY": KEY})
    assert answer.status == 1
    assert answer.result["status"] == "unrepaired"
    assert len(server.asked) == 2
    told = server.asked[1].text
    assert "does not do" in told
    assert "assert " in told.rpartition("does not do")[2], "with the values of the assertion"


def test_a_refused_key_ends_with_status_four(project, repair):
    with model_server(Fails(401, {"error": {"message": f"Incorrect API key provided: {KEY}"}})) as server:
        answer = repair(*arguments(project, server), env={"REPAIR_API_KEY": KEY})
    assert answer.status == 4
    assert "REPAIR_API_KEY" in answer.messages + answer.output
    assert KEY not in answer.messages + answer.output
    assert len(server.asked) == 1


def test_a_model_that_stays_down_is_unavailable_and_what_search_has_found_is_kept(project, repair):
    with model_server(Fails(503)) as server:
        alone = repair(*arguments(project, server))
        both = repair(*arguments(project, server, "--proposer", "search,model"))
    assert alone.status == 4
    assert "Model unavailable after 4 tries (server)" in alone.result["messages"][0]
    assert alone.result["failures"], "what was seen of the failure is told all the same"
    assert alone.result["suspects"][0]["function"] == "total"
    assert alone.result["failures"], "what was seen of the failure is told all the same"
    assert both.result["status"] in ("certified", "plausible"), both.messages
    assert both.result["patches"][0]["proposer"] == "search"


WHOLE = """\
WHY: each price is added, and a percentage is divided by 100.
```python rewrite
def total(prices, discount=0):
    result = 0
    for price in prices:
        result += price
    return result - result * discount / 100
```
END."""

HIDDEN = "Its old body is hidden on purpose"


def test_a_function_that_cannot_be_parsed_is_written_anew_at_once(project, repair):
    """FORMAT: no edit is asked for, the malformed code is hidden, and the patch applies to the file as it stands."""
    shop = project / "shop.py"
    shop.write_text(shop.read_text().replace("result += price\n", "result += (price\n"))
    found = repair("fix", "test_shop.py", "--root", str(project), "--json")
    assert (found.status, found.result["status"]) == (3, "unparseable"), "nobody but a model writes anew"
    with model_server(Says(WHOLE)) as server:
        answer = repair(*arguments(project, server)[:1], "test_shop.py", *arguments(project, server)[2:])
    assert answer.result["status"] == "plausible", answer.messages
    first = server.asked[0].text
    assert HIDDEN in first
    assert "result += (price" not in "".join(asked.text for asked in server.asked)
    assert "def total(prices, discount=0)" in first
    (cause,) = answer.result["causes"]
    assert (cause["function"], len(cause["tests"])) == ("total", 2)
    patch = answer.result["patches"][0]
    assert (patch["edit_kind"], patch["proposer"]) == ("rewrite", "model")
    assert "-        result += (price" in patch["diff"]
    assert "NotImplementedError" not in patch["diff"]
    assert "Does total do all that it did before?" in patch["questions"]
    subprocess.run(["git", "apply", "--check", "-"], input=patch["diff"], text=True, cwd=project, check=True)
    failure = answer.result["failures"][0]
    assert (failure["class"], failure["subclass"], failure["analysis"]["edit"]) == (
        "format",
        "syntax",
        "rewrite",
    )
    assert [attempt["stage"] for attempt in answer.result["attempts"]][:1] == ["regenerate"]
    again = repair("replay", answer.result["run"], "--root", str(project), "--json")
    assert (again.status, again.result["status"]) == (3, "unparseable"), "a judge cannot read what was there before"
    written = repair("apply", answer.result["run"], "--root", str(project))
    assert written.status == 0, written.messages
    assert "result += price\n" in shop.read_text()


def test_the_last_rung_writes_the_function_anew_with_its_code_hidden(project, repair):
    """Four edits leave the failing test failing; then the body is hidden, and written from what is asked of it."""
    wrong = [reply(f"result * discount / {number}") for number in (10, 20, 30, 40)]
    with model_server(*wrong, Says(WHOLE)) as server:
        answer = repair(*arguments(project, server))
    assert answer.result["status"] in ("certified", "plausible"), answer.messages
    stages = [(attempt["stage"], attempt["outcome"]) for attempt in answer.result["attempts"]][:5]
    assert stages[-1][0] == "regenerate"
    assert stages[-1][1] in ("passed", "doubted")
    assert [outcome for _, outcome in stages[:4]] == ["failed"] * 4
    assert HIDDEN in server.asked[4].text
    assert "for price in prices" not in server.asked[4].text
    assert not any(HIDDEN in asked.text for asked in server.asked[:4])
