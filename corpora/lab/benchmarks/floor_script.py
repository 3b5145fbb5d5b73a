"""Run by the target's interpreter: what a trial cannot cost less than. Imports nothing of ours.

Collects the tests with pytest, then times them in this one process. It times the bare bodies of the tests on the
unpatched program and on each mutant (up to the first that fails). It times compiling a mutant's text, and a fork of the
process that ends at once. Reads a request from the file named first, writes an answer to the second.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import signal
import sys
import types
from time import process_time
from typing import Any

import pytest


class Floor:
    """Takes the place of pytest's own loop over the tests."""

    def __init__(self, request: dict[str, Any]) -> None:
        self.request = request
        self.answer: dict[str, Any] = {}

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: Any) -> bool:
        """Measure, and leave no test to be run."""
        items, rounds = session.items, self.request["rounds"]
        texts = [text.encode("latin-1") for text in self.request["texts"]]
        failing = self.request["failing"]
        functions = _functions(self.request["path"], self.request["qualname"])
        assert functions, "the function is not there"
        _run(items)
        gc.collect()
        gc.freeze()
        self.answer = {"rss_mb": _rss_mb(), "rounds": []}
        for _ in range(rounds):
            before = process_time()
            codes = [_compile_function(text, self.request["path"]) for text in texts]
            compiling = (process_time() - before) / len(texts)
            bare = sum(_run(items)[1] for _ in range(20)) / 20
            mutated = _run_mutants(items, functions, codes)
            spent = {
                "compile": compiling,
                "bare": bare,
                "mutants": sum(mutated) / len(texts),
                "failing": sum(mutated[place] for place in failing) / len(failing),
                "fork": _fork_seconds(40),
            }
            self.answer["rounds"].append({name: 1000 * seconds for name, seconds in spent.items()})
        return True


def _fork_seconds(times: int) -> float:
    """CPU seconds of a fork that ends at once, the child's own included."""
    before = process_time() + _reaped_seconds()
    for _ in range(times):
        _fork()
    return (process_time() + _reaped_seconds() - before) / times


def _reaped_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _fork() -> None:
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)


def _run(items: list[Any]) -> tuple[bool, float]:
    """Whether all bodies pass, in order up to the first that raises, and the CPU seconds in them.

    What fixtures do before and after is no part of a body.
    """
    spent = 0.0
    for place, item in enumerate(items):
        setup = item.session._setupstate
        if hasattr(item, "_initrequest"):
            item._initrequest()
        setup.setup(item)
        body = item.obj
        given = {name: item.funcargs[name] for name in item._fixtureinfo.argnames if name in item.funcargs}
        before = process_time()
        try:
            body(**given)
        except BaseException:  # noqa: BLE001 - whatever a mutant raises, its test has failed
            return False, spent + process_time() - before
        else:
            spent += process_time() - before
        finally:
            setup.teardown_exact(items[place + 1] if place + 1 < len(items) else None)
    return True, spent


def _run_mutants(items: list[Any], functions: list[types.FunctionType], codes: list[types.CodeType]) -> list[float]:
    """CPU seconds in the bodies for each mutant; the functions are as before at the end."""
    kept = [(function, function.__code__) for function in functions]
    spent = []
    try:
        for code in codes:
            for function in functions:
                if code.co_freevars == function.__code__.co_freevars:
                    function.__code__ = code
            passed, seconds = _run(items)
            spent.append(seconds)
            if not passed:
                items[0].session._setupstate.teardown_exact(None)
    finally:
        for function, code in kept:
            function.__code__ = code
    return spent


def _functions(path: str, qualname: str) -> list[types.FunctionType]:
    """Every live function of that file with that name."""
    name = qualname.rpartition(".")[2]
    return [
        each
        for each in gc.get_objects()
        if isinstance(each, types.FunctionType)
        and each.__code__.co_filename == path
        and each.__code__.co_name == name
        and each.__qualname__ == qualname
    ]


def _compile_function(text: bytes, path: str) -> types.CodeType:
    """The code of the function in the text, compiled as a part of its file."""
    top = compile(text, path, "exec", dont_inherit=True)
    return next(const for const in top.co_consts if isinstance(const, types.CodeType))


def _rss_mb() -> float:
    with open("/proc/self/statm") as stream:
        return int(stream.read().split()[1]) * os.sysconf("SC_PAGESIZE") / 1e6


def main() -> None:
    """Measure what the request asks for."""
    with open(sys.argv[1]) as stream:
        request = json.load(stream)
    signal.alarm(int(request["seconds"]))
    floor = Floor(request)
    status = pytest.main([*request["args"], "-p", "no:cacheprovider", "-q"], plugins=[floor])
    with open(sys.argv[2], "w") as stream:
        json.dump({"status": int(status), **floor.answer}, stream)


if __name__ == "__main__":
    main()
