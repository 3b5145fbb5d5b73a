"""A campaign on disk: its records and their schemas, what a replay says of damage, what a kill and a revert leave."""

import dataclasses
import json
import shutil

import jsonschema
import pytest
from fakes.tuned_campaign import PROMPT, DiesAfter, Killed, campaign, edits, run

from analysis.errors import ConflictError, RepairError, TargetError, UsageError
from corpora.commands.tune import tune
from corpora.tuning.kept_campaign import KeptCampaign, digest_of
from corpora.tuning.leaks import read_tasks
from corpora.tuning.run_campaign import (
    replay,
    revert,
)
from repair import cli
from repair.show.output import record_schema


def test_a_replay_makes_every_decision_again_and_sees_any_change(tmp_path):
    kept, model = campaign(tmp_path / "c", tmp_path / "p.txt")
    steps = run(kept, model)
    assert replay(KeptCampaign.open(kept.folder)) == steps
    place = kept.folder / "log.jsonl"
    place.write_text(place.read_text().replace('"accepted": true', '"accepted": false', 1))
    with pytest.raises(UsageError, match="Step 1 of the log"):
        replay(kept)


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """The folder of a campaign that came to its end."""
    place = tmp_path_factory.mktemp("finished")
    kept, model = campaign(place / "c", place / "p.txt")
    run(kept, model)
    return place / "c"


def test_every_record_is_described_by_its_schema(tmp_path, finished, capsys):
    folder = tmp_path / "c"
    shutil.copytree(finished, folder)
    KeptCampaign.open(folder).keep_revert(digest_of(PROMPT), 1)
    seen = set()
    for place in (*folder.glob("*.json"), *folder.glob("*.jsonl")):
        for line in place.read_text().splitlines() if place.suffix == ".jsonl" else [place.read_text()]:
            record = json.loads(line)
            name = record["schema"].removeprefix("repair.").partition("/")[0]
            kind, address = tune.records()[name]
            assert address == record["schema"]
            if name not in seen or name == "tune-step":
                jsonschema.validate(record, record_schema(kind, address), jsonschema.Draft202012Validator)
            seen.add(name)
    assert cli.main(["tune", "status", str(folder), "--json"]) == 0
    status = json.loads(capsys.readouterr().out)
    assert cli.main(["schema", "tune-status"]) == 0
    jsonschema.validate(status, json.loads(capsys.readouterr().out))
    assert (status["reverted"], status["steps"]) == (True, len(KeptCampaign.open(folder).steps()))
    assert {*seen, "tune-status", "tune-ablation"} == set(tune.records())
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**status, "steps": "many"}, record_schema(*tune.records()["tune-status"]))


def test_a_schema_that_nobody_has_is_told(capsys):
    assert cli.main(["schema", "tune-nothing"]) == 2
    assert "tune-plan, tune-step" in capsys.readouterr().err
    assert cli.main(["schema", "nothing-else"]) == 2
    assert "Name one of these: result" in capsys.readouterr().err


def cut(name, keep):
    """A change of a file of records: what ``keep`` says of its lines."""

    def change(folder):
        lines = (folder / name).read_bytes().splitlines(keepends=True)
        (folder / name).write_bytes(b"".join(keep(lines)))

    return change


DAMAGED = {
    "the last line is gone": (cut("log.jsonl", lambda lines: lines[:-1]), "The log ends after step 7"),
    "all but one line are gone": (
        cut("log.jsonl", lambda lines: lines[:1]),
        "after step 1, .* 1 decisions are the same",
    ),
    "the log is empty": (cut("log.jsonl", lambda lines: []), "The log ends after step 0"),
    "the log is gone": (lambda folder: (folder / "log.jsonl").unlink(), "The log ends after step 0"),
    "a line in the middle is gone": (cut("log.jsonl", lambda lines: lines[:2] + lines[3:]), "Step 3 of the log"),
    "a line comes twice": (cut("log.jsonl", lambda lines: [*lines, lines[-1]]), "goes on after step 8"),
    "the log is torn": (cut("log.jsonl", lambda lines: [*lines[:-1], lines[-1][:40]]), "Line 8 of log.jsonl is torn"),
    "only the end of the last line is gone": (
        cut("log.jsonl", lambda lines: [*lines[:-1], lines[-1][:-1]]),
        "Line 8 of",
    ),
    "a line within is torn": (cut("log.jsonl", lambda lines: [lines[0][:40] + b"\n", *lines[1:]]), "cannot be read"),
    "attempts are torn": (cut("attempts.jsonl", lambda lines: [*lines[:-1], lines[-1][:9]]), "attempts.jsonl is torn"),
    "attempts are gone": (cut("attempts.jsonl", lambda lines: lines[:100]), "An attempt is not kept"),
    "the last attempts are gone": (cut("attempts.jsonl", lambda lines: lines[:-1]), "not kept|ends after step"),
    "the last proposal is gone": (cut("proposals.jsonl", lambda lines: lines[:-1]), "The log|Step"),
    "a diff is another one": (lambda folder: (folder / "diffs" / "001.diff").write_text("+x\n"), "The diff of step 1"),
    "a diff is gone": (lambda folder: (folder / "diffs" / "001.diff").unlink(), "The diff of step 1"),
}


@pytest.mark.parametrize("damage", DAMAGED)
def test_a_replay_says_where_records_were_damaged_and_changes_nothing(tmp_path, finished, damage):
    change, said = DAMAGED[damage]
    folder = tmp_path / "c"
    shutil.copytree(finished, folder)
    change(folder)
    before = {place: place.read_bytes() for place in folder.rglob("*") if place.is_file()}
    with pytest.raises(RepairError, match=said) as found:
        replay(KeptCampaign.open(folder))
    assert found.value.remedy
    assert {place: place.read_bytes() for place in folder.rglob("*") if place.is_file()} == before


def test_a_campaign_that_was_killed_is_told_from_one_at_its_end(tmp_path):
    kept, model = campaign(tmp_path / "c", tmp_path / "p.txt")
    with pytest.raises(Killed):
        run(kept, DiesAfter(model, 150))
    with pytest.raises(UsageError, match="The log ends after step") as found:
        replay(kept)
    assert "--resume" in found.value.remedy


@pytest.mark.parametrize("torn", [False, True])
def test_a_kill_at_any_attempt_loses_nothing_but_that_attempt(tmp_path, torn):
    whole, model = campaign(tmp_path / "whole", tmp_path / "p.txt")
    steps = run(whole, model)
    made = sum(1 for _ in whole.attempts())
    final = (tmp_path / "p.txt").read_text()
    kept, model = campaign(tmp_path / "killed", tmp_path / "q.txt")
    for at in (0, 1, 40, 96, 97, 130, 200):
        with pytest.raises(Killed):
            run(
                kept,
                DiesAfter(model, at),
                edits()[len([p for p in kept.proposals().values() if p.edit and "earn" not in p.edit.why]) :],
            )
        assert (tmp_path / "q.txt").read_text() in (PROMPT, final, *(kept.baseline(s.after) for s in kept.steps()))
        if torn:
            for name in ("attempts.jsonl", "log.jsonl", "proposals.jsonl"):
                with (kept.folder / name).open("ab") as file:
                    file.write(b'{"schema": "repair.tune')
        kept = KeptCampaign.open(kept.folder)
        if made - sum(1 for _ in kept.attempts()) < 200:
            break
    taken = len([p for p in kept.proposals().values() if p.edit and "earn" not in p.edit.why])
    again = run(kept, model, edits()[taken:])
    assert [dataclasses.replace(step) for step in again] == list(steps)
    assert (tmp_path / "q.txt").read_text() == final
    assert sum(1 for _ in kept.attempts()) == made


@pytest.mark.parametrize("place", ["keep_baseline", "keep_proposal", "keep_step", "write_prompt"])
def test_a_kill_between_two_files_is_made_good(tmp_path, monkeypatch, place):
    kept, model = campaign(tmp_path / "c", tmp_path / "p.txt")
    own = getattr(KeptCampaign, place)

    def die(self, *arguments):
        own(self, *arguments)
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(KeptCampaign, place, die)
        with pytest.raises(Killed):
            run(kept, model)
    taken = len(kept.proposals())
    steps = run(KeptCampaign.open(kept.folder), model, edits()[taken:])
    assert steps[0].accepted
    assert digest_of((tmp_path / "p.txt").read_text()) == steps[-1].after


def test_revert_is_exact_and_ends_the_campaign(tmp_path):
    kept, model = campaign(tmp_path / "c", tmp_path / "p.txt")
    steps = run(kept, model)
    assert revert(kept, 1) == steps[0].before
    assert (tmp_path / "p.txt").read_text() == PROMPT
    with pytest.raises(UsageError, match="reverted"):
        run(kept, model)
    with pytest.raises(UsageError, match="no step 99"):
        revert(kept, 99)
    assert replay(kept) == steps
    (tmp_path / "p.txt").write_text(kept.baseline(steps[0].after))  # as if a kill had come before the file was written
    with pytest.raises(UsageError, match="reverted"):
        run(KeptCampaign.open(kept.folder), model)
    assert (tmp_path / "p.txt").read_text() == PROMPT


def test_what_cannot_be_reverted_is_not_logged_as_reverted(tmp_path):
    kept, model = campaign(tmp_path / "c", tmp_path / "p.txt")
    run(kept, model)
    (tmp_path / "p.txt").write_text("mine\n")
    with pytest.raises(ConflictError):
        revert(kept, None)
    assert kept.reverted_to == ""
    assert (tmp_path / "p.txt").read_text() == "mine\n"


def test_somebody_elses_edit_is_never_overwritten(tmp_path):
    kept, model = campaign(tmp_path / "c", tmp_path / "p.txt")
    (tmp_path / "p.txt").write_text("mine\n")
    with pytest.raises(ConflictError):
        run(kept, model)
    assert (tmp_path / "p.txt").read_text() == "mine\n"


def test_records_that_were_damaged_are_told(tmp_path):
    kept, model = campaign(tmp_path / "c", tmp_path / "p.txt")
    run(kept, model)
    (kept.folder / "attempts.jsonl").write_text('{"schema": "repair.tune-attempt/1"}\n')
    with pytest.raises(TargetError, match="cannot be read"):
        replay(kept)
    (kept.folder / "baselines" / kept.plan.first).write_text("other")
    with pytest.raises(TargetError, match="gone or was changed"):
        revert(kept, None)
    with pytest.raises(UsageError, match="holds a campaign"):
        KeptCampaign.begin(kept.folder, kept.plan, PROMPT, read_tasks(()))
    (kept.folder / "plan.json").write_text("{}")
    with pytest.raises(UsageError, match="no campaign"):
        KeptCampaign.open(kept.folder)
