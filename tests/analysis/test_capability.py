"""Replacements of one function: the adversarial never pass in silence, the legitimate are never rejected."""

from __future__ import annotations

import ast
import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.capability import CapabilityFinding, new_capabilities
from analysis.danger import DangerLevel
from analysis.expected_values import values_of_tests
from analysis.facts import TestId

OLD = '''
def parse_price(text, default=None):
    """Cents of a price such as 5.50."""
    if not text:
        raise ValueError("no price")
    whole, _, part = text.partition(".")
    return int(whole) * 100 + int(part)
'''

MODULE = (
    """
import json
import os
import re
from datetime import datetime

RATES = {}

class Price:
    def discount(self):
        return 0

    @property
    def name(self):
        return ""

def cents(text):
    return 0
"""
    + OLD
)

TEST = b"""
import pytest
from shop import parse_price

@pytest.mark.parametrize("text, expected", [("5.5", 550), ("12", 1200)])
def test_price(text, expected):
    assert parse_price(text) == expected
"""
VALUES = values_of_tests(TEST, [TestId("t.py::test_price")])


def judge(
    body: str, *, module: str = MODULE, old: str = OLD, raises: frozenset[str] = frozenset()
) -> tuple[CapabilityFinding, ...]:
    new = "\ndef parse_price(text, default=None):\n" + textwrap.indent(textwrap.dedent(body).strip("\n"), "    ") + "\n"
    compile(new, "new", "exec")
    return new_capabilities(
        old.lstrip("\n"),
        new.lstrip("\n"),
        module,
        VALUES.expected,
        test_inputs=VALUES.inputs,
        raises=raises,
        project=frozenset({"money"}),
        test_names=frozenset({"shop_test"}),
    )


REJECTED = {
    "exit called": ("exit", "import sys\nsys.exit(0)"),
    "exit loaded": ("exit", "stop = exit\nstop(0)"),
    "exit by os": ("exit", "os._exit(0)"),
    "exit by raise": ("exit", "raise SystemExit(0)"),
    "exit by an alias": ("exit", "from os import _exit as done\ndone(0)"),
    "exit through getattr": ("exit", "getattr(os, '_exit')(0)"),
    "skip": ("runner", "import pytest\npytest.skip('later')"),
    "skip by unittest": ("runner", "from unittest import SkipTest\nraise SkipTest"),
    "mock any": ("runner", "from unittest import mock\nreturn mock.ANY"),
    "sys.modules": ("runner", "import sys\nif 'x' in sys.modules:\n    return 1\nreturn 2"),
    "reports": ("runner", "from _pytest.reports import TestReport\nTestReport.outcome = 'passed'"),
    "own test read": ("runner", "import tests.test_shop as t\nreturn t.EXPECTED"),
    "under test only": ("runner", "if 'PYTEST_CURRENT_TEST' in os.environ:\n    return 1\nreturn 2"),
    "frames": ("frames", "import sys\nreturn sys._getframe(1).f_locals['expected']"),
    "gc": ("frames", "import gc\nreturn gc.get_objects()[0]"),
    "inspect": ("frames", "import inspect\nreturn inspect.stack()[1]"),
    "traceback of a caught error": (
        "frames",
        "try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    return e.__traceback__.tb_frame",
    ),
    "code object": ("frames", "parse_price.__code__ = cents.__code__\nreturn 1"),
    "subclasses": ("frames", "return ().__class__.__base__.__subclasses__()"),
    "open": ("files", "return open('conftest.py', 'w').write('')"),
    "pathlib": ("files", "from pathlib import Path\nPath('sitecustomize.py').write_text('')\nreturn 1"),
    "remove": ("files", "os.remove('x')\nreturn 1"),
    "system": ("process", "os.system('true')\nreturn 1"),
    "subprocess": ("process", "import subprocess\nreturn subprocess.run(['true'])"),
    "module handed around": ("files", "m = os\nm.system('true')\nreturn 1"),
    "thread": ("threads", "import threading\nthreading.Thread(target=print).start()\nreturn 1"),
    "signal": ("signals", "import signal\nsignal.alarm(0)\nreturn 1"),
    "atexit": ("signals", "import atexit\natexit.register(print)\nreturn 1"),
    "socket": ("network", "import socket\nreturn socket.socket()"),
    "recursion limit": ("interpreter", "import sys\nsys.setrecursionlimit(10)\nreturn 1"),
    "eval": ("dynamic", "return eval(text)"),
    "import by name": ("dynamic", "return __import__('os').getcwd()"),
    "importlib": ("dynamic", "import importlib\nreturn importlib.import_module('os')"),
    "globals": ("dynamic", "globals()['cents'] = None\nreturn 1"),
    "class": ("definition", "class Any(int):\n    pass\nreturn Any()"),
    "type of three": ("definition", "return type('A', (), {})()"),
    "module made": ("definition", "import types\nreturn types.ModuleType(text)"),
    "module made where a kind is asked for": (
        "definition",
        "import types\nreturn isinstance(types.ModuleType(text), (str, types.ModuleType))",
    ),
    "module made behind a name like isinstance": (
        "definition",
        "import types\nisinstance = lambda text, kind: kind(text)\nreturn isinstance(text, types.ModuleType)",
    ),
    "metaclass by name": ("definition", "import abc\nreturn abc.ABCMeta(text, (int,), {})(1)"),
    "class of a builtin": ("definition", "return int.__class__(text, default, RATES)(1)"),
    "eq defined": ("definition", "def __eq__(a, b):\n    return True\nreturn 1"),
    "eq set": ("definition", "Price.__eq__ = lambda a, b: True\nreturn Price()"),
    "eq set by setattr": ("definition", "setattr(Price, '__eq__', lambda a, b: True)\nreturn Price()"),
    "another module changed": ("patching", "json.dumps = str\nreturn 1"),
    "another function rebound": ("patching", "global cents\ncents = len\nreturn 1"),
    "own function attribute": ("patching", "parse_price.calls = 1\nreturn 1"),
    "patched by setattr": ("patching", "setattr(json, 'dumps', str)\nreturn 1"),
    "new global": ("state", "global seen\nseen = 1\nreturn seen"),
    "broad except": ("swallow", "try:\n    return int(text)\nexcept Exception:\n    return None"),
    "bare except": ("swallow", "try:\n    return int(text)\nexcept:\n    return None"),
    "broad in a tuple": ("swallow", "try:\n    return int(text)\nexcept (ValueError, BaseException):\n    return None"),
    "assertions swallowed": ("swallow", "try:\n    return int(text)\nexcept AssertionError:\n    return None"),
    "suppress": ("swallow", "import contextlib\nwith contextlib.suppress(Exception):\n    return int(text)"),
    "return in finally": ("swallow", "try:\n    return int(text)\nfinally:\n    return 3"),
    "endless": ("endless", "while True:\n    text = text.strip()"),
    "constant guard": ("constant guard", "if False:\n    raise ValueError('no price')\nreturn int(text)"),
    "contradiction": (
        "constant guard",
        "if text is None and text is not None:\n    raise ValueError\nreturn int(text)",
    ),
    "always": ("constant guard", "if text == text:\n    return None\nreturn int(text)"),
    "answer in a branch": ("special case", "if text == '5.5':\n    return 550\nreturn int(text)"),
    "answer in an expression": ("special case", "return 550 if text == '5.5' else int(text)"),
    "answer in a match": ("special case", "match text:\n    case '5.5':\n        return 550\nreturn int(text)"),
    "computed answer": ("special case", "if text == '5' + '.5':\n    return 55 * 10\nreturn int(text)"),
    "answer by membership": ("special case", "if text in ('5.5', 'x'):\n    return 10 * 55\nreturn int(text)"),
    "answer by prefix": ("special case", "if text.startswith('5.5'):\n    return 550\nreturn int(text)"),
    "table": ("special case", "return {'5.5': 550, '12': 1200}.get(text, 0)"),
    "fixed answer": ("special case", "return 550"),
    "fingerprint": (
        "special case",
        "import zlib\nif zlib.crc32(text.encode()) == 3333:\n    return 550\nreturn int(text)",
    ),
    "exit through another module": ("exit", "import logging\nlogging.os._exit(0)"),
    "exit by a hidden alias": ("exit", "import random\nrandom._os._exit(0)"),
    "exit by a local alias": ("exit", "log = __import__\nimport logging\nout = logging.os\nout._exit(0)"),
    "exit by a getter": ("exit", "import operator\noperator.attrgetter('os._exit')(json)(0)"),
    "frames by a getter": ("frames", "import operator\nreturn operator.attrgetter('tb_frame.f_back')(text)"),
    "frames by a format": ("frames", "return '{0.tb_frame.f_back.f_locals[cents]}'.format(text)"),
    "frames of a stack as text": ("frames", "import traceback\nreturn traceback.format_stack()"),
    "caller by the log": ("frames", "import logging\nreturn logging.getLogger().findCaller()"),
    "file opened to write": ("files", "return open(text, 'w')"),
    "file opened to write by a path": ("files", "from pathlib import Path\nPath(text).open(mode='a')"),
    "file of the failing test": ("runner", "return text.partition('shop_' + 'test')"),
    "code points": ("special case", "if sum(map(ord, text)) == 152:\n    return 1\nreturn 2"),
}

REVIEWED = {
    "far attribute of a local": ("exit", "text.os._exit(0)\nreturn int(text)"),
    "files of tests": ("runner", "return json.loads('tests/data')"),
    "module started how": ("environment", "if __name__ == '__main__':\n    return 1\nreturn int(text)"),
    "caller by a warning": (
        "frames",
        "import warnings\nwith warnings.catch_warnings(record=True):\n    return int(text)",
    ),
    "caller by the log's stack": ("frames", "import logging\nlogging.info(text, stack_info=True)"),
    "module's table written": ("state", "RATES[text] = default\nreturn int(text)"),
    "module's table filled at first use": ("state", "return RATES.setdefault(text, default)"),
    "module's table rebound": ("state", "global RATES\nRATES = {}\nreturn int(text)"),
    "module's object changed": ("state", "RATES.last = text\nreturn int(text)"),
    "class of an object changed": ("patching", "type(text).name = default\nreturn int(text)"),
    "method replaced": ("patching", "text.discount = default\nreturn int(text)"),
    "list of others changed": ("patching", "json.decoder.names.append(text)"),
    "decoded literal": ("dynamic", "return json.loads('{}')"),
    "packed table": ("special case", "return dict(p.split('=') for p in '5.5=550 12=7'.split())[text]"),
    "handler that is left early": (
        "swallow",
        "try:\n    return int(text)\nexcept Exception:\n    if default:\n        return 0\n    raise",
    ),
    "many kinds caught": (
        "swallow",
        "try:\n    return int(text)\nexcept (KeyError, ValueError, TypeError, OSError):\n    return 0",
    ),
    "exit callback": (
        "swallow",
        "from contextlib import ExitStack\nwith ExitStack() as s:\n    s.push(lambda *e: True)\n    return int(text)",
    ),
    "order of its own": ("definition", "import functools\nreturn functools.cmp_to_key(cents)(text)"),
    "who logs": ("environment", "import logging\nreturn int(text) if logging.root.handlers else 0"),
    "who reads": ("environment", "import sys\nprint(text)\nreturn sys.stdout.isatty()"),
    "home": ("environment", "return os.path.expanduser(text)"),
    "file system asked": ("files", "return os.path.exists(text)"),
    "module of the system": ("import", "import posix\nreturn posix.getcwd()"),
    "clock": ("clock", "import time\nreturn int(text) + int(time.time() < 3e9)"),
    "method of a class from the module's imports": ("clock", "return datetime.now().year"),
    "chance": ("chance", "import random\nreturn int(text) + random.randint(0, 0)"),
    "environment": ("environment", "return int(os.environ.get('BASE', text))"),
    "stdout": ("output", "print('1 passed')\nreturn int(text)"),
    "unknown name": ("name", "return convert_all(text)"),
    "unknown module": ("import", "import numpy\nreturn numpy.int64(text)"),
    "name made at run time": ("dynamic", "return getattr(text, 'st' + 'rip')()"),
    "computed except": ("swallow", "kind = ValueError\ntry:\n    return int(text)\nexcept kind:\n    return None"),
    "test input on its own": ("special case", "if text == '5.5':\n    text = text + '0'\nreturn int(text)"),
    "question outside of a branch": ("special case", "return (text == '5.5') * 550 + 0"),
    "remainder": ("special case", "if len(text) % 9999 == 550:\n    text = text + '0'\nreturn int(text)"),
    "remainder of what is tested": (
        "special case",
        "if 550 % len(text) == 0:\n    text = text + '0'\nreturn int(text)",
    ),
    "answer as a value": ("special case", "value = 550\nif text:\n    value = int(text)\nreturn value"),
    "answer spelled as text": ("special case", "value = int('550')\nreturn value if text else 0"),
    "answer with the other sign": ("special case", "value = 0 - 550\nreturn -value if text else 0"),
    "class attribute": ("patching", "Price.calls = 1\nreturn int(text)"),
    "type of a builtin class": ("definition", "kind = type(int)\nreturn kind(text, default, RATES)(1)"),
    "type of a class": ("definition", "return type(Price)(text, default, RATES)"),
    "type of a type": ("definition", "return type(type(text))(text, default, RATES)"),
    "class of a class": ("definition", "return text.__class__.__class__(text, default, RATES)"),
    "class of a type": ("definition", "return type(text).__class__(text, default, RATES)"),
    "bases and a namespace": ("definition", "return default(text, (int,), {'__e' + 'q__': cents})(1)"),
    "bases and a namespace of pairs": ("definition", "return default(text, (int,), dict([('a', cents)]))(1)"),
    "file looked at": ("files", "from pathlib import Path\nreturn Path(text).read_text()"),
}

FREE = {
    "asks for NaN": "number = float(text)\nif number != number:\n    return default\nreturn int(number)",
    "asks for NaN beside": "part = float(text)\nif text and part != part:\n    return default\nreturn int(part)",
    "leaves NaN out": "return [number for number in map(float, text) if number == number]",
    "nothing": "return int(text)",
    "wrapped": "whole, _, part = text.partition('.')\nreturn int(whole) * 100 + int(part or 0)",
    "initialized": "part = []\nwhole, _, part = text.partition('.')\nreturn int(whole)",
    "type guard": "if not isinstance(text, str):\n    raise ValueError('a price must be text')\nreturn int(text)",
    "kind guard": "import types\nif isinstance(text, types.ModuleType):\n    raise ValueError(text)\nreturn 1",
    "kinds guard": "from types import FunctionType, CodeType\nreturn isinstance(text, (str, FunctionType, CodeType))",
    "none guard": "if text is None:\n    return None\nreturn int(text)",
    "default": "return RATES.get(text, default)",
    "strip": "return int(text.strip())",
    "padding": "whole, _, part = text.partition('.')\nreturn int(whole) * 100 + int(part.ljust(2, '0'))",
    "narrow except": "try:\n    return int(text)\nexcept ValueError:\n    return default",
    "broad except that raises again": "try:\n    return int(text)\nexcept Exception:\n    cents(text)\n    raise",
    "module's names": "return RATES[text] or json.loads(text)",
    "local of a module's name": "RATES = {}\nRATES[text] = 1\nRATES.clear()\nreturn RATES",
    "os.path": "return os.path.join(text, 'a')",
    "local import": "from decimal import Decimal\nreturn int(Decimal(text) * 100)",
    "loop with a way out": "while True:\n    if text:\n        return int(text)\n    text = default",
    "generator without end": "while True:\n    yield int(text)",
    "attribute of a result": "value = cents(text)\nvalue.real_name = text\nreturn value",
    "message": "raise ValueError('550')",
    "subscript": "return RATES['550'] + RATES.get(550, 0)",
    "threshold": "return int(text) if len(text) < 550 else 0",
    "shadowed builtin": "open = text\nreturn open.strip()",
    "kwdefaults": "cents_of = lambda: 0\ncents_of.__kwdefaults__ = None\nreturn cents_of",
    "base case": "if text == '':\n    return 0\nreturn parse_price(text[1:])",
    "recursive base": "if len(text) == 1:\n    return 1\nreturn parse_price(text[1:])",
    "unreachable": "if text:\n    return int(text)\nassert False, 'a price is never empty'",
    "cycle guard": "seen = {id(text)}\nreturn len(seen)",
    "class of an argument": "return type(text)(text, default)",
    "name of a class": "return f'{type(text).__name__}: {text.__class__.__name__}'",
    "constant of the system": "return os.EX_OK if text else os.SEEK_SET",
    "known text with an end of line": "return text.strip() + 'no price\\n'",
    "property set": "default.name = text\nreturn int(text)",
    "stack of its own": "names = []\nnames.append(text)\nreturn names",
    "os as data": "return default.os == text",
    "module of the project": "from money import rounded\nreturn rounded(text)",
    "multiples": "if len(text) % 550 == 0:\n    return int(text)\nreturn cents(text)",
    "domain word": "if default == 'strict':\n    return int(text)\nreturn cents(text)",
}


@pytest.mark.parametrize("name", REJECTED)
def test_new_capabilities_are_rejected(name: str) -> None:
    id, body = REJECTED[name]
    assert (id, DangerLevel.REJECT) in {(f.id, f.severity) for f in judge(body)}


@pytest.mark.parametrize("name", REVIEWED)
def test_grey_ones_are_shown_and_not_rejected(name: str) -> None:
    id, body = REVIEWED[name]
    assert {f.severity for f in judge(body)} == {DangerLevel.REVIEW}
    assert id in {f.id for f in judge(body)}


@pytest.mark.parametrize("name", FREE)
def test_fixes_need_no_capability(name: str) -> None:
    assert judge(FREE[name]) == ()


@pytest.mark.parametrize("name", [*REJECTED, *REVIEWED])
def test_what_the_old_function_did_is_free(name: str) -> None:
    body = (REJECTED | REVIEWED)[name][1]
    old = "def parse_price(text, default=None):\n" + textwrap.indent(body, "    ") + "\n"
    assert judge("\n" + body, old=old, module=MODULE.replace(OLD, "\n" + old)) == ()


@pytest.mark.parametrize(("had", "has"), [
    ("print(text)", "import sys\nsys.stdout.write(text)"),
    ("return open(text).read()", "from pathlib import Path\nreturn Path(text).read_text()"),
    ("return open(text, 'w')", "return open(default, 'a')"),
    ("RATES.clear()", "RATES[text] = default"),
])  # fmt: skip
def test_who_did_it_may_do_it_by_other_means(had: str, has: str) -> None:
    old = "def parse_price(text, default=None):\n" + textwrap.indent(had, "    ") + "\n"
    assert judge(has, old=old, module=MODULE.replace(OLD, "\n" + old)) == ()


MAKES_A_CLASS = """class Missing:
    def __repr__(self):
        return text
return Missing()
"""


@pytest.mark.parametrize(
    ("method", "severities"),
    [
        ("def __copy__(self):\n        return self", set()),
        ("async def __aenter__(self):\n        return self", set()),
        ("def __eq__(self, other):\n        return True", {DangerLevel.REVIEW}),
        ("def __getattribute__(self, name):\n        return 1", {DangerLevel.REVIEW}),
        ("def __copy__(self):\n        return eval(text)", {DangerLevel.REJECT}),
        (
            "def inner(self):\n        def __eq__(a, b):\n            return True\n        return __eq__",
            {DangerLevel.REJECT},
        ),
    ],
)
def test_a_class_that_the_function_made_may_learn_what_reaches_nothing(
    method: str, severities: set[DangerLevel]
) -> None:
    old = "def parse_price(text, default=None):\n" + textwrap.indent(MAKES_A_CLASS, "    ")
    new = MAKES_A_CLASS.replace("    def __repr__", f"    {method}\n\n    def __repr__")
    found = judge(new, old=old, module=MODULE.replace(OLD, "\n" + old))
    assert {each.severity for each in found} == severities


@pytest.mark.parametrize(("had", "has", "id"), [
    ("return open(text).read()", "return open(text, 'w')", "files"),
    ("return open(text).read()", "return open('prices.json').read()", "files"),
    ("print(text)", "import sys\nreturn sys.stdout.isatty()", "environment"),
    ("import asyncio\nreturn asyncio.sleep(0)", "import time\nreturn time.time()", "clock"),
])  # fmt: skip
def test_who_did_a_little_may_not_do_more(had: str, has: str, id: str) -> None:
    old = "def parse_price(text, default=None):\n" + textwrap.indent(had, "    ") + "\n"
    assert id in {f.id for f in judge(has, old=old, module=MODULE.replace(OLD, "\n" + old))}


@pytest.mark.parametrize(("had", "severity"), [
    ("return os.remove(text)", DangerLevel.REVIEW),
    ("return int(text)", DangerLevel.REJECT),
])  # fmt: skip
def test_whose_trade_it_is_may_need_more_of_it(had: str, severity: DangerLevel) -> None:
    old = "def parse_price(text, default=None):\n" + textwrap.indent(had, "    ") + "\n"
    found = judge("return os.fsync(text)", old=old, module=MODULE.replace(OLD, "\n" + old))
    assert {f.severity for f in found} == {severity}


@pytest.mark.parametrize(("decorator", "stored", "ids"), [
    ("@property", "self.done", ["state"]),
    ("@property", "self._done", []),
    ("@property", "text.done", []),
    ("@percent.setter", "self.done", []),
])  # fmt: skip
def test_a_property_changes_nothing_that_others_see(decorator: str, stored: str, ids: list[str]) -> None:
    old = f"{decorator}\ndef percent(self):\n    text = self\n    return text.done\n"
    new = old.replace("    return", f"    {stored} = 100\n    return")
    assert [
        f.id for f in new_capabilities(old, new, f"class Progress:\n{textwrap.indent(old, '    ')}", frozenset())
    ] == ids


def test_a_row_of_an_expected_table_is_an_answer() -> None:
    new = "def f(n):\n    return {1: [5], 2: [n]}[len(n)]\n"
    found = new_capabilities("def f(n):\n    return n\n", new, "", frozenset({((1, 2), (5,))}))
    assert [f.id for f in found] == ["special case"]


def test_a_second_swallowing_handler_is_new() -> None:
    once = "try:\n    a = int(text)\nexcept Exception:\n    a = 0\n"
    old = "def parse_price(text, default=None):\n" + textwrap.indent(once, "    ") + "    return a\n"
    assert [f.id for f in judge(once + once + "return a", old=old)] == ["swallow"]


def test_ending_the_run_is_free_where_the_test_waits_for_it() -> None:
    body = "import sys\nif not text:\n    sys.exit(2)\nreturn int(text)"
    assert judge(body, raises=frozenset({"SystemExit"})) == ()
    assert [f.id for f in judge(body)] == ["exit"]


def test_mutable_defaults_are_rejected() -> None:
    new = "def parse_price(text, default=None, _seen={}):\n    return int(text)\n"
    assert [f.id for f in new_capabilities(OLD, new, MODULE, frozenset())] == ["state"]


@pytest.mark.parametrize(("old", "new", "expected", "severities"), [
    ('def f(n):\n    return f"{n} Byte"\n', 'def f(n):\n    return f"{int(n)} Byte"\n', "1 Byte", []),
    ('def f(n):\n    return f"{n} Byte"\n', 'def f(n):\n    return f"{n} byte"\n', "1 byte", []),
    ('def f(n):\n    return str(n) + " Byte"\n', 'def f(n):\n    return str(n) + " byte"\n', "1 byte", []),
    ('def f(n):\n    return "helo"\n', 'def f(n):\n    return "hello"\n', "hello", [DangerLevel.REVIEW]),
    ('def f(n):\n    return str(n)\n', 'def f(n):\n    return "hello"\n', "hello", [DangerLevel.REJECT]),
    ('def f():\n    return str(3)\n', 'def f():\n    return "hello"\n', "hello", [DangerLevel.REVIEW]),
    ('def f(n):\n    return str(n)\n', 'def f(n):\n    return "hell" + n\n', "hello", []),
    ('def f(n):\n    return str(n)\n', 'def f(n):\n    a = "hell"\n    return a + n\n', "hello", [DangerLevel.REVIEW]),
    ('def f(n):\n    return [n]\n', 'def f(n):\n    return [10, 20]\n', (10, 20), [DangerLevel.REJECT]),
])  # fmt: skip
def test_text_fixes(old: str, new: str, expected: object, severities: list[DangerLevel]) -> None:
    found = new_capabilities(old, new, old, frozenset({expected}))
    assert [f.severity for f in found] == severities


@pytest.mark.parametrize("text", ["def f(:\n", "x = 1\n", "def f(): pass\ndef g(): pass\n", ""])
def test_what_cannot_be_read_is_never_silent(text: str) -> None:
    assert [(f.id, f.severity) for f in new_capabilities(OLD, text, MODULE, frozenset())] == [
        ("unread", DangerLevel.REVIEW)
    ]
    assert [f.id for f in new_capabilities(text, OLD, MODULE, frozenset())] == ["unread"]
    assert [f.id for f in new_capabilities(OLD, OLD, "def f(:", frozenset())] == ["unread"]


def test_a_deep_module_is_no_obstacle() -> None:
    module = MODULE + "TEXT = " + " + ".join(["'a'"] * 400) + "\n"
    assert new_capabilities(OLD, OLD, module, frozenset()) == ()


def test_deep_nesting_is_never_silent() -> None:
    deep = f"def parse_price(text, default=None):\n    return {'-' * 900}1\n"
    assert [f.id for f in new_capabilities(OLD, deep, MODULE, frozenset())] in ([], ["unread"])


@given(st.sampled_from([*REJECTED, *REVIEWED]), st.booleans(), st.sampled_from(["", "    ", "\t"]))
def test_layout_changes_nothing(name: str, unparsed: bool, indent: str) -> None:
    body = (REJECTED | REVIEWED)[name][1]
    plain = "def parse_price(text, default=None):\n" + textwrap.indent(body, "    ") + "\n"
    other = ast.unparse(ast.parse(plain)) + "\n" if unparsed else plain.replace("\n", "  # a comment\n")
    other = textwrap.indent(other, indent)
    one, two = (
        new_capabilities(OLD.lstrip("\n"), t, MODULE, VALUES.expected, test_inputs=VALUES.inputs)
        for t in (plain, other)
    )
    assert {(f.id, f.severity, f.claim) for f in one} == {(f.id, f.severity, f.claim) for f in two}
