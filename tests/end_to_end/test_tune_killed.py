"""A campaign and a revert, killed as by ``kill -9`` at each call that changes a file: begun again they end alike."""

import dataclasses
import os
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

from analysis.errors import UsageError
from corpora.lab.benchmarks.simulated_prompts import ScriptedEdits, SimulatedModel, Worth, advice, plan_of, prompt_of
from corpora.tuning.kept_campaign import KeptCampaign, digest_of
from corpora.tuning.leaks import read_tasks
from corpora.tuning.prompt_text import PromptEdit
from corpora.tuning.run_campaign import REFLECTOR, Workbench, lines_taken, replay, revert, run_campaign

(GOOD,) = advice("Gain", 1)
PROMPT = prompt_of(3)
EDITS = [PromptEdit("insert", 3, GOOD, "it helps"), PromptEdit("insert", 9, "x")]
CALLS = ("write", "replace", "unlink", "mkdir", "ftruncate", "fsync")
MOST_ATTEMPTS = 2
"""Lines of attempts at which a campaign is killed: all others are written alike."""

SMALL = {"train": 8, "select": 16, "sealed": 10}


def plan(file: Path):
    """A campaign of sixteen select tasks, one attempt at each."""
    known = plan_of(3, iterations=3, deletions=True, select=SMALL["select"])
    tasks = tuple(task for share, many in SMALL.items() for task in known.of_share(share)[:many])
    facts = {REFLECTOR: "script"}
    return dataclasses.replace(
        known, tasks=tasks, samples=1, sealed_samples=1, prompt=str(file), first=digest_of(PROMPT), facts=facts
    )


def go_on(folder: Path, file: Path) -> None:
    """Begin the campaign, or go on with it, to its end."""
    known = plan(file)
    model = SimulatedModel(known.tasks, {GOOD: Worth(rescues=0.97)}, 3, (0.1, 1.0))
    if (folder / "plan.json").exists():
        kept = KeptCampaign.open(folder)
    else:
        kept = KeptCampaign.begin(folder, known, PROMPT, read_tasks(()))
    bench = Workbench({}, read_tasks(()), model, "simulated", {})
    run_campaign(kept, bench, ScriptedEdits(EDITS[lines_taken(kept) :]), lambda line: None)


class Calls:
    """Counts the calls that change a file, and ends the process at one of them; a write is cut in two before."""

    def __init__(self, at: int = -1) -> None:
        self.names: list[str] = []
        self._at = at

    def watch(self) -> None:
        for name in CALLS:
            setattr(os, name, self._counted(name, getattr(os, name)))

    def _counted(self, name: str, real: Callable[..., object]) -> Callable[..., object]:
        def call(*arguments, **named):
            place = os.readlink(f"/proc/self/fd/{arguments[0]}") if isinstance(arguments[0], int) else str(arguments[0])
            self.names.append(f"{name} {Path(place).name}")
            if len(self.names) - 1 == self._at:
                if name == "write":
                    real(arguments[0], bytes(arguments[1])[: len(arguments[1]) // 2])
                os._exit(137)
            return real(*arguments, **named)

        return call


def in_child(act: Callable[[], object], calls: Calls, report: Path) -> int:
    """Do it in a process of its own; its exit status. The names of its calls stand in the report where it ended."""
    with warnings.catch_warnings():  # of threads of whoever runs the tests: the child takes none of their locks
        warnings.simplefilter("ignore", DeprecationWarning)
        pid = os.fork()
    if not pid:
        status = 1
        try:
            calls.watch()
            act()
            report.write_text("\n".join(calls.names))
            status = 0
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def worth_killing(names: list[str]) -> list[int]:
    """The numbers of the calls: all, but of attempts the first ones."""
    attempts = [number for number, name in enumerate(names) if name.endswith(" attempts.jsonl")]
    return [number for number in range(len(names)) if number not in attempts[2 * MOST_ATTEMPTS :]]


def left_waiting(*folders: Path) -> list[Path]:
    return [place for folder in folders for place in folder.rglob("*.repair-tmp")]


@pytest.mark.slow
def test_a_campaign_that_is_killed_at_any_change_of_a_file_ends_as_if_it_had_not_been(tmp_path):
    whole, report = tmp_path / "whole", tmp_path / "calls"
    (tmp_path / "p.txt").write_text(PROMPT)
    assert in_child(lambda: go_on(whole, tmp_path / "p.txt"), Calls(), report) == 0
    names = report.read_text().splitlines()
    final, steps = (tmp_path / "p.txt").read_text(), KeptCampaign.open(whole).steps()
    assert GOOD in final
    chosen = worth_killing(names)
    assert {name.split()[0] for name in names} >= {"write", "replace", "unlink", "mkdir"}
    assert len(chosen) > 30
    for at in chosen:
        place = tmp_path / f"at{at}"
        place.mkdir()
        file, folder = place / "p.txt", place / "c"
        file.write_text(PROMPT)
        assert in_child(lambda: go_on(folder, file), Calls(at), report) == 137, names[at]  # noqa: B023 - at once
        assert file.read_text() in (PROMPT, final), names[at]
        assert in_child(lambda: go_on(folder, file), Calls(), report) == 0, names[at]  # noqa: B023 - at once
        assert file.read_text() == final, names[at]
        again = KeptCampaign.open(folder)
        assert again.steps() == steps, names[at]
        assert replay(again) == steps, names[at]
        assert left_waiting(place) == [], names[at]


@pytest.mark.slow
def test_a_revert_that_is_killed_at_any_change_of_a_file_is_done_or_can_be_done(tmp_path):
    report = tmp_path / "calls"

    def accepted(name: str) -> tuple[Path, Path]:
        place = tmp_path / name
        place.mkdir()
        (place / "p.txt").write_text(PROMPT)
        assert in_child(lambda: go_on(place / "c", place / "p.txt"), Calls(), report) == 0
        return place / "c", place / "p.txt"

    folder, file = accepted("whole")
    final = file.read_text()
    assert in_child(lambda: revert(KeptCampaign.open(folder), None), Calls(), report) == 0
    names = report.read_text().splitlines()
    assert file.read_text() == PROMPT
    for at in range(len(names)):
        folder, file = accepted(f"at{at}")
        act = revert if at % 2 else lambda kept, _: go_on(kept.folder, Path(kept.plan.prompt))
        assert in_child(lambda: revert(KeptCampaign.open(folder), None), Calls(at), report) == 137  # noqa: B023
        kept = KeptCampaign.open(folder)
        assert file.read_text() in (PROMPT, final), names[at]
        logged = bool(kept.reverted_to)
        assert logged or file.read_text() == final, "what is not logged is not done"
        if act is revert:
            act(kept, None)
        elif logged:
            with pytest.raises(UsageError, match="reverted"):
                act(kept, None)
        else:
            act(kept, None)
            assert file.read_text() == final, names[at]
            continue
        assert file.read_text() == PROMPT, names[at]
        assert left_waiting(file.parent) == [], names[at]
