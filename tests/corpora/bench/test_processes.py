"""What a process uses now."""

from __future__ import annotations

import os

from corpora.bench.processes import resident_mb


def test_memory_of_a_process_that_is_gone_is_none():
    assert resident_mb(os.getpid()) > 5
    assert resident_mb(1 << 30) == 0.0
