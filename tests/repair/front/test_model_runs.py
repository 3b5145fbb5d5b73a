"""The proposer of a run's options, over a real socket: the form that it asks for, and what it leaves in the record."""

from __future__ import annotations

import json

import pytest
from fakes.failing_function import context_of, plan_of, scope_of
from fakes.model_server import Says, model_server

from analysis.errors import UsageError
from analysis.facts import TestId
from repair.front.asked_runs import AskedRun, keep_asked
from repair.front.model_runs import make_model_proposer
from repair.model.exchanges import read_exchanges
from repair.model.prompt_files import packaged_prompts
from repair.records.config import Options
from repair.store.stored_run import Seals, StoredRun

EDIT = {"kind": "update", "place": "", "old": "name.lower()", "text": "(name or '').lower()"}
OBJECT = json.dumps({"why": "it may be None", "edits": [EDIT], "imports": [], "words": [], "elsewhere": None})
BLOCKS = "WHY: it may be None\n```python update `name.lower()`\n(name or '').lower()\n```\nEND."


@pytest.mark.parametrize(("form", "text"), [("json", OBJECT), ("plain", BLOCKS)])
def test_a_reply_is_asked_for_in_the_form_that_was_chosen_and_recorded(tmp_path, form, text):
    run, scope = StoredRun("20250101-000000-aa", tmp_path, Seals(b"key")), scope_of()
    with model_server(Says(text)) as server:
        options = Options(root="/p", model="m", base_url=server.url, reply_form=form)
        proposer = make_model_proposer(options, {}, lambda happened: None, run)
        proposal = next(proposer.propose(plan_of(scope), context_of(scope)))
    assert proposal.explanation == "it may be None"
    is_json = form == "json"
    assert ("response_format" in server.asked[0].body) is is_json
    assert ("one JSON object instead" in server.asked[0].text) is is_json
    (kept,) = read_exchanges(run)
    assert [turn["text"] for turn in kept["messages"]] == [t["content"] for t in server.asked[0].body["messages"]]
    assert (kept["prompt"], kept["temperature"], kept["seed"]) == (packaged_prompts().digest, 0.0, 0)
    assert kept["tries"][0]["reply"]["text"] == text
    assert (kept["form"] is not None) is is_json


@pytest.mark.parametrize("place", ["http://u:canary-77@127.0.0.1:9/v1", "http://127.0.0.1:9/v1?key=canary-77"])
def test_an_address_with_a_secret_in_it_is_asked_nothing_and_written_down_without_it(tmp_path, place):
    """Whoever embeds the engine makes the options himself: nobody has read them before."""
    run = StoredRun("20250101-000000-aa", tmp_path, Seals(b"key"))
    options = Options(root="/p", model="m", base_url=place, strong_base_url=place)
    keep_asked(run, AskedRun("fix", (TestId("t.py::test_a"),), options))
    scope = scope_of()
    with pytest.raises(UsageError, match="holds credentials") as refused:
        list(make_model_proposer(options, {}, print, run).propose(plan_of(scope), context_of(scope)))
    assert "canary" not in str(refused.value)
    written = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert b"127.0.0.1:9/v1" in written
    assert b"canary" not in written
