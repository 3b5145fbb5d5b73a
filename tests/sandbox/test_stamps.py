"""Stamped code is the old code with stores of line numbers in it, and does what the old code does."""

from __future__ import annotations

import dis
import importlib.util
import marshal
import pickle
import subprocess
import sys
import textwrap
from pathlib import Path
from types import CodeType, ModuleType

import pytest

from sandbox.request import PROBE

pytestmark = pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="stamps are for code of Python 3.11")

SOURCE = """
    import asyncio
    import contextlib

    def numbers(most):
        for number in range(most):
            try:
                if number % 2:
                    yield number
                else:
                    continue
            finally:
                most -= 1

    @contextlib.contextmanager
    def quiet():
        try:
            yield
        except ZeroDivisionError:
            pass

    async def ticks():
        for tick in range(3):
            await asyncio.sleep(0)
            yield tick

    async def gathered():
        return [tick async for tick in ticks() if tick]

    def nested(*, low=1):
        def inner(**named):
            nonlocal low
            low += sum(named.values())
            return (low
                    if low > 3 else
                    -low)
        return inner(a=1,
                     b=2), inner()

    def run():
        with quiet():
            1 / 0
        match [1, 2]:
            case [first, *_] if first:
                found = f"{first!r:>3}"
        while True:
            break
        return list(numbers(6)), asyncio.run(gathered()), nested(), found
    """


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        f"stamps_under_test_{name}", PROBE / "_repair_probe" / "trace" / f"{name}.py"
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def stamps() -> ModuleType:
    return load("stamps")


def traced(code: CodeType, scope: dict) -> tuple[object, set[int]]:
    """What ``run()`` gives, and the lines that a trace function saw."""
    seen: set[int] = set()

    def trace(frame, event, arg):
        if frame.f_code.co_filename != "made.py":
            return None
        if event == "line":
            seen.add(frame.f_lineno)
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        exec(code, scope)
        return scope["run"](), seen
    finally:
        sys.settrace(before)


def test_the_same_results_and_the_lines_that_a_trace_function_sees(stamps):
    code = compile(textwrap.dedent(SOURCE), "made.py", "exec")
    lines = stamps.SeenLines()
    scope: dict = {}
    exec(stamps.stamp_code(code, lines), scope)
    result = scope["run"]()
    expected, seen = traced(code, {})
    assert result == expected == ([1, 3, 5], [1, 2], (4, 4), "  1")
    assert set(lines) == seen
    assert len(seen) > 35


def without_stamps(code: CodeType, lines: object) -> list[tuple]:
    """The instructions, jumps by the number of what they go to, each with its positions."""
    kept, number = [], {}
    instructions = [i for i in dis.get_instructions(code) if i.opname != "EXTENDED_ARG"]
    at = 0
    while at < len(instructions):
        if at + 1 < len(instructions) and instructions[at + 1].argval is lines:
            at += 4
            continue
        kept.append(instructions[at])
        number[instructions[at].offset] = len(kept)
        at += 1
    jumps = set(dis.hasjrel)
    return [(i.opname, None if i.opcode in jumps else i.argrepr.split(" at 0x")[0], tuple(i.positions)) for i in kept]


def codes(code: CodeType) -> list[CodeType]:
    return [code, *(inner for c in code.co_consts if isinstance(c, CodeType) for inner in codes(c))]


@pytest.mark.parametrize("name", ["argparse", "asyncio.base_events", "dataclasses", "decimal", "inspect", "typing"])
def test_nothing_but_stamps_is_added_to_modules_of_the_standard_library(stamps, name):
    path = Path(importlib.util.find_spec(name).origin)
    code = compile(path.read_bytes(), str(path), "exec")
    lines = stamps.SeenLines()
    for old, new in zip(codes(code), codes(stamps.stamp_code(code, lines)), strict=True):
        assert without_stamps(new, lines) == without_stamps(old, lines)
        assert (new.co_name, new.co_firstlineno, new.co_flags) == (old.co_name, old.co_firstlineno, old.co_flags)
        hash(new)


def test_long_jumps_and_many_constants(stamps):
    body = "".join(f"    if n == {n}:\n        found.append('{n}')\n" for n in range(700))
    source = f"def run(n, found):\n    for n in (n, n + 1):\n{textwrap.indent(body, '    ')}    return found\n"
    lines = stamps.SeenLines()
    scope: dict = {}
    exec(stamps.stamp_code(compile(source, "made.py", "exec"), lines), scope)
    assert scope["run"](698, []) == ["698", "699"]
    assert {3 + 2 * 698 + 1, 3 + 2 * 699 + 1} <= set(lines)
    assert 3 + 2 * 697 + 1 not in lines


def test_tracebacks_say_the_same(stamps):
    code = compile("def run(a):\n    return (a +\n            a.b.c)\n", "made.py", "exec")
    found = []
    for each in (code, stamps.stamp_code(code, stamps.SeenLines())):
        scope: dict = {}
        exec(each, scope)
        with pytest.raises(AttributeError) as caught:
            scope["run"](1)
        entry = caught.value.__traceback__.tb_next
        positions = list(entry.tb_frame.f_code.co_positions())[entry.tb_lasti // 2]
        found.append((entry.tb_lineno, positions))
    assert found[0] == found[1]
    assert found[0][0] == 3


def test_plain_code_is_left_as_it_was(stamps):
    code = compile("x = 1\n", "made.py", "exec")
    before = marshal.dumps(code)
    stamps.stamp_code(code, stamps.SeenLines())
    assert marshal.dumps(code) == before


READ = '''
    import copy, dis, functools, inspect, pickle, types

    def told(a: int, b: str = "b") -> int:
        """Said."""
        def inner():
            return a
        return inner() + 1

    def rebuilt(code):
        """From its attributes, as picklers by value do it."""
        names = "argcount posonlyargcount kwonlyargcount nlocals stacksize flags code consts names varnames filename"
        names += " name qualname firstlineno linetable exceptiontable freevars cellvars"
        return types.CodeType(*(getattr(code, "co_" + name) for name in names.split()))

    def run():
        code = told.__code__
        return (
            inspect.getdoc(told), str(inspect.signature(told)), told.__annotations__, code.co_consts[0], code.co_names,
            code.co_varnames, code.co_argcount, code.co_flags, [c.co_name for c in code.co_consts if inspect.iscode(c)],
            sorted({line for _, _, line in code.co_lines() if line}), sorted(dict(dis.findlinestarts(code)).values()),
            types.FunctionType(rebuilt(code), {})(1, 2), types.FunctionType(code.replace(co_name="o"), {})(2, 2),
            code == rebuilt(code), hash(code) == hash(rebuilt(code)), inspect.getclosurevars(told).nonlocals,
            pickle.loads(pickle.dumps(functools.partial)) is functools.partial, copy.copy(told)(3),
        )
    '''


def test_readers_of_code_see_what_they_saw(stamps):
    code = compile(textwrap.dedent(READ), "made.py", "exec")
    found = []
    for each in (code, stamps.stamp_code(code, stamps.SeenLines())):
        scope: dict = {"__name__": "made"}
        exec(each, scope)
        found.append(scope["run"]())
    assert found[0] == found[1]


def test_code_that_is_pickled_by_value_runs_in_another_process(stamps):
    stamped = stamps.stamp_code(compile("answer = 41\nanswer += 1\n", "made.py", "exec"), stamps.SeenLines())
    names = "argcount posonlyargcount kwonlyargcount nlocals stacksize flags code consts names varnames filename"
    names += " name qualname firstlineno linetable exceptiontable freevars cellvars"
    dumped = pickle.dumps([getattr(stamped, f"co_{name}") for name in names.split()])
    program = "import pickle, sys, types; exec(types.CodeType(*pickle.load(sys.stdin.buffer))); print(answer)"
    run = subprocess.run([sys.executable, "-c", program], input=dumped, capture_output=True, check=False)
    assert run.stdout == b"42\n", run.stderr


def test_what_marshals_code_notices(stamps):
    """Decision 28 says so: such a test differs from the plain runs, and counts neither way."""
    stamped = stamps.stamp_code(compile("def f(): return 1\n", "made.py", "exec"), stamps.SeenLines())
    with pytest.raises(ValueError, match="unmarshallable"):
        marshal.dumps(stamped)
