"""Whole campaigns in memory and on disk, over models whose truth is known: what is kept, and what a kill leaves."""

import dataclasses
import json
import shutil

import pytest

from analysis.errors import ConflictError, RepairError, TargetError, UsageError
from corpora.lab.benchmarks.simulated_prompts import (
    ScriptedEdits,
    SimulatedModel,
    Worth,
    advice,
    plan_of,
    prompt_of,
    run_simulation,
)
from corpora.lab.benchmarks.tuned import (
    changed_endpoints,
    gains_in_a_row,
    later_gains,
    leaks,
    null_campaigns,
    planted_gains,
    planted_overfits,
    planted_sentences,
)
from corpora.tuning.attempts import Attempts
from corpora.tuning.campaign import TuneTask, crowded_share, describe_share, split_tasks
from corpora.tuning.kept_campaign import KeptCampaign, digest_of
from corpora.tuning.leaks import read_tasks
from corpora.tuning.prompt_text import PromptEdit
from corpora.tuning.run_campaign import (
    REFLECTOR,
    Workbench,
    ablate,
    ablation_size,
    describe_power,
    replay,
    revert,
    run_campaign,
)
from corpora.tuning.tuning_loop import InMemory, Tuning

GOOD, BAD = advice("Gain", 1), advice("Harm", 1)
(GOOD,), (BAD,) = GOOD, BAD
PROMPT = prompt_of(3)


class Killed(BaseException):
    """As if the process had ended."""


class DiesAfter:
    """An attempter that is killed at its attempt of that number."""

    def __init__(self, model, at):
        self.model, self.left = model, at

    def attempt(self, prompt, task, seed):
        self.left -= 1
        if self.left < 0:
            raise Killed
        return self.model.attempt(prompt, task, seed)


def campaign(folder, file, seed=3, **changes):
    """A small campaign on disk, with its model and its edits."""
    file.write_text(PROMPT)
    plan = plan_of(seed, iterations=6, deletions=True, select=40)
    facts = {REFLECTOR: "script"}
    plan = dataclasses.replace(plan, prompt=str(file), first=digest_of(PROMPT), facts=facts, **changes)
    model = SimulatedModel(plan.tasks, {GOOD: Worth(rescues=0.8), BAD: Worth(rescues=-0.1)}, seed)
    return KeptCampaign.begin(folder, plan, PROMPT, read_tasks(())), model


def edits():
    return [PromptEdit("insert", 3, GOOD, "it helps"), PromptEdit("insert", 3, BAD), PromptEdit("insert", 9, "x")]


def run(kept, attempter, script=None):
    bench = Workbench({}, read_tasks(()), attempter, "simulated", {})
    return run_campaign(kept, bench, ScriptedEdits(edits() if script is None else script), lambda line: None)


def test_a_campaign_keeps_what_helps_and_writes_it_once_it_is_accepted(tmp_path):
    kept, model = campaign(tmp_path / "c", tmp_path / "p.txt")
    steps = run(kept, model)
    assert steps[0].accepted
    assert steps[-1].kind == "end"
    assert GOOD in (tmp_path / "p.txt").read_text()
    assert f"+{GOOD}" in kept.diff_file(1).read_text()
    assert any(step.reason.startswith("guard: there is no sentence 9") for step in steps)
    assert {step.kind for step in steps} >= {"edit", "seal", "end"}
    assert kept.steps() == steps


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


def test_an_endpoint_that_changes_under_its_name_voids_the_campaign():
    plan = plan_of(3, iterations=1, deletions=False)
    model = SimulatedModel(plan.tasks, {GOOD: Worth(rescues=0.8)}, 3)

    class Drifting:
        asked = 0

        def attempt(self, prompt, task, seed):
            found = model.attempt(prompt, task, seed)
            if seed % 1000 or seed < 4_000:
                return found
            return dataclasses.replace(found, word="none" if found.word == "solved" else "solved")

    class Turned(Drifting):
        def attempt(self, prompt, task, seed):
            found = model.attempt(prompt, task, seed)
            fresh = seed >= 3 * 1000 + 10_000
            return dataclasses.replace(found, word="none" if found.word == "solved" else "solved") if fresh else found

    tuning = Tuning(plan, PROMPT, read_tasks(()), Attempts(plan, Turned()), ScriptedEdits(edits()), InMemory())
    steps = tuple(tuning.steps())
    assert [step.kind for step in steps][-2:] == ["void", "end"]
    assert tuning.text == PROMPT


def test_a_plateau_allows_bolder_edits_and_then_ends():
    plan = dataclasses.replace(plan_of(5, iterations=40, deletions=False), plateau=3)
    done = run_simulation(plan, PROMPT, {}, [PromptEdit("insert", 1, text) for text in advice("Weigh", 30)])
    kinds = [step.kind for step in done.steps]
    assert kinds.count("plateau") == 1
    assert "plateau" in done.steps[-1].reason
    assert len(kinds) <= 9


def test_a_budget_ends_a_campaign():
    plan = dataclasses.replace(plan_of(5, iterations=40, deletions=True), most_attempts=10)
    done = run_simulation(plan, PROMPT, {}, None)
    assert "budget" in done.steps[-1].reason


def test_what_a_seal_took_back_is_not_tried_again():
    plan = plan_of(3, iterations=4, deletions=False)
    worth = {GOOD: Worth(rescues=0.9, sealed=1.0)}
    again = [PromptEdit("insert", 3, GOOD), PromptEdit("insert", 2, GOOD.upper()), PromptEdit("insert", 1, BAD)]
    done = run_simulation(plan, PROMPT, {**worth, "unused": Worth()}, [*again[:1], *[again[0]] * 2, again[1]])
    assert done.steps[0].accepted
    assert [step.reason for step in done.steps[1:4]] == ["guard: it was tried before"] * 3
    seal = next(step for step in done.steps if step.kind == "seal")
    assert not seal.accepted
    assert "taken back for good (steps 1)" in seal.reason
    assert done.last == done.first


def test_an_edit_comes_once_even_when_a_seal_between_took_it_back():
    texts = list(advice("Gain", 3))
    plan = plan_of(3, iterations=7, deletions=False)
    worth = {text: Worth(rescues=0.6, sealed=0.9) for text in texts}
    edits = [PromptEdit("insert", 3, text) for text in (*texts, *texts)]
    done = run_simulation(plan, PROMPT, worth, edits, (0.2, 0.6))
    kinds = [step.kind for step in done.steps]
    if "seal" in kinds[:-2]:
        after = done.steps[kinds.index("seal") + 1 :]
        assert not any(step.accepted for step in after if step.kind == "edit")
    tried = [step.edit.text for step in done.steps if step.screened is not None]
    assert len(tried) == len(set(tried))


def test_no_seal_is_opened_a_fourth_time():
    plan = plan_of(1, iterations=60, deletions=True)
    done = run_simulation(plan, prompt_of(30), {}, None, (0.9, 0.9))
    assert 1 <= sum(step.kind == "seal" for step in done.steps) <= 3


def projects_of_sizes(*sizes):
    return {f"t{number}-{n}": f"p{number}" for number, size in enumerate(sizes) for n in range(size)}


def test_splits_keep_projects_whole_and_stay_the_same():
    projects = {f"t{n}": f"p{n % 13}" for n in range(120)}
    tasks = split_tasks(projects)
    assert tasks == split_tasks(dict(reversed(projects.items())))
    assert len({(task.project, task.share) for task in tasks}) == 13
    counts = [sum(task.share == share for task in tasks) for share in ("train", "select", "sealed")]
    assert 50 <= counts[0] <= 70
    assert 26 <= counts[1] <= 46
    assert all(counts)
    assert {task.share for task in split_tasks({"a": "1", "b": "2", "c": "3"})} == {"train", "select", "sealed"}
    with pytest.raises(UsageError, match="2 projects"):
        split_tasks({"a": "1", "b": "2"})


@pytest.mark.parametrize(
    "sizes", [(1, 1, 1, 1, 1), (20,) * 5, (10,) * 6, (70, *[3] * 10), (40, 40, *[4] * 8), (5,) * 20]
)
def test_what_is_accepted_rests_on_no_single_project(sizes):
    tasks = split_tasks(projects_of_sizes(*sizes))
    assert crowded_share(tasks) == ""
    for share in ("select", "sealed"):
        assert len({task.project for task in tasks if task.share == share}) >= 2
        assert "of the largest" in describe_share(tasks, share)
    largest = max(sizes)
    if largest > sum(sizes) / 2:
        assert {task.project for task in tasks if task.share == "train"} == {f"p{sizes.index(largest)}"}


@pytest.mark.parametrize(
    ("sizes", "said"),
    [((9, 1, 1), "of one project"), ((50, 50, 50, 50), "of one project"), ((90, 60, 30, 1, 1, 1), "30 of")],
)
def test_tasks_that_rest_on_one_project_are_told(sizes, said):
    assert said in crowded_share(split_tasks(projects_of_sizes(*sizes)))


def test_a_plan_says_what_it_can_accept():
    plan = plan_of(0, iterations=40, deletions=False)
    assert describe_power(plan).startswith("60 select tasks. Edits that are tested")
    assert "30 points: any of the first 40; 20 points: any of the first" in describe_power(plan)
    assert "10 points: none. 10 points in test 3 want" in describe_power(plan)
    assert "30 points: none" in describe_power(plan_of(0, iterations=40, deletions=False, select=5))


def test_a_share_of_which_most_is_one_project_is_told():
    tasks = [TuneTask(f"t{n}", "big" if n < 6 else f"p{n}", "select") for n in range(10)]
    assert crowded_share(tasks) == "6 of 10 select tasks are of one project, big"
    assert describe_share(tasks, "select") == "10 select of 5 projects, 60% of the largest"
    assert crowded_share([]).startswith("0 of 0")


def test_ablation_finds_the_needed_sentence_and_is_kept(tmp_path):
    lines = PROMPT.splitlines()
    kept, _ = campaign(tmp_path / "c", tmp_path / "p.txt")
    model = SimulatedModel(kept.plan.tasks, {lines[1]: Worth(needed=0.8)}, 3, (0.5, 0.21))
    bench = Workbench({}, read_tasks(()), model, "simulated", {})
    found = list(ablate(kept, bench))
    assert [one.sentence for one in found] == lines
    assert max(found, key=lambda one: one.worth).number == 2
    assert found[1].low > 0.2
    assert sum(1 for _ in kept.attempts()) == ablation_size(kept)
    assert not {each.task for each in kept.attempts()} & {task.id for task in kept.plan.of_share("sealed")}
    bench = dataclasses.replace(bench, attempter=DiesAfter(model, 0))
    assert list(ablate(kept, bench)) == found


def test_the_figures_in_their_quick_form():
    null, gains = null_campaigns(6), planted_gains(6)
    assert null.rows[0].worst <= 1 / 6
    assert dict(null.numbers)["naive_false_accept_campaigns"] > 0.5
    assert dict(gains.rows[0].values)["spread"] >= 4 / 6
    row = gains_in_a_row(4)
    assert row.rows[0].worst >= 0.5
    assert 0 < dict(row.numbers)["all_three_are_kept"] <= 1
    assert later_gains(2).rows[0].median >= 0.5
    assert planted_overfits(4).rows[0].worst == 0
    assert planted_sentences(2).rows[1].worst == 0
    assert leaks().rows[0].median == 50
    void = dict(changed_endpoints(6).numbers)
    assert void["void_by_mistake_few_flips"] == 0
    assert void["void_of_another_model_few_flips"] >= 4 / 6


def test_outcomes_have_their_worth():
    kept = json.loads(json.dumps(plan_of(0, iterations=1, deletions=True).to_json()))
    assert kept["weights"]["wrong"] == -1.0
    assert kept["weights"]["plausible"] == 0.8


def test_a_prompt_of_one_sentence_has_nothing_to_leave_out(tmp_path):
    plan = dataclasses.replace(plan_of(1, iterations=1, deletions=True), prompt="p.txt", first=digest_of("One.\n"))
    kept = KeptCampaign.begin(tmp_path / "c", plan, "One.\n", read_tasks(()))
    with pytest.raises(UsageError, match="one sentence alone"):
        next(ablate(kept, Workbench({}, read_tasks(()), DiesAfter(None, 0), "simulated", {})))
