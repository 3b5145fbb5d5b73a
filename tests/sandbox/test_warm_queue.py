"""Requests to a server: whatever it says, or dies of, each gets one answer, and no line stops the engine."""

import sys

import pytest

from analysis.errors import OutOfTimeError
from analysis.facts import FunctionId, InvalidRun, Limits, RunFault, TestId, digest
from analysis.trials import Trial, TrialState
from sandbox.deadline import Deadline
from sandbox.process import Channel, Command
from sandbox.warm import WarmServer, open_warm
from sandbox.warm_queue import WarmQueue

TRIAL = Trial(digest(b""), FunctionId("lib.py", "f", 1), b"def f(): pass\n", "test")
SERVER = """
import os, sys
report, control, line = int(sys.argv[1]), int(sys.argv[2]), eval(sys.argv[3])
os.write(report, b'{"event":"ready","tests":["t"]}\\n')
os.read(control, 65536)
os.write(report, line + b"\\n")
"""


@pytest.mark.parametrize(
    "line",
    [
        "b'[' * 50000",
        'b\'{"event":"answer","id":[]}\'',
        'b\'{"event":"answer","id":{}}\'',
        'b\'{"event":"answer","id":1,"lines":{},"ahead":[]}\'',
        'b\'{"event":"answer","id":1,"state":"done","lines":[1,{"passed":1,"failed":[]}]}\'',
        "b'{\"event\":[]}'",
        "b'\\xff'",
    ],
)
def test_a_line_that_no_server_of_ours_writes_passes_nothing_and_ends_nothing(line: str) -> None:
    def prepare(ends: Channel) -> Command:
        argv = (sys.executable, "-c", SERVER, str(ends.report_write), str(ends.control_read), line)
        return Command(argv, "/", ())

    server = open_warm(prepare, [TestId("t")], Limits(), 1, lambda: None)
    assert isinstance(server, WarmServer), server
    (outcome,) = server.trials([TRIAL])
    server.close()
    assert outcome.state in (TrialState.CRASHED, TrialState.FAILED)


@pytest.mark.parametrize("tests", ["[[]]", '"t"', "[1]", '["t","u"]', '["u"]', "null"])
def test_a_list_of_tests_that_was_not_asked_for_opens_no_session(tests: str) -> None:
    def prepare(ends: Channel) -> Command:
        said = f'{{"event":"ready","tests":{tests}}}\n'
        code = "import os, sys; os.write(int(sys.argv[1]), sys.argv[2].encode())"
        return Command((sys.executable, "-c", code, str(ends.report_write), said), "/", ())

    assert isinstance(open_warm(prepare, [TestId("t")], Limits(), 1, lambda: None), InvalidRun)


def test_a_server_that_says_anything_but_that_it_is_ready_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    def prepare(ends: Channel) -> Command:
        code = "import os, sys\nwhile True: os.write(int(sys.argv[1]), b'{}\\n')"
        return Command((sys.executable, "-c", code, str(ends.report_write)), "/", ())

    monkeypatch.setattr("sandbox.warm_queue._MOST_START_SECONDS", 0.3)
    said = open_warm(prepare, [TestId("t")], Limits(), 1, lambda: None)
    assert isinstance(said, InvalidRun)
    assert said.detail == "the warm server does not become ready"


ANSWERING = """
import json, os, sys
report, control, most = int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
os.write(report, b'{"event":"ready","tests":["t"]}\\n')
for line in os.fdopen(control):
    asked = json.loads(line)
    if asked.get("deadly") or most == 0:
        break
    most -= 1
    told = {"event": "answer", "id": asked["id"], "state": "done", "ending": "", "lines": [], "ahead": asked["ahead"]}
    os.write(report, json.dumps(told).encode() + b"\\n")
"""


def queue_of(most: int = 100, starts: list[int] | None = None, deadline: Deadline | None = None) -> WarmQueue:
    """A queue to a server that answers so many requests and then ends."""

    def prepare(ends: Channel) -> Command:
        if starts is not None:
            starts.append(1)
        argv = (sys.executable, "-c", ANSWERING, str(ends.report_write), str(ends.control_read), str(most))
        return Command(argv, "/", ())

    return WarmQueue(prepare, (TestId("t"),), Limits(), deadline or Deadline())


def test_answers_are_taken_by_their_numbers_in_any_order() -> None:
    queue = queue_of()
    assert queue.start() is None
    try:
        first, second = (queue.put({"ahead": 5}) for _ in range(2))
        assert [queue.take(number).state for number in (second, first)] == ["done", "done"]
        third = queue.put({"ahead": 5})
        queue.forget(third)
        assert queue.take(queue.put({"ahead": 5})).state == "done"
        assert queue.is_first
    finally:
        queue.close()


@pytest.mark.parametrize(("told", "ahead"), [(5, 5), (1, 2), (10**9, 256), ("many", 2), (None, 2)])
def test_how_much_is_drawn_ahead_has_bounds(told: object, ahead: int) -> None:
    queue = queue_of()
    assert queue.start() is None
    queue.take(queue.put({"ahead": told}))
    queue.close()
    assert queue.ahead == ahead


def test_what_ends_the_server_twice_has_crashed_and_the_others_are_answered() -> None:
    starts: list[int] = []
    queue = queue_of(starts=starts)
    assert queue.start() is None
    deadly = queue.put({"deadly": True, "ahead": 2})
    assert queue.take(deadly).state == "crashed"
    assert queue.take(queue.put({"ahead": 2})).state == "done"
    queue.close()
    assert len(starts) == 3
    assert not queue.is_first


def test_where_no_server_is_left_all_is_answered_at_once() -> None:
    starts: list[int] = []
    queue = queue_of(0, starts)
    assert queue.start() is None
    states = [queue.take(queue.put({"ahead": 2})).state for _ in range(3)]
    queue.close()
    assert states == ["crashed", "gone", "gone"]
    assert len(starts) == 3
    assert (queue.pid, queue.console) == (0, "")


def test_a_server_that_is_lost_after_the_deadline_is_not_started_again() -> None:
    starts: list[int] = []
    deadline = Deadline()
    queue = queue_of(0, starts, deadline)
    assert queue.start() is None
    number = queue.put({"ahead": 2})
    deadline.end()
    with pytest.raises(OutOfTimeError):
        queue.take(number)
    queue.close()
    assert starts == [1]


def test_why_a_server_does_not_serve_is_said() -> None:
    def prepare(ends: Channel) -> Command:
        code = 'import os, sys; os.write(int(sys.argv[1]), b\'{"event":"no_pytest","message":"none here"}\\n\')'
        return Command((sys.executable, "-c", code, str(ends.report_write)), "/", ())

    queue = WarmQueue(prepare, (), Limits(), Deadline())
    problem = queue.start()
    queue.close()
    assert problem is not None
    assert (problem.fault, problem.detail) == (RunFault.NO_PYTEST, "none here")
