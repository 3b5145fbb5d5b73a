"""A server of strangers' code may say anything: it does not keep the engine waiting."""

import select
import sys

import pytest

from sandbox.process import Channel, Command
from sandbox.warm_link import ServerLost, WarmLink


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
