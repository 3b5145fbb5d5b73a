"""A test goes on in a child with another program from the call on that tells it apart, and its end is told."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from fakes.bare import bare_target

from analysis.behaviour import EndingKind, EndOfTest, EndsOfTest
from analysis.calls import Comparison
from analysis.facts import Limits, digest
from analysis.functions import find_function, functions_of
from analysis.trials import Trial
from sandbox.sandbox import LocalSandbox
from sandbox.warm import WarmServer

MODULE = '''\
import os, threading

class Cart:
    def __init__(self):
        self.items = {}

    def add(self, name, count=1):
        self.items[name] = self.items.get(name, 0) + count
        return self.items[name]

class Locked(Cart):
    """A lock makes it one that cannot be copied."""
    def __init__(self):
        super().__init__()
        self.lock = threading.Lock()

    def put(self, name, count=1):
        with self.lock:
            return super().add(name, count)

def line_of(text):
    return text + "\\n"

def until(limit):
    """The numbers below the limit."""
    for number in range(limit):
        got = yield number
        if got:
            yield got

def keys(cart):
    return list(cart)

def left(number):
    return number - 1

def made_counter(step):
    total = 0
    def count(number):
        nonlocal total
        total += number
        return total
    def times(number):
        return number * step
    return count, times

count, times = made_counter(2)

def depth(number):
    return 0 if number == 0 else 1 + depth(number - 1)
'''

TESTS = r"""
import os, signal, sqlite3, subprocess, sys, tempfile, threading, time
import pytest
from shop import *

def test_state():
    cart = Cart()
    cart.add("tea")
    cart.add("tea", 2)
    assert cart.items["tea"] == 3
def test_loose():
    assert Cart().add("milk", 5) > 1
def test_locked():
    cart = Locked()
    cart.put("tea")
    cart.put("tea", 2)
    assert cart.items == {"tea": 3}, "three"
@pytest.fixture
def place(tmp_path):
    (tmp_path / "before").write_text("kept")
    yield tmp_path
    assert sorted(os.listdir(tmp_path)) == ["before", "out"]
def test_file(place):
    os.chdir(place)
    with open(place / "out", "w") as out, open("before") as before:
        out.write("first\n")
        assert before.read(2) == "ke"
        line = line_of("one")
        out.write(line)
        assert before.read() == "pt"
    (place / "before").write_text("again")
    os.remove(place / "before")
    (place / "before").write_text(open("out").read())
    assert (place / "before").read_text() == "first\none\n"
def test_folder_goes():
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "a"), "a+") as out:
            out.write("a")
            out.write(line_of("gone"))
            out.seek(0)
            assert out.read().startswith("agone")
    assert not os.path.exists(folder)
def test_generator():
    numbers = until(3)
    assert next(numbers) == 0
    assert numbers.send(7) == 7
    assert list(numbers) == [1, 2]
def test_generator_given():
    assert keys(each for each in "ab") == ["a", "b"]
def test_exits():
    if left(5) != 4:
        os._exit(3)
def test_hangs():
    while left(15) != 14:
        pass
def test_sleeps():
    if left(25) != 24:
        time.sleep(1000)
def test_process():
    if left(35) != 34:
        subprocess.run(["true"])
def test_killed():
    if left(45) != 44:
        os.kill(os.getpid(), signal.SIGKILL)
def test_any_process():
    assert left(55)
    subprocess.run(["true"])
def test_thread():
    stop = threading.Event()
    thread = threading.Thread(target=stop.wait)
    thread.start()
    assert left(65) == 64
    stop.set()
    thread.join()
def test_database(tmp_path):
    with sqlite3.connect(":memory:") as connection:
        assert left(75) == 74
    connection.close()
def test_database_file(tmp_path):
    connection = sqlite3.connect(str(tmp_path / "a.db"))
    connection.execute("create table t (a)")
    connection.commit()
    connection.close()
    connection = None
    assert left(85) == 84
    connection = sqlite3.connect(str(tmp_path / "a.db"))
    connection.execute("insert into t values (1)")
    connection.commit()
    assert connection.execute("select count(*) from t").fetchone() == (1,)
    connection.close()
def test_skips():
    if left(105) != 104:
        pytest.skip("not now")
def test_shown(capsys):
    print(left(115))
    assert capsys.readouterr().out == "114\n"
def test_many(tmp_path):
    for number in range(600):
        (tmp_path / str(number)).write_text("")
    assert left(125)
def test_leaves():
    assert left(135)
    sys.exit("early")
def test_fails():
    assert left(145) == 0
def test_writes_elsewhere():
    if left(155) != 154:
        open("left.txt", "w").close()
def test_count(): assert count(3)
def test_times(): assert times(4) == 8
def test_depth():
    assert depth(2) > 0
"""


@contextmanager
def opened(root: Path, python: str = "") -> Iterator[WarmServer]:
    (root / "shop.py").write_text(MODULE)
    (root / "test_shop.py").write_text(TESTS)
    sandbox = LocalSandbox(bare_target(root, python=python))
    server = sandbox.warm((), limits=Limits(wall_seconds=60.0, test_seconds=20.0), jobs=1)
    assert isinstance(server, WarmServer), server
    yield server
    server.close()
    sandbox.close()


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WarmServer]:
    with opened(tmp_path_factory.mktemp("shop")) as server:
        yield server


def trial(name: str, old: str = "", new: str = "") -> Trial:
    source = MODULE.encode()
    span = find_function(functions_of("shop.py", source), name)
    assert span is not None
    text = source[span.start : span.end].decode()
    assert old in text
    changed = text.replace(old, new) if old else text
    return Trial(digest(name, changed), span.function, changed.encode(), "test")


def compared(server: WarmServer, name: str, *changes: tuple[str, str], ends: bool = True) -> Comparison:
    """The function as the candidate beside a rival for each change."""
    mine, rivals = trial(name), [trial(name, *change) for change in changes]
    return server.questions.compare(mine, rivals, [], mine, (), ends=ends)


def ends_of(found: Comparison) -> dict[str, EndsOfTest]:
    """By the name of the test that makes the call."""
    every = [each for _, each in (*found.rivals.differences, *found.rivals.further)]
    return {(each.call.test or "").partition("::")[2]: each.ends for each in every if each.ends is not None}


PASSED = EndOfTest(EndingKind.PASSED)


@pytest.mark.parametrize(
    ("name", "change", "test", "other"),
    [
        ("Cart.add", ("+ count", "+ 1"), "test_state", 'assert cart.items["tea"] == 3'),
        ("Cart.add", ("+ count", "+ count - (count == 5)"), "test_loose", ""),
        ("Locked.put", ("add(name, count)", "add(name, 2)"), "test_locked", 'assert cart.items == {"tea": 3}, "three"'),
        ("line_of", ("\\n", ".\\n"), "test_file", 'assert (place / "before").read_text() == "first\\none\\n"'),
        ("line_of", ("\\n", "\\n" + "\" * (text != 'gone') + '.' * (text == 'gone') + \""), "test_folder_goes", ""),
        ("until", ("range(limit)", "range(limit + 1)"), "test_generator", "assert list(numbers) == [1, 2]"),
        ("keys", ("list(cart)", "list(cart) * 2"), "test_generator_given", '... == ["a", "b"]'),
        ("made_counter.times", ("* step", "* step + 1"), "test_times", "assert times(4) == 8"),
        ("depth", ("1 + depth(number - 1)", "2 + depth(number - 1)"), "test_depth", ""),
    ],
)
def test_the_test_goes_on_with_the_other_program(
    shop: WarmServer, name: str, change: tuple[str, str], test: str, other: str
) -> None:
    clean = shop.digest_leftovers()
    found = compared(shop, name, change)
    ends = ends_of(found)[test]
    assert ends.mine == PASSED
    assert ends.are_alike == (not other)
    assert ends.other.source.endswith(other.removeprefix("..."))
    assert not ends_of(compared(shop, name, change, ends=False)), "only where it is asked"
    assert not [said for said in found.tried.failures if "otherwise" in said], "the parent went on as it would have"
    assert shop.digest_leftovers() == clean


def leaving(number: int) -> tuple[str, str]:
    return ("- 1", f"- 1 - (number == {number})")


@pytest.fixture(scope="module")
def odd(shop: WarmServer) -> Comparison:
    """One rival for each of the odd tests."""
    numbers = (5, 35, 45, 55, 65, 75, 85, 105, 115, 125, 135, 145, 155)
    return compared(shop, "left", *map(leaving, numbers))


@pytest.mark.parametrize(
    ("test", "kind", "how"),
    [
        ("test_exits", EndingKind.ENDED, "status 3"),
        ("test_killed", EndingKind.ENDED, "the process ended early"),
        ("test_database_file", EndingKind.FAILED, "AssertionError"),
        ("test_skips", EndingKind.SKIPPED, ""),
        ("test_shown", EndingKind.FAILED, "AssertionError"),
    ],
)
def test_however_the_child_ends_the_parent_goes_on(odd: Comparison, test: str, kind: EndingKind, how: str) -> None:
    ends = ends_of(odd)[test]
    assert (ends.mine, ends.other.kind) == (PASSED, kind)
    assert how in ends.other.how


def test_a_test_that_fails_in_any_case_has_its_end(odd: Comparison) -> None:
    ends = ends_of(odd)["test_fails"]
    assert ends.are_alike
    assert ends.mine.source == "assert left(145) == 0"
    early = ends_of(odd)["test_leaves"]
    assert early.are_alike
    assert early.mine.how.startswith("SystemExit")


@pytest.mark.parametrize(
    ("test", "why"),
    [
        ("test_process", "it starts a process"),
        ("test_any_process", "it starts a process"),
        ("test_thread", "another thread is alive"),
        ("test_database", "an SQLite connection is open"),
        ("test_many", "too many or too large"),
        ("test_writes_elsewhere", "it writes a file"),
    ],
)
def test_what_cannot_go_on_is_said(odd: Comparison, test: str, why: str) -> None:
    assert test not in ends_of(odd)
    said = [each for each in odd.tried.failures if f"how test_shop.py::{test} goes on" in each]
    assert any(why in each for each in said), odd.tried.failures


@pytest.mark.parametrize("number", [15, 25])
def test_a_child_that_does_not_end_is_bounded(shop: WarmServer, number: int) -> None:
    (ends,) = ends_of(compared(shop, "left", leaving(number))).values()
    assert (ends.mine, ends.other.kind) == (PASSED, EndingKind.HUNG)


def test_a_function_that_binds_what_stands_around_it_is_left_out_and_that_is_said(shop: WarmServer) -> None:
    found = compared(shop, "made_counter.count", ("+= number", "+= number + 1"))
    assert found.rivals.differences
    assert not ends_of(found)
    assert any("it binds a variable of the function around it" in said for said in found.tried.failures)
