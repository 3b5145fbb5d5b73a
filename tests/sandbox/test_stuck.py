"""Trials that hang are stopped from within after little processor time, and get all of theirs when asked again."""

import textwrap
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from time import monotonic

from fakes.bare import bare_target
from fakes.usage import stats_of

from analysis.facts import Limits, digest
from analysis.functions import find_function, functions_of
from analysis.trials import Trial, TrialState
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
