"""Several trials in one fork: each outcome is that of a fork of its own, whatever the trials before it did."""

import json
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from fakes.bare import bare_target
from fakes.usage import stats_of

from analysis.facts import Limits, digest
from analysis.functions import find_function, functions_of
from analysis.trials import Trial, TrialState
from sandbox.sandbox import LocalSandbox
from sandbox.warm import WarmServer

FIRST = 60
"""More trials than run alone before the first batch."""

PLAIN = """
LOG = []

def worth(a):
    return a - 1
"""
PLAIN_TEST = """
from lib import LOG, worth

def test_worth():
    assert LOG == []
    assert worth(1) == 2
"""
KEPT = """
KNOWN = {}

def price(a):
    return a - 1

def worth(a):
    if a not in KNOWN:
        KNOWN[a] = price(a)
    return KNOWN[a]
"""
KEPT_TEST = """
from lib import worth

def test_worth():
    assert worth(1) == 2
"""
SPENT_TEST = """
import pytest
from lib import worth

@pytest.mark.parametrize("given", [[1]])
def test_worth(given):
    a = given.pop() if given else 7
    assert worth(a) == 2
"""


def opened(root: Path, module: str, test: str, seconds: float = 5) -> WarmServer:
    (root / "lib.py").write_text(textwrap.dedent(module))
    (root / "test_lib.py").write_text(textwrap.dedent(test))
    sandbox = LocalSandbox(bare_target(root))
    server = sandbox.warm((), limits=Limits(wall_seconds=seconds, test_seconds=seconds), jobs=2)
    assert isinstance(server, WarmServer), server
    return server


def trials(module: str, name: str, bodies: list[str]) -> list[Trial]:
    source = textwrap.dedent(module).encode()
    span = find_function(functions_of("lib.py", source), name)
    assert span is not None
    texts = [f"def {name}(a):\n    {body}\n".encode() for body in bodies]
    return [Trial(digest(text), span.function, text, "test") for text in texts]


def wrong(count: int, start: int = 10) -> list[str]:
    return [f"return a + {number}" for number in range(start, start + count)]


@pytest.mark.parametrize(
    ("module", "test", "name", "batched"),
    [
        pytest.param(PLAIN, PLAIN_TEST, "worth", True, id="plain"),
        pytest.param(KEPT, KEPT_TEST, "price", False, id="its results are kept"),
        pytest.param(PLAIN, SPENT_TEST, "worth", True, id="the test uses its parameters up"),
    ],
)
def test_the_right_text_passes_among_wrong_ones(
    tmp_path: Path, module: str, test: str, name: str, batched: bool
) -> None:
    server = opened(tmp_path, module, test)
    given = trials(module, name, [*wrong(FIRST), *wrong(20, 500), "return a + 1", *wrong(20, 900)])
    found = {outcome.digest: outcome.state for outcome in server.trials(given)}
    server.close()
    passed = [trial.text for trial in given if found[trial.digest] is TrialState.PASSED]
    assert [b"a + 1\n" in text for text in passed] == [True]
    assert len(found) == len(given)
    if name == "worth":
        assert (server.ahead > 2) == batched


@pytest.mark.parametrize(
    "bad",
    [
        "import lib; lib.LOG.append(a)",
        "import os; os._exit(1)",
        "raise SystemExit",
        "import os; os.chdir('/')",
        "retur",
    ],
)
def test_a_trial_that_spoils_its_batch_spoils_no_other(tmp_path: Path, bad: str) -> None:
    server = opened(tmp_path, PLAIN, PLAIN_TEST)
    given = trials(PLAIN, "worth", [*wrong(FIRST), *wrong(8, 500), bad, "return a + 1", *wrong(8, 900)])
    found = {outcome.digest: outcome.state for outcome in server.trials(given)}
    server.close()
    assert [t.text for t in given if found[t.digest] is TrialState.PASSED] == [b"def worth(a):\n    return a + 1\n"]


def test_a_trial_that_hangs_is_the_only_one_whose_time_is_up(tmp_path: Path) -> None:
    server = opened(tmp_path, PLAIN, PLAIN_TEST, seconds=1)
    given = trials(PLAIN, "worth", [*wrong(FIRST), *wrong(8, 500), "while a: pass", "return a + 1", *wrong(8, 900)])
    found = {outcome.digest: outcome.state for outcome in server.trials(given)}
    server.close()
    assert [b"while" in t.text for t in given if found[t.digest] is TrialState.TIMEOUT] == [True]
    assert [b"a + 1\n" in t.text for t in given if found[t.digest] is TrialState.PASSED] == [True]


HIDDEN = """
from collections import deque

STATE = deque([0])

def put(value):
    STATE[0] = value

def worth(a):
    put(0)
    return a - 1
"""
HIDDEN_TEST = """
from lib import STATE, worth

def test_worth():
    assert worth(1) == 2
    assert STATE[0] == 0
"""


def test_what_no_control_sees_does_not_cost_the_right_text(tmp_path: Path) -> None:
    server = opened(tmp_path, HIDDEN, HIDDEN_TEST)
    bad = "put(1); return a + 7"
    given = trials(HIDDEN, "worth", [*wrong(FIRST + 20), bad, "return a + 1", *wrong(20, 900)])
    found = {outcome.digest: outcome.state for outcome in server.trials(given)}
    stats = stats_of(server)
    server.close()
    assert [b"a + 1\n" in t.text for t in given if found[t.digest] is TrialState.PASSED] == [True]
    assert (stats.batches > 0, stats.spoilt, stats.batching_ended) == (
        True,
        0,
        "a trial ended differently in a batch",
    )


def test_tests_that_depend_on_their_order_are_not_batched(tmp_path: Path) -> None:
    ordered = PLAIN_TEST + "\nSEEN = iter([1])\ndef test_before(): assert worth(1) == 0 and next(SEEN)\n"
    ordered += "def test_after():\n    assert next(SEEN, None) is None\n"
    server = opened(tmp_path, PLAIN, ordered)
    list(server.trials(trials(PLAIN, "worth", wrong(FIRST + 20))))
    stats = stats_of(server)
    server.close()
    assert (stats.batches, stats.batched, stats.alone) == (0, 0, FIRST + 20)
    assert stats.batching_ended != ""


LOCKED = """
import threading

GATE = threading.Lock()

def worth(a):
    return a - 1
"""
LOCKED_TEST = """
from lib import GATE, worth

def test_worth():
    with GATE:
        pass
    assert worth(1) == 2
"""


def test_a_lock_that_another_trial_has_kept_does_not_cost_the_right_text(tmp_path: Path) -> None:
    server = opened(tmp_path, LOCKED, LOCKED_TEST, seconds=1)
    keeping = "import lib; lib.GATE.acquire(); return a + 7"
    given = trials(LOCKED, "worth", [*wrong(FIRST + 8), keeping, "return a + 1", *wrong(8, 900)])
    found = {outcome.digest: outcome.state for outcome in server.trials(given)}
    server.close()
    assert [b"a + 1\n" in t.text for t in given if found[t.digest] is TrialState.PASSED] == [True]


WIDE_TEST = """
from lib import worth

def test_worth():
    assert worth(1) == 2, "\U0001f600" * 300
"""


def test_long_messages_of_wide_letters_do_not_spoil_a_batch(tmp_path: Path) -> None:
    server = opened(tmp_path, PLAIN, WIDE_TEST)
    found = list(server.trials(trials(PLAIN, "worth", wrong(120))))
    stats = stats_of(server)
    server.close()
    assert {outcome.state for outcome in found} == {TrialState.FAILED}
    assert (stats.batches > 0, stats.spoilt) == (True, 0)


LEFT = {
    "an attribute of a module": ("json.left = 1", "not hasattr(json, 'left')"),
    "a function of a module": ("json.dumps = len", "json.dumps is not len"),
    "an attribute that is gone": ("del json.loads", "hasattr(json, 'loads')"),
    "an attribute of a class": ("Fraction.left = 1", "not hasattr(Fraction, 'left')"),
    "an attribute of a class, by name": ("setattr(Fraction, 'told', 1)", "not hasattr(Fraction, 'told')"),
    "a global variable": ("global LIMIT; LIMIT = 5", "LIMIT == 1"),
    "an item": ("TABLE['left'] = 1", "'left' not in TABLE"),
    "a removed item": ("del TABLE['first']", "'first' in TABLE"),
    "an appended item": ("SEEN.append(1)", "not SEEN"),
    "the environment": ("os.environ['LEFT'] = '1'", "'LEFT' not in os.environ"),
    "the folder": ("os.chdir('/')", "os.getcwd() != '/'"),
    "the locale": ("locale.setlocale(locale.LC_ALL, 'C')", "locale.setlocale(locale.LC_ALL) != 'C'"),
    "the random state": ("random.seed(1)", "random.getstate() != STATE"),
    "filters of warnings": ("warnings.simplefilter('error')", "not quiet()"),
    "loaded modules": ("sys.modules['json'] = None", "sys.modules['json'] is not None"),
    "the decimal context": ("decimal.getcontext().prec = 3", "decimal.getcontext().prec > 3"),
    "logging": ("logging.disable(50)", "logging.getLogger().isEnabledFor(50)"),
    "a context variable": ("CURRENT.set(1)", "CURRENT.get() == 0"),
}
"""What a wrong text leaves behind, and what is true without it."""

LEFT_MODULE = """
import contextvars, decimal, json, locale, logging, os, random, sys, warnings
from fractions import Fraction

LIMIT, TABLE, SEEN, CURRENT = 1, {"first": 1}, [], contextvars.ContextVar("current", default=0)
STATE = random.Random(1).getstate()
locale.setlocale(locale.LC_ALL, "C.UTF-8")

def quiet():
    try:
        warnings.warn("loud", ImportWarning)
    except ImportWarning:
        return True

def worth(a):
    return a - 1
"""


def test_what_a_text_leaves_behind_does_not_cost_the_right_ones_behind_it(tmp_path: Path) -> None:
    server = opened(tmp_path, LEFT_MODULE, PLAIN_TEST.replace("LOG, ", "").replace("assert LOG == []", ""))
    pairs = [(f"{act}; return a + 7", f"return a + 1 if {holds} else 7") for act, holds in LEFT.values()]
    given = trials(
        LEFT_MODULE, "worth", [*wrong(FIRST + 20), *(body for pair in pairs for body in pair), *wrong(20, 900)]
    )
    found = {outcome.digest: outcome.state for outcome in server.trials(given)}
    stats = stats_of(server)
    server.close()
    passed = [trial.text for trial in given if found[trial.digest] is TrialState.PASSED]
    right = [right for _, right in pairs if not any(right.encode() in text for text in passed)]
    assert right == []
    assert len(passed) == len(pairs)
    assert (stats.batches > 0, stats.spoilt, stats.batching_ended) == (True, 0, "")


CONTROL = """
import json, subprocess, sys
for module, act, holds in json.load(sys.stdin):
    program = f"{module}\\nassert {holds}\\ndef wrong():\\n    {act}\\nwrong()\\nassert not ({holds})"
    if os.fork() == 0:
        exec(program, {})
        os._exit(0)
    print(os.wait()[1])
"""


def test_it_would_cost_them() -> None:
    """The control: in one process, each wrong text makes the right one behind it give something else."""
    given = json.dumps([(LEFT_MODULE, act, holds) for act, holds in LEFT.values()])
    command = [sys.executable, "-c", "import os" + CONTROL]
    said = subprocess.run(command, input=given, stdout=subprocess.PIPE, text=True, check=True)
    assert said.stdout.split() == ["0"] * len(LEFT)


SHARED = """
import decimal
import locale

def worth(a):
    return a - 1
"""
SHARED_TEST = """
from lib import worth

def test_worth():
    assert worth(1) == 2
"""


@pytest.mark.parametrize(
    ("bad", "right"),
    [
        ("decimal.getcontext().prec = 3; return 7", "return 2 if decimal.getcontext().prec > 3 else 7"),
        ("import builtins; builtins.max = min; return 7", "return max(a, 2)"),
        ("locale.setlocale(locale.LC_ALL, 'C'); return 7", "return 1 + (locale.setlocale(locale.LC_ALL) != 'C')"),
    ],
)
def test_a_setting_that_another_trial_has_changed_does_not_cost_the_right_text(
    tmp_path: Path, bad: str, right: str
) -> None:
    server = opened(tmp_path, SHARED + "\nlocale.setlocale(locale.LC_ALL, 'C.UTF-8')\n", SHARED_TEST)
    given = trials(SHARED, "worth", [*wrong(FIRST + 20), bad, right, *wrong(20, 900)])
    found = {outcome.digest: outcome.state for outcome in server.trials(given)}
    server.close()
    assert [right.encode() in t.text for t in given if found[t.digest] is TrialState.PASSED] == [True]
