"""The command as users start it: its own process, its result on standard output."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from fakes.bare import BARE

from sandbox.jail import choose


@dataclass(frozen=True)
class Answer:
    """What one command gave."""

    status: int
    output: str
    messages: str
    seconds: float

    @property
    def result(self) -> dict[str, Any]:
        """The JSON object on standard output."""
        try:
            found = json.loads(self.output)
        except ValueError:
            pytest.fail(f"no JSON on standard output (exit status {self.status}): {self.output!r}\n{self.messages}")
        assert isinstance(found, dict)
        return found


Command = Callable[..., Answer]

WITHOUT_PLUGINS = {**BARE, "REPAIR_PASS_ENV": " ".join(BARE)}
"""Toy projects are tested with pytest alone."""


@pytest.fixture(scope="session")
def accepted_risk() -> dict[str, str]:
    """Where no isolation holds, what these tests hand in as strangers' code is their own all the same."""
    return {"REPAIR_ISOLATION": "none"} if choose("auto").kind == "none" else {}


@pytest.fixture
def repair(tmp_path: Path, accepted_risk: dict[str, str]) -> Command:
    """Runs ``repair`` with these arguments; no key, no configuration of the user's, no colour."""

    def run(
        *arguments: str, cwd: Path | None = None, env: Mapping[str, str] | None = None, limit: float = 300
    ) -> Answer:
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("REPAIR_", "OPENAI_", "PYTHON", "PYTEST_"))}
        started = time.monotonic()
        done = subprocess.run(
            [str(Path(sys.executable).with_name("repair")), *arguments],
            cwd=cwd or tmp_path,
            env={**kept, **WITHOUT_PLUGINS, "NO_COLOR": "1", **accepted_risk, **(env or {})},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=limit,
            check=False,
        )
        return Answer(done.returncode, done.stdout, done.stderr, time.monotonic() - started)

    return run
