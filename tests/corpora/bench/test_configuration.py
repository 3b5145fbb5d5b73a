"""Configurations: presets, a file that changes them, and every mistake said with its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.errors import UsageError
from corpora.bench.configuration import PRESETS, Configuration, chosen_configurations

FILE = """
[search]
max_seconds = 30

[told]
like = "search"
fault = "given"

[gpt]
like = "model"
model = "small"
max_cost = 0.5
input_price = 1
output_price = 2.5

[agent]
command = ["agent", "{tree}"]

[published]
predictions = "given.jsonl"
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "bench.toml"
    path.write_text(FILE)
    return path


def test_presets_need_no_file():
    (search, random) = chosen_configurations(("search", "random", "search"), None, {}, None)
    assert (search.judging, random.judging, search.proposers) == ("gates", "random", ("search",))


def test_a_table_begins_where_it_is_like_and_changes_what_it_names(file: Path):
    search, told, gpt = chosen_configurations(("search", "told", "gpt"), file, {}, None)
    assert (search.max_seconds, search.fault) == (30.0, "found")
    assert (told.max_seconds, told.fault, told.name) == (30.0, "given", "told")
    assert (gpt.proposers, gpt.model, gpt.input_price) == (("model",), "small", 1.0)


@pytest.mark.parametrize(("word", "found"), [("./agent", "{}/agent"), ("sub/agent", "{}/sub/agent"), ("/a/b", "/a/b")])
def test_a_program_by_its_path_starts_at_the_file(tmp_path: Path, word: str, found: str):
    file = tmp_path / "bench.toml"
    file.write_text(f'[agent]\ncommand = ["{word}", "./stays"]\n')
    (agent,) = chosen_configurations(("agent",), file, {}, None)
    assert agent.command == (found.format(tmp_path), "./stays")


def test_predictions_lie_beside_the_file_and_seconds_hold_for_all(file: Path, tmp_path: Path):
    agent, published = chosen_configurations(("agent", "published"), file, {}, 7.0)
    assert published.predictions == str(tmp_path / "given.jsonl")
    assert agent.command == ("agent", "{tree}")
    assert agent.max_seconds == published.max_seconds == 7.0
    assert agent.is_external
    assert agent.bound_seconds > agent.max_seconds + agent.judge_seconds


def test_a_model_is_taken_from_the_environment_where_none_is_named():
    env = {"REPAIR_MODEL": "large", "REPAIR_BASE_URL": "http://localhost/v1"}
    (found,) = chosen_configurations(("model",), None, env, None)
    assert (found.model, found.base_url) == ("large", "http://localhost/v1")


@pytest.mark.parametrize(
    ("name", "said"),
    [("serch", "Did you mean 'search'?"), ("quux", "Known are: search, model"), ("model", "has no model")],
)
def test_a_name_that_cannot_be_used_is_said(name: str, said: str):
    with pytest.raises(UsageError, match=said):
        chosen_configurations((name,), None, {}, None)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[a\n", "Not valid TOML: .*line 1"),
        ("a = 1\n", "'a' is no configuration"),
        ('["a/b"]\n', "'a/b' is no configuration"),
        ("[a]\nmaxseconds = 3\n", r"Unknown key 'maxseconds' \(\[a\] in .*\). Did you mean 'max_seconds'"),
        ('[a]\nlike = "serch"\n', "There is no configuration 'serch'"),
        ('[a]\nmax_seconds = "3"\n', r"'3' is no valid value: .* \(max_seconds of \[a\]"),
        ('[a]\nlike = ["search"]\n', "There is no configuration"),
        ("[a]\nmax_seconds = 0\n", "0 is no valid value"),
        ('[a]\njudging = "none"\n', "'none' is no valid value"),
        ('[a]\nname = "b"\n', "Unknown key 'name'"),
        ('[a]\ncommand = ["x"]\npredictions = "y"\n', "Both a command and predictions"),
        ('[a]\ncommand = ["x"]\njudging = "tests"\n', "judged by the gates"),
        ("[a]\nmax_cost = 1\n", "needs the model's prices"),
    ],
)
def test_a_wrong_file_is_said_with_its_place(text: str, said: str, tmp_path: Path):
    path = tmp_path / "bench.toml"
    path.write_text(text)
    with pytest.raises(UsageError, match=said):
        chosen_configurations(("a",), path, {}, None)


def test_limits_and_the_form_of_replies_are_configuration_and_an_address_holds_no_secret(tmp_path: Path):
    file = tmp_path / "bench.toml"
    limits = "max_attempts = 2\nmax_tokens = 9000\nrequest_seconds = 7.5\nreply_form = 'json'\npatch_lines = 4\n"
    file.write_text(f"[m]\nlike = 'model'\nmodel = 'x'\n{limits}")
    (found,) = chosen_configurations(("m",), file, {}, None)
    assert (found.max_attempts, found.max_tokens, found.request_seconds) == (2, 9000, 7.5)
    assert (found.reply_form, found.patch_lines) == ("json", 4)
    file.write_text("[m]\nlike = 'model'\nmodel = 'x'\nbase_url = 'http://u:canary@h/v1'\n")
    with pytest.raises(UsageError, match="holds credentials") as caught:
        chosen_configurations(("m",), file, {}, None)
    assert "canary" not in str(caught.value)


def test_a_file_that_is_not_there_is_said(tmp_path: Path):
    with pytest.raises(UsageError, match="cannot be read"):
        chosen_configurations(("search",), tmp_path / "none.toml", {}, None)


def test_only_a_configuration_with_the_whole_judge_has_all_gates():
    assert {preset.name for preset in PRESETS if preset.judging == "gates"} == {
        "search",
        "model",
        "hybrid",
        "search+model",
        "uniform",
        "hand",
    }
    assert Configuration("x").judging == "gates"


@pytest.mark.parametrize(
    ("word", "found"), [("hand", "hand"), ("ours.json", "{}/ours.json"), ("/a/b.json", "/a/b.json")]
)
def test_an_order_is_a_name_or_a_file_beside_the_configurations(tmp_path: Path, word: str, found: str):
    file = tmp_path / "bench.toml"
    file.write_text(f'[mine]\nlike = "search"\norder = "{word}"\n[plain]\nlike = "search"\n')
    mine, plain = chosen_configurations(("mine", "plain"), file, {}, None)
    assert (mine.order, plain.order) == (found.format(tmp_path), "learned")
