"""What a bench costs over the engine's own time: a real `repair bench run`, one bug at a time.

`python -m corpora.benchmarks.overhead` prints a table and writes build/bench/overhead.json. It needs no network. Wall
times are compared within one run, since the machine's mood is the same for both.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import click

from analysis.errors import TargetError
from corpora.bench.ledger import read_records
from corpora.benchmarks.figures import Figure, Measured, Row, table, write_record

MOST = Figure("bench_overhead", 0.03, 0.01, floor=False)
CELL = Figure("bench_overhead_cells", 0.03, 0.01, floor=False)
