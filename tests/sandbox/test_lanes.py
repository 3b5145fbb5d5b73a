"""A lane forks for one errand after the other; a child's folder is empty for the next child."""

import marshal
import os
import selectors
import tempfile
from pathlib import Path
from typing import Any

import pytest

from sandbox.request import PROBE


@pytest.fixture
def probe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The probe's modules of this process; their folders lie below the test's own."""
    monkeypatch.syspath_prepend(str(PROBE))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    from _repair_probe.fork import lanes  # noqa: PLC0415

    return lanes


def errand(lane: Any, number: int) -> list[dict[str, int]]:
    """What a child says that is sent the number."""
    with selectors.DefaultSelector() as select:
        lane.start("tag", marshal.dumps(number), 5.0)
        lane.watched_by(select)
        while not lane.state:
            select.select()
            lane.read()
    assert lane.state == "done", lane.ending()
    return lane.lines


def saying(message: bytes, _leave: Any) -> Any:
    return lambda send: send(number=marshal.loads(message))


def test_a_lane_that_cannot_fork_for_a_while_tries_again(probe: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    plain, calls = os.fork, []

    def scarce() -> int:
        calls.append(1)
        if len(calls) in (2, 3):
            raise BlockingIOError
        return plain()

    monkeypatch.setattr(os, "fork", scarce)
    lane = probe.Lane(saying, lambda: None)
    try:
        assert [errand(lane, number) for number in (7, 8)] == [[{"number": 7}], [{"number": 8}]]
    finally:
        lane.close()


def test_a_fork_that_cannot_be_made_leaves_no_descriptor(probe: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> int:
        raise BlockingIOError

    monkeypatch.setattr(os, "fork", none)
    before = set(os.listdir("/proc/self/fd"))
    with pytest.raises(BlockingIOError):
        probe.Fork(None, None, 1.0, None)
    assert set(os.listdir("/proc/self/fd")) <= before


def test_what_a_child_leaves_at_once_is_gone_for_the_next(probe: Any) -> None:
    folder = probe.Folder()
    for _ in range(20):  # within the same tick of the clock of files
        Path(folder.path, "left").touch()
        folder.clear()
        assert os.listdir(folder.path) == []


def test_lines_that_a_thread_adds_meanwhile_do_not_stop_the_count(probe: Any) -> None:
    from _repair_probe.trace.lines import LineRecorder  # noqa: PLC0415

    recorder = LineRecorder("/project")
    seen = recorder.seen_in("/project/a.py")

    class Busy(int):
        def __gt__(self, other: int) -> bool:
            seen.add(100 + len(seen))
            return int(self) > other

    seen.update((Busy(3), 4))
    assert recorder.take() == {"a.py": [[3, 4]]}


def test_what_a_lane_asks_has_no_folder_of_the_servers(probe: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from _repair_probe.fork import forks  # noqa: PLC0415

    def where(send: Any) -> None:
        send(folder=os.environ["TMPDIR"])

    def asking(_message: bytes, leave: Any) -> Any:
        (line,) = forks.ask(where, 5.0, leave).lines
        return lambda send: send(**line)

    monkeypatch.setattr(forks, "_folders", [])
    (servers,) = forks.ask(where, 5.0, lambda: None).lines
    assert forks.ask(where, 5.0, lambda: None).lines == [servers]
    lane = probe.Lane(asking, lambda: None)
    try:
        assert errand(lane, 1) != [servers]
    finally:
        lane.close()


def test_what_a_child_forks_says_nothing_in_its_name(probe: Any) -> None:
    def forking(_message: bytes, _leave: Any) -> Any:
        def work(send: Any) -> None:
            below = os.fork()
            if below:
                os.waitpid(below, 0)
            send(own=bool(below))

        return work

    lane = probe.Lane(forking, lambda: None)
    try:
        assert errand(lane, 1) == [{"own": True}]
    finally:
        lane.close()
