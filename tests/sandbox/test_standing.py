"""What a lane does ahead for one function: only what is sound, and the right text passes in any case."""

import textwrap
from pathlib import Path

import pytest
from fakes.bare import bare_target
from fakes.usage import PoolStats, stats_of

from analysis.facts import Limits, digest
from analysis.functions import find_function, functions_of
from analysis.trials import Trial, TrialState
from sandbox.sandbox import LocalSandbox
from sandbox.warm import WarmServer

BEFORE_READY = 30
"""More trials of one function than a lane runs before it is made ready for it."""

PLAIN = """
def worth(a):
    return a - 1
"""
KEPT = """
TABLES = {}

def table():
    if "t" not in TABLES:
        TABLES["t"] = dict(zip(range(5), range(5)))
    return TABLES["t"]

def made():
    if "m" not in TABLES:
        TABLES["m"] = compile("1 + 1", "made", "eval")
        grown()
    return TABLES["m"]

def grown():
    return table()

def worth(a):
    return a - 1
"""
CAUGHT = """
KNOWN = []

def first():
    if not KNOWN:
        KNOWN.append(safely())
    return KNOWN[0]

def safely():
    try:
        return worth(1)
    except BaseException:
        return None

def worth(a):
    return a - 1
"""
PLAIN_TEST = """
from lib import worth

def test_worth():
    assert worth(1) == 2
"""
MADE_TEST = """
from lib import made, worth

def test_made():
    assert eval(made()) == 2

def test_worth():
    assert eval(made()) == 2
    assert worth(1) == 2
"""
CAUGHT_TEST = """
from lib import first

def test_first():
    assert first() == 2
"""
SHARED_TEST = """
import pytest
from lib import worth

@pytest.fixture(scope="module")
def shared(request):
    {made}
    yield [1]

def test_worth(shared):
    assert shared == [1]
    shared.append(worth(1))
    assert shared == [1, 2]

def test_again(shared):
    assert shared == [1, 2]
"""
THREAD = """import threading
    gate = threading.Event()
    thread = threading.Thread(target=gate.wait)
    thread.start()
    request.addfinalizer(thread.join)
    request.addfinalizer(gate.set)"""
FROM_IT_TEST = """
import pytest
from lib import worth

@pytest.fixture(scope="module")
def shared():
    return worth(1)

def test_worth(shared):
    assert shared == 2
"""


def run_all(root: Path, module: str, test: str) -> tuple[list[bool], PoolStats]:
    """Which of the texts that pass are the right one, and how the trials ran."""
    (root / "lib.py").write_text(textwrap.dedent(module))
    (root / "test_lib.py").write_text(textwrap.dedent(test))
    sandbox = LocalSandbox(bare_target(root))
    server = sandbox.warm((), limits=Limits(wall_seconds=5, test_seconds=5), jobs=1)
    assert isinstance(server, WarmServer), server
    span = find_function(functions_of("lib.py", textwrap.dedent(module).encode()), "worth")
    assert span is not None
    bodies = [f"a + {n}" for n in range(10, 10 + BEFORE_READY)] + ["a + 1", "a + 5", "1 // 0"]
    texts = [f"def worth(a):\n    return {body}\n".encode() for body in bodies]
    try:
        outcomes = list(server.trials(Trial(digest(text), span.function, text, "test") for text in texts))
        stats = stats_of(server)
    finally:
        server.close()
    assert len(outcomes) == len(texts)
    right = digest(texts[BEFORE_READY])
    return [o.digest == right for o in outcomes if o.state is TrialState.PASSED], stats


@pytest.mark.parametrize(
    ("module", "test", "rehearsed", "standing"),
    [
        pytest.param(PLAIN, PLAIN_TEST, 0, 0, id="there is nothing to do ahead"),
        pytest.param(KEPT, MADE_TEST, 1, 0, id="what other functions keep is made"),
        pytest.param(CAUGHT, CAUGHT_TEST, 0, 0, id="what comes of a caught exception would be kept"),
        pytest.param(PLAIN, SHARED_TEST.format(made="pass"), 0, 1, id="a fixture stands"),
        pytest.param(PLAIN, FROM_IT_TEST, 0, 0, id="a fixture that runs the function does not"),
        pytest.param(
            PLAIN, SHARED_TEST.format(made="open('/dev/null', 'w').close()"), 0, 0, id="nor one that opens files"
        ),
        pytest.param(PLAIN, SHARED_TEST.format(made=THREAD), 0, 0, id="nor one that keeps a thread"),
    ],
)
def test_only_what_is_sound_is_done_ahead(
    tmp_path: Path, module: str, test: str, rehearsed: int, standing: int
) -> None:
    passed, stats = run_all(tmp_path, module, test)
    assert passed == [True]
    assert (stats.rehearsed, stats.standing) == (rehearsed, standing)


HIDDEN = """
from collections import deque

TABLES = {}
STATE = deque([0])

def table():
    if not TABLES:
        TABLES["t"] = grown()
    return TABLES["t"]

def grown():
    return 1

class Busy:
    def __enter__(self):
        STATE[0] = 1
    def __exit__(self, kind, *_):
        if kind is None or kind is AssertionError:
            STATE[0] = 0

def worth(a):
    return a - 1
"""
HIDDEN_TEST = """
from lib import STATE, Busy, table, worth

def test_worth():
    assert table() == 1
    assert STATE[0] == 0 or worth(1) != 2
    with Busy():
        assert worth(1) == 2
"""


def test_what_a_rehearsal_leaves_unseen_does_not_cost_the_right_text(tmp_path: Path) -> None:
    passed, stats = run_all(tmp_path, HIDDEN, HIDDEN_TEST)
    assert passed == [True]
    assert stats.rehearsed == 1, "else the test shows nothing"


LOST_TEST = """
import os
import pytest
from lib import made, worth

@pytest.fixture(autouse=True)
def only_in_forks():
    if os.getsid(0) != os.getpid():
        os._exit(1)

def test_worth():
    assert eval(made()) == 2
    assert worth(1) == 2
"""


def test_a_lane_that_is_lost_on_the_way_costs_no_trial(tmp_path: Path) -> None:
    passed, stats = run_all(tmp_path, KEPT, LOST_TEST)
    assert passed == [True]
    assert (stats.rehearsed, stats.alone) == (0, BEFORE_READY + 3)
