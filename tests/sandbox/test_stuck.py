"""Trials that hang are stopped from within after little processor time, and get all of theirs when asked again."""

import textwrap
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from time import monotonic

import pytest
from fakes.bare import bare_target
from fakes.usage import stats_of

from analysis.facts import Limits, TestId, TestRun, digest
from analysis.functions import find_function, functions_of
from analysis.trials import Trial, TrialState
from repair.observe.complete_runs import complete_run
from sandbox.request import PROBE
from sandbox.sandbox import LocalSandbox
from sandbox.warm import WarmServer

HANGS = """
def halvings(a):
    count = 0
    while a:
        count += 1
    return count
"""
FAILS = HANGS.replace("while a:", "for _ in range(a):")
TEST = """
from lib import halvings

def test_halvings():
    assert halvings(8) == 4
"""
RIGHT = ("count = 0", "while a:", "    a, count = a // 2, count + 1", "return count")
SLOW = ("for _ in range(15_000_000):", "    pass", *RIGHT)
CAUGHT = ("try:", "    while a:", "        pass", "except BaseException:", "    return 4")


@contextmanager
def opened(root: Path, module: str, stuck: float = 0.05) -> Iterator[WarmServer]:
    (root / "lib.py").write_text(module)
    (root / "test_lib.py").write_text(TEST)
    with closing(LocalSandbox(bare_target(root))) as sandbox:
        limits = Limits(wall_seconds=20, test_seconds=20, stuck_seconds=stuck)
        server = sandbox.warm((), limits=limits, jobs=2)
        assert isinstance(server, WarmServer), server
        with closing(server):
            yield server


def trial(*body: str) -> Trial:
    span = find_function(functions_of("lib.py", HANGS.encode()), "halvings")
    assert span is not None
    text = b"def halvings(a):\n" + textwrap.indent("\n".join(body), "    ").encode() + b"\n"
    return Trial(digest(text), span.function, text, "test")


def test_what_hangs_is_stopped_soon_and_what_ends_passes(tmp_path: Path) -> None:
    with opened(tmp_path, HANGS) as server:
        given = [trial("while a: pass"), trial(*CAUGHT), trial(*SLOW), trial("return a"), trial(*RIGHT)]
        hindrance = server.hindrance(given[0].function)
        began = monotonic()
        (call,) = server.questions.record(given[0].function, 2).seen
        took = monotonic() - began
        found = {outcome.digest: outcome for outcome in server.trials(given)}
        (patient,) = server.trials([replace(given[2], patient=True)])
    assert hindrance == ""
    assert call.input.args == "(8,)"
    assert took < 10, "a test that hangs is stopped when its calls are recorded, too"
    endless, caught, slow, wrong, right = (found[each.digest] for each in given)
    assert [(each.state, each.hasty) for each in (endless, caught, slow)] == [(TrialState.TIMEOUT, True)] * 3
    assert "processor time" in endless.detail
    assert [(each.state, each.hasty) for each in (wrong, right, patient)] == [
        (TrialState.FAILED, False),
        (TrialState.PASSED, False),
        (TrialState.PASSED, False),
    ]


def test_a_trial_may_bring_a_bound_of_its_own(tmp_path: Path) -> None:
    with opened(tmp_path, HANGS, stuck=0.0) as server:
        endless, slow = trial("while a: pass"), trial(*SLOW)
        (hasty, usual) = server.trials([replace(endless, stuck_seconds=0.05), slow])
    found = {each.digest: (each.state, each.hasty) for each in (hasty, usual)}
    assert found == {endless.digest: (TrialState.TIMEOUT, True), slow.digest: (TrialState.PASSED, False)}


def test_what_hangs_does_not_spoil_those_that_share_its_fork(tmp_path: Path) -> None:
    others = [trial(f"return a + {number}") for number in range(50)]
    loops = [trial("while a:", f"    a + {number}") for number in range(3)]
    with opened(tmp_path, FAILS) as server:
        given = [*others[:40], loops[0], *others[40:], *loops[1:], trial(*RIGHT)]
        found = {outcome.digest: outcome for outcome in server.trials(given)}
        stats = stats_of(server)
    assert [each.text for each in given if found[each.digest].hasty] == [each.text for each in loops]
    assert [each.text for each in given if found[each.digest].state is TrialState.PASSED] == [given[-1].text]
    assert stats.spoilt == 0
    assert stats.batched > 0


def test_a_test_may_use_as_much_as_all_before_it_and_little_once_one_was_stopped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.syspath_prepend(str(PROBE))
    from _repair_probe.ground.stuck import Patience  # noqa: PLC0415 - the target's side

    patience, left = Patience(2.0), []
    for took, stopped in ((0.001, False), (3.0, False), (9.0, True)):
        patience.heed(took, stopped)
        left.append(patience.seconds)
    assert left == [2.0, 3.001, 3.001]
    quick = Patience(2.0)
    quick.heed(0.002, False)
    quick.heed(2.0, True)
    assert (quick.seconds, Patience(0.0).seconds) == (0.25, 0.0)


def test_tests_that_hang_share_one_run_and_a_slow_one_ends(tmp_path: Path) -> None:
    loop = "def test_{}():\n    while True:\n        pass\n"
    quick, slow = "def test_quick():\n    pass\n", "def test_slow():\n    for _ in range(20_000_000): pass\n"
    (tmp_path / "test_all.py").write_text(quick + loop.format("a") + loop.format("b") + quick.replace("quick", "last"))
    (tmp_path / "test_slow.py").write_text(slow)
    with closing(LocalSandbox(bare_target(tmp_path))) as sandbox:
        limits = Limits(wall_seconds=60, test_seconds=30, stuck_seconds=0.4)
        run = sandbox.run([TestId("test_all.py")], limits=limits)
        assert isinstance(run, TestRun), run
        assert [r.outcome.value for r in run.results] == ["passed", "hang", "hang", "passed"]
        found = complete_run(sandbox, [TestId("test_slow.py")], replace(limits, stuck_seconds=0.0))
        assert [r.outcome.value for r in found.results] == ["passed"]
