"""The project with a large suite: one test of it fails, by one fault that few tests touch."""

from __future__ import annotations

import subprocess
import sys

from corpora.lab.benchmarks.large_suite import FAULT, NAMED, write_large_project


def test_one_of_its_tests_fails_for_one_fault(tmp_path):
    root = tmp_path / "shop"
    write_large_project(root, files=51, tests=510)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:randomly"]
    broken = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert f"FAILED {NAMED}" in broken.stdout
    assert "1 failed, 512 passed" in broken.stdout
    shared = root / "shop/shared.py"
    right, wrong = FAULT
    shared.write_text(shared.read_text().replace(wrong, right))
    assert subprocess.run(command, cwd=root, capture_output=True, check=False).returncode == 0
