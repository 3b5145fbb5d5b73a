"""A server of strangers' code may say anything: no line of it stops the engine."""

import select
import sys

import pytest

from analysis.facts import FunctionId, InvalidRun, Limits, TestId, digest
from analysis.trials import Trial, TrialState
from sandbox.process import Channel, Command
from sandbox.warm import WarmServer, open_warm
from sandbox.warm_link import ServerLost, WarmLink

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


def test_a_server_that_prints_without_end_does_not_keep_the_engine_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    def prepare(_ends: Channel) -> Command:
        return Command((sys.executable, "-c", "import time; print('more', flush=True); time.sleep(60)"), "/", ())

    reads = []

    def more_each_time(_link: WarmLink) -> None:
        reads.append(1)
        assert len(reads) < 1_000_000, "it would wait for ever"

    monkeypatch.setattr(WarmLink, "_read_console", more_each_time)
    link = WarmLink(prepare)
    try:
        assert link._child.process.stdout is not None
        assert select.select([link._child.process.stdout], [], [], 60)[0]
        with pytest.raises(ServerLost, match="does not answer"):
            list(link.events(0.1))
        assert reads
    finally:
        link.close()


def test_a_server_that_says_anything_but_that_it_is_ready_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    def prepare(ends: Channel) -> Command:
        code = "import os, sys\nwhile True: os.write(int(sys.argv[1]), b'{}\\n')"
        return Command((sys.executable, "-c", code, str(ends.report_write)), "/", ())

    monkeypatch.setattr("sandbox.warm._MOST_START_SECONDS", 0.3)
    said = open_warm(prepare, [TestId("t")], Limits(), 1, lambda: None)
    assert isinstance(said, InvalidRun)
    assert said.detail == "the warm server does not become ready"
