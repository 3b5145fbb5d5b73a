"""Cost: CPU time of whole trees of processes, the reaped ones included."""

from __future__ import annotations

import os
import subprocess
import sys

from corpora.bench.processes import descendants
from corpora.lab.benchmarks.cold import run_plain
from corpora.lab.benchmarks.cost import Cost, meter_cost

BURN = "import time\nwhile time.process_time() < 0.3: pass"
FAMILY = (
    f"import os, sys, subprocess\nsubprocess.run([sys.executable, '-c', {BURN!r}])\nprint('done', flush=True)\ninput()"
)


def test_reaped_grandchildren_count():
    with subprocess.Popen([sys.executable, "-c", FAMILY], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        with meter_cost(child.pid) as meter:
            assert child.stdout.readline() == b"done\n"
        assert child.pid in descendants(os.getpid())
        child.communicate(b"\n")
    assert 0.25 <= meter.cost.cpu < 5
    assert meter.cost.wall >= 0.25


def test_each_is_a_share():
    assert Cost(10.0, 4.0).each(4) == Cost(2.5, 1.0)


def test_plain_run_gives_status_and_cost(tmp_path):
    status, cost = run_plain([sys.executable, "-c", BURN + "\nraise SystemExit(4)"], tmp_path, (), 30.0)
    assert status == 4
    assert 0.25 <= cost.cpu < 5


def test_plain_run_that_hangs_is_ended(tmp_path):
    status, _ = run_plain([sys.executable, "-c", "import time; time.sleep(60)"], tmp_path, (), 0.3)
    assert status is None
