"""Usage: what killed processes have used is kept, and nothing is counted twice."""

from __future__ import annotations

import pytest

from corpora.bench import bounded as usage
from corpora.bench.bounded import Accounts, Usage

ROOT, WAITED_FOR, KILLED = (1, "10"), (2, "20"), (3, "30")


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[Accounts]:
    """What the next looks see; the last stays."""
    told: list[Accounts] = []
    monkeypatch.setattr(usage, "accounts", lambda root: told.pop(0) if len(told) > 1 else told[0])
    return told


def test_what_was_waited_for_counts_once_and_what_was_killed_is_kept(seen: list[Accounts]):
    found = Usage(1)
    for accounts in (
        {ROOT: (1.0, 0.0), WAITED_FOR: (2.0, 0.0), KILLED: (3.0, 1.0)},
        {ROOT: (1.0, 2.5), KILLED: (3.5, 1.0)},
        {ROOT: (1.5, 2.5)},  # what the root did meanwhile hides nothing
    ):
        seen[:] = [accounts]
        found.look()
    assert found.total(waited=4.2) == pytest.approx(4.2 + 4.5)


def test_one_that_was_waited_for_between_two_lines_is_not_lost(seen: list[Accounts]):
    seen.append({ROOT: (1.0, 0.0), WAITED_FOR: (2.0, 0.0)})
    found = Usage(1)
    found.look()
    seen[:] = [{ROOT: (1.0, 0.0)}, {ROOT: (1.0, 2.0)}]
    found.look()
    assert found.total(waited=3.0) == pytest.approx(3.0)


def test_what_died_after_the_last_look_is_known_from_it(seen: list[Accounts]):
    seen.append({ROOT: (1.0, 0.0), KILLED: (3.0, 0.0)})
    found = Usage(1)
    assert found.so_far() == pytest.approx(4.0)
    assert found.total(waited=1.25) == pytest.approx(1.25 + 3.0 - 0.25)


def test_a_number_that_is_given_again_is_another_process(seen: list[Accounts]):
    found = Usage(1)
    for accounts in ({ROOT: (0.0, 0.0), (2, "20"): (2.0, 0.0)}, {ROOT: (0.0, 0.0), (2, "21"): (0.0, 0.0)}):
        seen[:] = [accounts]
        found.look()
    assert found.total(waited=0.0) == 2.0


def test_without_a_look_waiting_tells_all():
    assert Usage(1).total(waited=0.5) == 0.5
