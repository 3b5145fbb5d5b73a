"""Calls whose arguments cannot be copied: programs are compared in forks at their entry, and the tests go on."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from fakes.bare import bare_target

from analysis.behaviour import Difference, Ended, Hung, Returned
from analysis.calls import CallInput, Comparison
from analysis.facts import Limits, digest
from analysis.functions import find_function, functions_of
from analysis.trials import Trial
from repair.records.witness_text import describe_both
from sandbox.sandbox import LocalSandbox
from sandbox.warm import WarmServer

LIVE = '''\
import json, os, socket, sqlite3, threading

COUNT = 0
SEEN = []

class Store:
    """A lock makes it one that cannot be copied."""
    def __init__(self, limit=10):
        self.lock, self.limit, self.rows = threading.Lock(), limit, []

    def put(self, row, times=1):
        with self.lock:
            if len(self.rows) + times > self.limit:
                raise OverflowError("full")
            self.rows.extend([row] * times)
        return len(self.rows)

    def size(self):
        return len(self.rows)

    def tally(self, row):
        global COUNT
        COUNT += 1
        return row

class Log:
    def __init__(self, stream):
        self.stream = stream

    def note(self, text):
        self.stream.write(text + ";")

class Lines:
    def __init__(self, path):
        self.stream = open(path)

    def next(self, skip=0):
        for _ in range(skip):
            self.stream.readline()
        return self.stream.readline().strip()

def first(rows, most=3):
    return [row for row, _ in zip(rows, range(most))]

def talk(talker):
    next(talker)
    return talker.send(3)

def count(connection, least):
    return connection.execute("select ? + 1", (least,)).fetchone()[0]

def told(sock, text):
    return len(text)

def guarded(lock, text):
    return text.upper()

def held(lock):
    return "ABC"

def written(lock, path):
    return len(path)
'''

LIVE_TESTS = r"""
import os, resource, signal, socket, sqlite3, threading
from live import *

def test_put():
    store = Store(4)
    assert store.put("a") == 1
    assert store.put("b", 2) == 3
    assert store.rows == ["a", "b", "b"]
def test_size(): assert Store().size() == 0
def test_tally():
    import live
    before = live.COUNT
    Store().tally("x")
    assert live.COUNT == before + 1
def test_note(tmp_path):
    with open(tmp_path / "log", "w") as stream:
        log = Log(stream)
        log.note("one")
        log.note("two")
    assert (tmp_path / "log").read_text() == "one;two;"
def test_next(tmp_path):
    (tmp_path / "a").write_text("".join("line %d\n" % n for n in range(9)))
    lines = Lines(tmp_path / "a")
    assert [lines.next(), lines.next(1), lines.next()] == ["line 0", "line 2", "line 3"]
    lines.stream.close()
def test_first(tmp_path):
    (tmp_path / "a").write_text("5\n6\n7\n8\n9\n")
    with open(tmp_path / "a") as rows:
        assert first(rows) == ["5\n", "6\n", "7\n"]
        assert next(rows) == "9\n", "zip asked for one more"
def test_talk():
    def talker():
        got = yield
        yield got
    assert talk(talker()) == 3
def test_count():
    with sqlite3.connect(":memory:") as connection:
        assert count(connection, 3) == 4
    connection.close()
def test_told():
    one, other = socket.socketpair()
    assert told(one, "abc") == 3
    one.close(), other.close()
def test_guarded():
    ended = []
    kept = signal.signal(signal.SIGCHLD, lambda *_: ended.append(1))
    assert guarded(threading.Lock(), "abc") == "ABC"
    assert guarded(threading.Lock(), "def") == "DEF"
    assert signal.signal(signal.SIGCHLD, kept) and not ended
    try:
        os.waitpid(-1, os.WNOHANG)
    except ChildProcessError:
        pass
    else:
        raise AssertionError("a child is left")
def test_held(): assert held(threading.Lock()) == "ABC"
def test_children_are_counted():
    assert guarded(threading.Lock(), "counted") == "COUNTED"
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss == 0
def test_fails():
    assert guarded(threading.Lock(), "fails") == "fails"
def test_written(tmp_path): assert written(threading.Lock(), str(tmp_path / "new"))
def test_beside_a_thread():
    stop = threading.Event()
    thread = threading.Thread(target=stop.wait)
    thread.start()
    assert guarded(threading.Lock(), "thread") == "THREAD"
    stop.set()
    thread.join()
"""


FLOOD = """\
for n in map(int, os.listdir('/proc/self/fd')):
        while os.path.exists('/proc/self/fd/%d' % n) and 'pipe' in os.readlink('/proc/self/fd/%d' % n):
            os.write(n, b'x' * 9999)"""


@contextmanager
def opened(root: Path, python: str = "") -> Iterator[WarmServer]:
    (root / "live.py").write_text(LIVE)
    (root / "test_live.py").write_text(LIVE_TESTS)
    sandbox = LocalSandbox(bare_target(root, python=python))
    server = sandbox.warm((), limits=Limits(wall_seconds=60.0, test_seconds=20.0), jobs=1)
    assert isinstance(server, WarmServer), server
    yield server
    server.close()
    sandbox.close()


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WarmServer]:
    with opened(tmp_path_factory.mktemp("live")) as server:
        yield server


def trial(name: str, old: str = "", new: str = "") -> Trial:
    source = LIVE.encode()
    span = find_function(functions_of("live.py", source), name)
    assert span is not None
    text = source[span.start : span.end].decode()
    assert old in text
    changed = text.replace(old, new) if old else text
    return Trial(digest(name, changed), span.function, changed.encode(), "test")


def compared(
    server: WarmServer, name: str, *changes: tuple[str, str], inputs: Sequence[str] = (), line: int = 0
) -> Comparison:
    """The function as the candidate, against a program for each change; the first is the old function."""
    mine, rivals = trial(name), [trial(name, *change) for change in changes]
    lines = (mine.function.first_line + line,) if line else ()
    given = [CallInput(each, "{}") for each in inputs]
    return server.questions.compare(mine, rivals[1:], given, rivals[0], lines)


def differences(found: Comparison) -> dict[str, tuple[str, str]]:
    return {each.call.source: describe_both(each) for each in found.old.departures}


def only(found: Comparison) -> Difference:
    assert found.old.first is not None, found.tried
    return found.old.first


@pytest.mark.parametrize(
    ("name", "change", "mine", "other"),
    [
        ("Store.put", ("> self.limit", ">= self.limit"), "returns", "raises OverflowError"),
        ("Store.put", ("len(self.rows)\n", "len(self.rows) - 1\n"), "returns", "returns"),
        ("Store.put", ("[row] * times", "[row]"), "returns 3", "returns 2"),
        ("Store.size", ("len(self.rows)", "len(self.rows) + 1"), "returns 0", "returns 1"),
        ("Lines.next", ("range(skip)", "range(skip + 1)"), "returns 'line 0'", "returns 'line 1'"),
        ("first", ("most=3", "most=2"), r"returns ['5\n', '6\n', '7\n']", r"returns ['5\n', '6\n']"),
        ("talk", ("send(3)", "send(4)"), "returns 3", "returns 4"),
        ("guarded", ("upper", "lower"), "returns 'ABC'", "returns 'abc'"),
    ],
)
def test_a_difference_is_seen(live: WarmServer, name: str, change: tuple[str, str], mine: str, other: str) -> None:
    found = compared(live, name, change)
    told = [describe_both(only(found)), *differences(found).values()]
    assert any(one.startswith(mine) and two.startswith(other) for one, two in told), told
    assert found.tried.inputs > 0
    same = compared(live, name, ("return", "return "))
    assert (same.old.first, same.tried.inputs > 0) == (None, True), same


@pytest.mark.parametrize(
    ("name", "change", "left"),
    [
        ("Store.put", ("self.rows.extend([row] * times)", "self.rows += [0] * times"), "rows=[0]"),
        ("Store.tally", ("COUNT += 1", "COUNT += 2"), "globals COUNT=2"),
        ("Store.tally", ("COUNT += 1", "COUNT += 1; SEEN.append(row)"), "SEEN=['x']"),
        ("Log.note", ('";"', '","'), "files [b'one,']"),
        ("Lines.next", ("return self.stream.readline().strip()", "return self.stream.readline().strip() and "
         "(self.stream.readline() or 1) and 'line 0'"), "at 14"),
        ("guarded", ("return", "lock.acquire()\n    return"), "<locked _thread.lock"),
    ],
)  # fmt: skip
def test_what_a_program_leaves_in_objects_globals_and_open_files_counts(
    live: WarmServer, name: str, change: tuple[str, str], left: str
) -> None:
    witness = only(compared(live, name, change))
    assert isinstance(witness.other, Returned)
    assert isinstance(witness.mine, Returned)
    assert left in witness.other.left
    assert left not in witness.mine.left


def test_the_tests_go_on_as_they_would_have(live: WarmServer) -> None:
    """Each test but one asks for positions, contents, counts or children behind the calls that were forked."""
    for name in ("Store.put", "Store.tally", "Log.note", "Lines.next", "first", "talk", "guarded"):
        found = compared(live, name, ("return", "return ") if name != "Log.note" else ("write(", "write( "))
        assert found.tried.inputs > 0
        noticed = [said for said in found.tried.failures if "ends otherwise" in said]
        assert all("test_children_are_counted" in said for said in noticed), noticed


def test_calls_of_a_test_that_notices_the_forks_do_not_count(live: WarmServer) -> None:
    found = compared(live, "guarded", ("upper()", "upper() + 'x' * (text == 'counted')"), ("upper", "lower"))
    assert found.old.first is None
    (said,) = [said for said in found.tried.failures if "ends otherwise" in said]
    assert "test_children_are_counted" in said
    assert found.rivals.differences, "other tests count"


def test_calls_of_a_test_that_fails_in_any_case_count(live: WarmServer) -> None:
    witness = only(compared(live, "guarded", ("upper()", "upper() + 'x' * (text == 'fails')")))
    assert witness.call.arguments.endswith("'fails')")


def test_neighbours_of_the_call_are_tried_on_the_same_object(live: WarmServer) -> None:
    found = compared(live, "Store.put", ("> self.limit", "> self.limit + (times == 5)"), line=2)
    assert found.tried.is_exercised
    assert found.tried.is_searched
    told = differences(compared(live, "Store.put", ("> self.limit", "> self.limit or self.limit == 5"), line=2))
    assert any("limit=5" in call for call in told), "an attribute is set in the child alone"


def test_given_inputs_are_tried_on_an_instance_that_cannot_be_copied(live: WarmServer) -> None:
    found = compared(live, "Store.put", ("> self.limit", "> self.limit + (row == 77)"), inputs=("('z', 9)", "(77, 5)"))
    assert [call for call in differences(found) if "77" in call]
    assert not [said for said in found.tried.failures if "inputs were left out" in said]


@pytest.mark.parametrize(
    ("name", "change", "why"),
    [
        ("count", ("+ 1", "+ 2"), "an SQLite connection is open"),
        ("told", ("len(text)", "0"), "a socket is open"),
    ],
)
def test_what_reaches_out_of_the_process_is_not_forked_and_that_is_said(
    live: WarmServer, name: str, change: tuple[str, str], why: str
) -> None:
    found = compared(live, name, change)
    assert (found.tried.inputs, found.old.first, found.old.is_known) == (0, None, False)
    assert any("cannot be copied" in said and why in said for said in found.tried.failures), found.tried


def test_beside_another_thread_nothing_is_forked(live: WarmServer) -> None:
    found = compared(live, "guarded", ("upper()", "upper() + 'x' * (text == 'thread')"))
    assert any("another thread is alive" in said for said in found.tried.failures)
    assert not [call for call in differences(found) if "'thread'" in call and "test" in call]


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("open('left.txt', 'w').close()", "it writes a file"),
        ("os.remove(__file__)", "it changes files"),
        ("os.system('true')", "it starts a process"),
        ("os.kill(os.getppid(), 9)", "it signals to another process"),
        ("socket.socket().connect(('127.0.0.1', 9))", "it talks to a socket"),
        ("sqlite3.connect('left.db')", "it changes files"),
    ],
)
def test_what_would_last_is_kept_from_happening_and_does_not_count(live: WarmServer, body: str, why: str) -> None:
    clean = live.digest_leftovers()
    found = compared(live, "held", ("return", f"{body}\n    return"), ("ABC", "abc"))
    assert (found.old.first, found.old.is_known) == (None, False)
    assert any(why in said for said in found.tried.failures), found.tried
    assert [describe_both(each)[1] for _, each in found.rivals.differences] == ["returns 'abc'"], "others count"
    assert live.digest_leftovers() == clean


def test_a_file_that_the_arguments_name_is_written_and_put_back(live: WarmServer) -> None:
    witness = only(compared(live, "written", ("return", "open(path, 'w').write('x')\n    return")))
    assert isinstance(witness.other, Returned)
    assert "files ['x']" in witness.other.left


@pytest.mark.parametrize(
    ("body", "how"),
    [
        ("os.kill(os.getpid(), 9)", "the process ended early"),
        ("os.kill(os.getpid(), 11)", "signal 11"),
        ("os._exit(3)", "the process ended early with status 3"),
        ("os.closerange(3, 900)", "the process ended early"),
        (FLOOD, "too much output"),
    ],
)
def test_a_child_that_ends_its_process_is_told_apart_and_the_others_count(
    live: WarmServer, body: str, how: str
) -> None:
    found = compared(live, "held", ("return", f"{body}\n    return"), ("ABC", "abc"))
    witness = only(found)
    assert isinstance(witness.other, Ended), witness
    assert how in witness.other.how
    assert [describe_both(each)[1] for _, each in found.rivals.differences] == ["returns 'abc'"]
    assert not [said for said in found.tried.failures if "ended early" in said]


@pytest.mark.parametrize("body", ["while True: pass", "lock.acquire() and lock.acquire()"])
def test_a_child_that_does_not_end_is_a_hang(live: WarmServer, body: str) -> None:
    found = compared(live, "held", ("return", f"{body}\n    return"))
    assert isinstance(only(found).other, Hung)


def test_threads_of_a_child_end_with_it(live: WarmServer) -> None:
    body = "[threading.Thread(target=lambda: [None for _ in iter(int, 1)]).start() for _ in range(3)]"
    found = compared(live, "held", ("return", f"{body}\n    return"))
    assert (found.old.first, found.old.is_known) == (None, True)


def test_a_program_that_draws_by_chance_does_not_count(live: WarmServer) -> None:
    found = compared(live, "held", ('"ABC"', "str(os.getpid())"), ("ABC", "abc"))
    assert found.old.first is None
    assert any("different results for the same call" in said for said in found.tried.failures)


def test_many_rivals_are_held_against_the_same_calls(live: WarmServer) -> None:
    rivals = [("text.upper()", f"text.upper() + 'x' * (text == 'q{n}')") for n in range(20)]
    found = compared(live, "guarded", *rivals)
    assert (found.rivals.differences, found.rivals.unknown) == ((), frozenset())
    assert found.tried.inputs > 10


def test_other_interpreters_fork_too(other_python: str, tmp_path: Path) -> None:
    with opened(tmp_path, other_python) as server:
        for name, change in (("Store.put", ("[row] * times", "[row]")), ("Log.note", ('";"', '","'))):
            found = compared(server, name, change)
            assert found.old.departures, found.tried
            assert not [said for said in found.tried.failures if "ends otherwise" in said]
        found = compared(server, "count", ("+ 1", "+ 2"))
        assert any("an SQLite connection is open" in said for said in found.tried.failures), found.tried
