"""One toy library in chapters, with its tests: what the tests of a warm server ask about.

It is opened once in each process of tests (see the fixture ``server``). A chapter is a module and its tests.
"""

from __future__ import annotations

CALLS = '''\
import asyncio

SENTINEL = object()

def clamp(x, low=0, high=10):
    """Within bounds."""
    if x < low:
        return low
    return min(x, high)

def countdown(n):
    while n > 0:
        yield n
        n -= 1

async def later(x):
    await asyncio.sleep(0)
    return x

def push(items, value):
    items.append(value)
    return len(items)

def scaler(k):
    def scale(x):
        return x * k
    return scale

double = scaler(2)

class Account:
    def __init__(self, owner, total=0):
        self.owner, self.total, self.log = owner, total, []

    def add(self, amount, *more, note=SENTINEL, **extra):
        self.total += amount + sum(more)
        if note is not SENTINEL:
            self.log.append(note)
        return self.total

    @classmethod
    def opened(cls, owner):
        return cls(owner)

def fact(n):
    return 1 if n < 2 else n * fact(n - 1)

def once(state=iter(range(1000))):
    return next(state)

def typed(x):
    return x

def read(stream):
    return stream

def split(items):
    import itertools
    head = items[:1]
    return head, itertools.chain(head, items[1:])

def rare(text):
    if text.startswith("+"):
        return len(text)
    return 0

def told(value, tell=None):
    if value == 77:
        return -1
    if tell is not None:
        tell(value)
    return value

def numbered(x):
    return x

def watched(x):
    import sys, time
    if sys.gettrace() is not None:
        time.sleep(x)
    return x

def limit(x):
    return x if x > 44 else 44

def port(text):
    if int(text) == 0:
        raise ValueError("no port")
    return int(text)

def total(rows, most=99):
    found = 0
    for row in rows:
        if row == 5 or found > most:
            break
        found += row
    return found

def echoed(talker):
    next(talker)
    return talker.send(3)

class Kept:
    def __init__(self):
        self._seen, self.last = [], 0

    def see(self, x):
        self._seen.append(x)
        return len(self._seen)

    def twice(self, x):
        return self.see(x) and self.see(x)

def noted(path, line):
    with open(path, "a") as file:
        file.write(line + ";")
    return line

def stored(path):
    with open(path) as file:
        return path, file.read()
'''

CALLS_TESTS = """\
import asyncio, threading
from calls import *

def test_clamp():
    assert clamp(5) == 5
    assert clamp(50, high=20) == 20
    assert clamp(5) == 5
def test_countdown(): assert list(countdown(2)) == [2, 1]
def test_later():
    async def run(): assert await later(3) == 3
    asyncio.run(run())
def test_push(): assert push([1], 2) == 2
def test_double(): assert double(4) == 8
def test_account():
    account = Account.opened("a")
    assert account.add(1) == 1
    assert account.add(2, 3, note="n", k=None) == 6
def test_fact(): assert fact(5) == 120
def test_once(): assert once() >= 0
def test_typed(): assert typed({"a": [1.5, None]}) and typed(float("nan"))
def test_read(): read(threading.Lock())
def test_split(): assert split([1, 2])[0] == [1]
def test_rare():
    for n in range(200): rare("a" * n)
    assert rare("+abc") == 4
def test_told():
    assert told(77) == -1
    assert told(5) == 5
def test_watched(): assert watched(0) == 0
def test_numbered(): assert numbered(1) == 1
def test_limit(): assert limit(45) == 45
def test_limit_again(): assert [limit(45), limit(45)] == [45, 45]
def test_port():
    try:
        port("0")
    except ValueError:
        pass
def rows(*values):
    yield from values
    if not values:
        raise KeyError("no rows")
def forever():
    while True:
        yield 4
def test_total():
    assert total(rows(1, 2)) == 3
    assert total(forever()) == 100
    try:
        total(rows())
    except KeyError as problem:
        assert problem.__traceback__.tb_next.tb_next
def test_echoed():
    def talker():
        got = yield
        yield got
    assert echoed(talker()) == 3
def test_kept(): assert Kept().twice(3)
def test_kept_itself(): assert Kept().see(3)
def test_noted(tmp_path):
    noted(tmp_path / "log", "x")
    noted(tmp_path / "log", "yy")
    assert (tmp_path / "log").read_text() == "x;yy;"
def test_stored(tmp_path):
    (tmp_path / "a.txt").write_text("x")
    assert stored(str(tmp_path / "a.txt"))[1] == "x"
"""

WORK = """\
import threading

def total(xs):
    result = 0
    for x in xs:
        result += x
    return result

def fib(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a

def clean(words):
    seen = set()
    for word in words:
        if word not in seen:
            seen.add(word)
            yield word

async def later(xs):
    out = []
    for x in xs:
        out.append(x)
    return out

def index(table):
    return {key: value for key, value in table.items()}

def slow(xs):
    for x in xs:
        for y in xs:
            pass

class Box:
    def __init__(self):
        self.items = []

    def add(self, x):
        self.items.append(x)
        return len(self.items)

def held(lock):
    return 1
"""

WORK_TESTS = """\
import asyncio, threading
from work import *

def test_total(): assert total([3, 1, 2]) == 6
def test_fib(): assert fib(10) == 55
def test_clean(): assert list(clean(["a", "b", "a"])) == ["a", "b"]
def test_later(): assert asyncio.run(later([1, 2])) == [1, 2]
def test_index(): assert index({"a": 1, "b": 2}) == {"a": 1, "b": 2}
def test_box():
    box = Box()
    assert box.add(2) == 1
    assert box.add(3) == 2
def test_held(): assert held(threading.Lock()) == 1
"""

_TOTAL = """\
def total(items):
    found = list(items)
    if found and hasattr(items, "__len__"):
        return sum(found)
    return 0
"""
_CENTS = """\
def cents(text):
    whole, _, part = text.partition(".")
    if part in ("5", "9", "3"):
        part += "0"
    return int(whole) * 100 + int(part or 0)
"""
_KEPT = """\
class Kept:
    def __init__(self, counts):
        self.counts = dict(counts)

    def take(self, name, count):
        left = self.counts[name] - count
        self.counts[name] = left
        if not left and name < "o":
            del self.counts[name]
        return sorted(self.counts)
"""
_READ = """\
def read(path):
    limit = 1 if str(path).endswith(".ini") else -1
    with open(path) as file:
        return [line.strip().split("=", limit)[:2] for line in file]
"""
LOOSER = "\n\n".join((_TOTAL, _CENTS, _KEPT, _READ))
LOOSER_TESTS = """\
import pytest
from looser import Kept, cents, read, total

def test_total(): assert total([1, 2]) == 3
@pytest.mark.parametrize("text, number", [("5.5", 550), ("0.9", 90), ("120.3", 12030)])
def test_cents(text, number): assert cents(text) == number
@pytest.mark.parametrize("text, number", [("12.50", 1250), ("3", 300), ("0.05", 5)])
def test_other(text, number): assert cents(text) == number
def test_take():
    here = Kept({"nail": 3, "screw": 20})
    assert here.take("screw", 5) == ["nail", "screw"]
    assert here.take("nail", 3) == ["screw"]
def test_read(tmp_path):
    path = tmp_path / "app.ini"
    path.write_text("a=b=c\\n")
    assert read(path) == [["a", "b=c"]]
"""
SHOP = b"def price(count):\n    return count * 3\n"
SHOP_TESTS = {
    "test_plain.py": """
import shop

SEEN = []

def test_two(): assert shop.price(2) == 6
def test_three(): assert shop.price(3) == 9
def test_before(): SEEN.append(shop.price(1))
def test_behind(): assert SEEN
""",
    "test_fixtures.py": """
import unittest
import pytest
import shop

@pytest.fixture(scope="module")
def made():
    return shop.price(5)

def test_made(made, tmp_path): assert made == 15
def test_four(made): assert shop.price(4) == 12 and made

class TestCase(unittest.TestCase):
    def test_six(self): self.assertEqual(shop.price(6), 18)
""",
}

CHAPTERS = {
    "calls.py": CALLS,
    "test_calls.py": CALLS_TESTS,
    "looser.py": LOOSER,
    "test_looser.py": LOOSER_TESTS,
    "shop.py": SHOP.decode(),
    **SHOP_TESTS,
    "work.py": WORK,
    "test_work.py": WORK_TESTS,
}
