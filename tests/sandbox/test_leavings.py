"""What a trial changes of the process is put back, or noticed: then its batch counts for nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping

import pytest

from sandbox.request import PROBE

ACTS = {
    "nothing": ("pass", "True", True),
    "a module's attribute": ("json.left = 1", "not hasattr(json, 'left')", False),
    "a module's function": ("json.dumps = len", "json.dumps is not len", False),
    "a class's attribute": ("Fraction.left = 1", "not hasattr(Fraction, 'left')", False),
    "a class's missing attribute": ("del Fraction.limit_denominator", "hasattr(Fraction, 'limit_denominator')", False),
    "a module of the project": ("own.left = 1", "True", True),
    "a module that is loaded": ("sys.modules['json'] = None", "sys.modules['json'] is json", False),
    "a module that is not": ("del sys.modules['json']", "'json' in sys.modules", False),
    "a module more": ("import colorsys", "True", True),
    "the environment": ("os.environ['LEFT'] = '1'; del os.environ['PATH']", "os.environ == BEFORE", True),
    "the folder": ("os.chdir('/')", "os.getcwd() == FOLDER", True),
    "the search path": ("sys.path.append('x')", "'x' not in sys.path", True),
    "the output": ("sys.stdout = None", "sys.stdout is not None", True),
    "the depth": ("sys.setrecursionlimit(5000)", "sys.getrecursionlimit() != 5000", True),
    "the random state": ("random.seed(1)", "random.getstate() == STATE", True),
    "the locale": ("locale.setlocale(locale.LC_ALL, 'C')", "locale.setlocale(locale.LC_ALL) != 'C'", False),
    "the decimal context": ("decimal.getcontext().prec = 3", "decimal.getcontext().prec > 3", False),
    "the decimal traps": ("decimal.getcontext().traps[decimal.Inexact] = 1", "False", False),
    "logging": ("logging.disable(50)", "logging.root.isEnabledFor(50)", False),
    "the root's level": ("logging.root.setLevel(5)", "logging.root.level != 5", False),
    "the root's handlers": ("logging.root.addHandler(logging.NullHandler())", "not logging.root.handlers", False),
    "the mask": ("os.umask(0o777)", "os.umask(0) != 0o777", False),
    "the collector": ("gc.disable()", "gc.isenabled()", False),
    "a builtin": ("builtins.max = min", "max is not min", False),
    "a trace function": ("sys.settrace(lambda *args: None)", "sys.gettrace() is None", False),
    "a hook": ("sys.excepthook = print", "sys.excepthook is not print", False),
    "an importer": ("sys.meta_path.insert(0, Finder())", "len(sys.meta_path) == FINDERS", False),
    "a signal's handler": ("signal.signal(signal.SIGUSR1, print)", "False", False),
    "an alarm": ("signal.alarm(60)", "signal.alarm(0) == 0", False),
    "a time limit": ("socket.setdefaulttimeout(1)", "socket.getdefaulttimeout() is None", False),
    "the time zone": ("os.environ['TZ'] = 'Asia/Tokyo'; time.tzset()", "time.timezone != -32400", False),
    "a thread": ("threading.Thread(target=time.sleep, args=(30,), daemon=True).start()", "False", False),
}
"""An act, what is true without it, and whether all is as it was afterwards."""

SCRIPT = """
import builtins, decimal, gc, json, locale, logging, os, random, signal, socket, sys, threading, time, types
from fractions import Fraction
sys.path.insert(0, sys.argv[1])
from _repair_probe.fork.shared_state_check import Foreign, Settings

class Finder:
    def find_spec(self, *args): return None
own = types.ModuleType("own")
own.__file__ = "/project/own.py"
NAMES = {"json": json, "Fraction": Fraction, "own": own, "changing": 0}
locale.setlocale(locale.LC_ALL, "C.UTF-8")
decimal.getcontext()
FINDERS = len(sys.meta_path)

def run():
    "What the unpatched program changes each time, and what it always leaves."
    json.counted = getattr(json, "counted", 0) + 1
    json.always = "so"
    json.filters = [1]

def tried(act, holds):
    settings, foreign = Settings(True, []), Foreign([NAMES], "/project")
    globals().update(BEFORE=dict(os.environ), FOLDER=os.getcwd(), STATE=random.getstate())
    run()
    settings.note()
    looks = [foreign.look()]
    exec(act, globals())
    restored = settings.restore() and settings.are_kept()
    looks.append(foreign.look())
    run()
    looks.append(foreign.look())
    return restored and not foreign.is_touched(*looks), bool(eval(holds))

for name, (act, holds, _) in json.loads(sys.argv[2]).items():
    read, write = os.pipe()
    if os.fork() == 0:
        os.write(write, json.JSONEncoder().encode([name, *tried(act, holds)]).encode() + b"\\n")
        os._exit(0)
    os.wait()
    os.write(1, os.read(read, 1000) or name.encode())
"""


@pytest.fixture(scope="module")
def found() -> Mapping[str, tuple[bool, bool]]:
    """For each act whether all seems as before, and whether it is."""
    command = [sys.executable, "-c", SCRIPT, str(PROBE), json.dumps(ACTS)]
    said = subprocess.run(command, stdout=subprocess.PIPE, check=True, env={"PATH": os.defpath}).stdout
    return {name: (kept, holds) for name, kept, holds in map(json.loads, said.splitlines())}


@pytest.mark.parametrize("name", ACTS)
def test_an_act_is_undone_or_noticed(found: Mapping[str, tuple[bool, bool]], name: str) -> None:
    _, _, kept = ACTS[name]
    assert found[name][0] == kept
    if kept:
        assert found[name][1]
