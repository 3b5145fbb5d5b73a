"""Our side of the comparison with mutmut, in a process of its own: from nothing to the state of each mutant.

A warm server finds out by itself which tests run what; while it starts, a thread makes the mutants. It reads what to do
from its input as JSON and writes what it found as JSON.
"""

from __future__ import annotations

import gc
import json
import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace

from analysis.errors import TargetError
from analysis.facts import Files, InvalidRun, Limits
from corpora.lab.benchmarks.mutation_asked import Answered, Asked
from sandbox.jail import choose
from sandbox.sandbox import LocalSandbox
from sandbox.target import open_target
from sandbox.warm import WarmServer

_PATIENT = Limits(wall_seconds=600.0, cpu_seconds=600.0, test_seconds=120.0)
_STUCK_SECONDS = 0.25
"""Of processor time, after which a test is set aside: a mutant that never ends would take all of its time twice."""


def main() -> None:
    """Answer one question."""
    gc.disable()  # while the libraries of trees are imported it would look at all of them again and again
    asked = json.load(sys.stdin)
    asked |= {"tests": tuple(asked["tests"]), "texts": tuple((name, text) for name, text in asked["texts"])}
    json.dump(asdict(answered(Asked(**asked))), sys.stdout)


def answered(asked: Asked) -> Answered:
    """Open the tree, let a server keep the tests that run the file's functions, and try the mutants there."""
    with ThreadPoolExecutor(1) as aside:
        aside.submit(_load)
        target = open_target(asked.root, python=asked.python, environ={"PATH": os.environ.get("PATH", os.defpath)})
        jail = choose(asked.isolation)
        limits = replace(_PATIENT, stuck_seconds=_STUCK_SECONDS)
        with LocalSandbox(target, limits=limits, jail=jail, selection=asked.tests, jobs=asked.workers) as sandbox:
            making = aside.submit(_made, asked, sandbox.sources())
            # Started by this thread: a server ends with the thread that it came from.
            server = sandbox.warm((), narrow=((asked.path, asked.qualname),))
            if isinstance(server, InvalidRun):
                raise TargetError(
                    f"The tests cannot be served: {server.detail} {server.output[-500:]}", where=asked.root
                )
            try:
                return making.result()(sandbox, server)
            finally:
                server.close()


def _load() -> None:
    """Load the upper floors beside the server's start and not before it: their libraries take as long."""
    import corpora.lab.benchmarks.mutation_trials  # noqa: F401, PLC0415 -- for that reason


def _made(asked: Asked, sources: Files) -> Callable[[LocalSandbox, WarmServer], Answered]:
    from corpora.lab.benchmarks.mutation_trials import made  # noqa: PLC0415 -- as above

    gc.freeze()
    gc.enable()
    return made(asked, sources, _PATIENT)


if __name__ == "__main__":
    main()
