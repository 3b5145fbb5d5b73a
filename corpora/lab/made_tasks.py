"""Ten tasks with scripted answers of a model: programs that do most of what is asked, tests, and edits of one function.

The answers come in their order, the last one for ever. Each program fails at least one required test at first, so that
no task is done without a patch. Tasks, programs and tests were written for this by one hand.
"""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import dedent

NOTHING = "WHY: nothing comes to mind.\nEND"
"""An answer without an edit: what mends the program is the search."""


@dataclass(frozen=True, slots=True)
class MadeTask:
    """A task, its program as first written, its tests, and further answers. A program begins with its path."""

    name: str
    task: str
    program: tuple[str, ...]
    tests: str
    later: tuple[str, ...] = (NOTHING,)
    first: tuple[str, ...] = ()
    """Answers of no use, before the program."""

    @property
    def text(self) -> str:
        """The text of the task."""
        return f"# {self.name.capitalize()}\n\n{dedent(self.task).strip()}\n"

    @property
    def replies(self) -> tuple[str, ...]:
        """All answers in their order."""
        files = "".join(f"# FILE: {dedent(each).strip()}\n" for each in self.program)
        program = f"# === IMPLEMENTATION ===\n{files}# === END ===\n"
        tests = f"# === TESTS ===\n# FILE: tests/test_{self.name}.py\n{dedent(self.tests).strip()}\n# === END ===\n"
        return (*self.first, program, tests, *self.later)


def edit(kind: str, code: str) -> str:
    """An answer with one edit of the function that is shown."""
    return f"WHY: the task says so.\n```python {kind}\n{code}\n```\nEND"


PRICES = MadeTask(
    "prices",
    """
    - `total([1, 2])` shall return 3.
    - `total([])` shall return 0.
    - When price is negative, `discount` shall raise ValueError.
    - `discount(200, 10)` returns 180.
    """,
    (
        """
prices.py
def total(prices):
    result = 0
    for price in prices:
        result -= price
    return result

def discount(price, percent):
    if price < 0:
        raise ValueError("a price is not negative")
    return price - price * percent / 100
""",
    ),
    """
import pytest
from prices import discount, total

def test_total():
    \"\"\"Quotes: `total([1, 2])` shall return 3.\"\"\"
    assert total([1, 2]) == 3

def test_total_of_nothing():
    \"\"\"Quotes: `total([])` shall return 0.\"\"\"
    assert total([]) == 0

def test_negative():
    \"\"\"Quotes: When price is negative, `discount` shall raise ValueError.\"\"\"
    with pytest.raises(ValueError):
        discount(-1, 10)

def test_discount():
    \"\"\"Quotes: `discount(200, 10)` returns 180.\"\"\"
    assert discount(200, 10) == 180

def test_half():
    assert discount(100, 50) == 50
""",
)

SLUGS = MadeTask(
    "slugs",
    """
    Write a function `slugify(text)` in `slugs.py`. `slugify("Red Tea")` returns "red-tea".
    `slugify("  a  b ")` returns "a-b". For an empty text `slugify("")` returns "".
    """,
    ("slugs.py\ndef slugify(text):\n    return '-'.join(text.split())",),
    """
from slugs import slugify

def test_words():
    \"\"\"Quotes: `slugify("Red Tea")` returns "red-tea".\"\"\"
    assert slugify("Red Tea") == "red-tea"

def test_blanks():
    \"\"\"Quotes: `slugify("  a  b ")` returns "a-b".\"\"\"
    assert slugify("  a  b ") == "a-b"

def test_empty():
    \"\"\"Quotes: For an empty text `slugify("")` returns "".\"\"\"
    assert slugify("") == ""
""",
    (edit("update `text.split()`", "text.lower().split()"),),
)

CLAMP = MadeTask(
    "clamp",
    """
    REQ-1: `clamp(5, 0, 3)` shall return 3.

    REQ-2: `clamp(-1, 0, 3)` shall return 0.

    REQ-3: `clamp(2, 0, 3)` shall return 2.
    """,
    ("limits.py\ndef clamp(value, low, high):\n    return min(low, max(high, value))",),
    """
import pytest
from limits import clamp

def test_above():
    \"\"\"Quotes: `clamp(5, 0, 3)` shall return 3.\"\"\"
    assert clamp(5, 0, 3) == 3

def test_below():
    \"\"\"Quotes: `clamp(-1, 0, 3)` shall return 0.\"\"\"
    assert clamp(-1, 0, 3) == 0

def test_within():
    \"\"\"Quotes: `clamp(2, 0, 3)` shall return 2.\"\"\"
    assert clamp(2, 0, 3) == 2
""",
    (edit("update `min(low, max(high, value))`", "max(low, min(high, value))"),),
)

INITIALS = MadeTask(
    "initials",
    """
    - `initials("ada lovelace")` returns "AL".
    - `initials(None)` returns "".
    """,
    ("names.py\ndef initials(name):\n    return ''.join(word[0].upper() for word in name.split())",),
    """
from names import initials

def test_two():
    \"\"\"Quotes: `initials("ada lovelace")` returns "AL".\"\"\"
    assert initials("ada lovelace") == "AL"

def test_nobody():
    \"\"\"Quotes: `initials(None)` returns "".\"\"\"
    assert initials(None) == ""
""",
    first=("# === IMPLEMENTATION ===\n# FILE: names.py\ndef initials(name):\n    return ''.jo",),
)

MINUTES = MadeTask(
    "minutes",
    """
    - `minutes("1:30")` returns 90.
    - `minutes("0:05")` returns 5.
    - When text has no colon, `minutes` shall raise ValueError.
    """,
    (
        "clock.py\ndef minutes(text):\n"
        "    hours, _, rest = text.partition(':')\n    return int(hours) * 60 + int(rest or 0)",
    ),
    """
import pytest
from clock import minutes

def test_hour():
    \"\"\"Quotes: `minutes("1:30")` returns 90.\"\"\"
    assert minutes("1:30") == 90

def test_five():
    \"\"\"Quotes: `minutes("0:05")` returns 5.\"\"\"
    assert minutes("0:05") == 5

def test_no_colon():
    \"\"\"Quotes: When text has no colon, `minutes` shall raise ValueError.\"\"\"
    with pytest.raises(ValueError):
        minutes("90")
""",
    (edit("insert before `hours, _, rest = text.partition(':')`", "if ':' not in text:\n    raise ValueError(text)"),),
)

BANK = MadeTask(
    "bank",
    """
    Write a package `bank` with a class `Account` in `bank/account.py` and `Overdrawn` in `bank/errors.py`.

    - REQ-1: When the amount is above the balance, `withdraw` shall raise Overdrawn.
    - REQ-2: After a deposit of 30 and a withdrawal of 10, `balance` is 20.
    """,
    (
        "bank/__init__.py",
        'bank/errors.py\nclass Overdrawn(ValueError):\n    """There is less in the account."""',
        """
bank/account.py
from bank.errors import Overdrawn


class Account:
    def __init__(self):
        self.balance = 0

    def deposit(self, amount):
        self.balance += amount

    def withdraw(self, amount):
        if amount < self.balance:
            raise Overdrawn(amount)
        self.balance -= amount
""",
    ),
    """
import pytest
from bank.account import Account
from bank.errors import Overdrawn

def test_overdrawn():
    \"\"\"Quotes: When the amount is above the balance, `withdraw` shall raise Overdrawn.\"\"\"
    account = Account()
    account.deposit(5)
    with pytest.raises(Overdrawn):
        account.withdraw(6)

def test_balance():
    \"\"\"Quotes: After a deposit of 30 and a withdrawal of 10, `balance` is 20.\"\"\"
    account = Account()
    account.deposit(30)
    account.withdraw(10)
    assert account.balance == 20
""",
)

CHUNKS = MadeTask(
    "chunks",
    """
    1. `chunks([1, 2, 3], 2)` returns [[1, 2], [3]].
    2. `chunks([], 2)` returns [].
    3. `chunks([1, 2], 1)` returns [[1], [2]].
    """,
    ("lists.py\ndef chunks(items, size):\n    return [items[n:n + size] for n in range(0, len(items) - 1, size)]",),
    """
from lists import chunks

def test_rest():
    \"\"\"Quotes: `chunks([1, 2, 3], 2)` returns [[1, 2], [3]].\"\"\"
    assert chunks([1, 2, 3], 2) == [[1, 2], [3]]

def test_nothing():
    \"\"\"Quotes: `chunks([], 2)` returns [].\"\"\"
    assert chunks([], 2) == []

def test_ones():
    \"\"\"Quotes: `chunks([1, 2], 1)` returns [[1], [2]].\"\"\"
    assert chunks([1, 2], 1) == [[1], [2]]
""",
)

MEDIAN = MadeTask(
    "median",
    """
    `median([3, 1, 2])` shall return 2. `median([1, 2, 3, 4])` shall return 2.5.

    When values are empty, `median` shall raise ValueError.
    """,
    (
        """
middle.py
def median(values):
    if not values:
        raise ValueError("there are no values")
    values = sorted(values)
    middle = len(values) // 2
    if len(values) % 2:
        return values[middle]
    return (values[middle] + values[middle + 1]) / 2
""",
    ),
    """
import pytest
from middle import median

def test_odd():
    \"\"\"Quotes: `median([3, 1, 2])` shall return 2.\"\"\"
    assert median([3, 1, 2]) == 2

def test_even():
    \"\"\"Quotes: `median([1, 2, 3, 4])` shall return 2.5.\"\"\"
    assert median([1, 2, 3, 4]) == 2.5

def test_empty():
    \"\"\"Quotes: When values are empty, `median` shall raise ValueError.\"\"\"
    with pytest.raises(ValueError):
        median([])
""",
    (edit("update `values[middle] + values[middle + 1]`", "values[middle - 1] + values[middle]"),),
)

LEAP = MadeTask(
    "leap",
    """
    - `is_leap(2024)` is True.
    - `is_leap(1900)` is False.
    - `is_leap(2000)` is True.
    - `is_leap(2023)` is False.
    """,
    ("years.py\ndef is_leap(year):\n    return year % 4 == 0 and (year % 100 != 0 or year % 300 == 0)",),
    """
from years import is_leap

def test_fourth():
    \"\"\"Quotes: `is_leap(2024)` is True.\"\"\"
    assert is_leap(2024) is True

def test_hundredth():
    \"\"\"Quotes: `is_leap(1900)` is False.\"\"\"
    assert is_leap(1900) is False

def test_thousandth():
    \"\"\"Quotes: `is_leap(2000)` is True.\"\"\"
    assert is_leap(2000) is True

def test_odd():
    \"\"\"Quotes: `is_leap(2023)` is False.\"\"\"
    assert is_leap(2023) is False

def test_old():
    \"\"\"Quotes: `is_leap(1900)` is False.\"\"\"
    assert not is_leap(1900)
""",
)

SHELF = MadeTask(
    "shelf",
    """
    Write `count_words(text)` and `longest(words)` in `shelf.py`.

    - `count_words("a b a")` returns {"a": 2, "b": 1}.
    - `longest(["a", "ccc", "bb"])` returns "ccc".
    - `longest([])` returns None.
    """,
    (
        """
shelf.py
def count_words(text):
    counts = {}
    for word in text.split():
        counts[word] = counts.get(word, 1) + 1
    return counts

def longest(words):
    return max(words, key=len)
""",
    ),
    """
from shelf import count_words, longest

def test_counts():
    \"\"\"Quotes: `count_words("a b a")` returns {"a": 2, "b": 1}.\"\"\"
    assert count_words("a b a") == {"a": 2, "b": 1}

def test_longest():
    \"\"\"Quotes: `longest(["a", "ccc", "bb"])` returns "ccc".\"\"\"
    assert longest(["a", "ccc", "bb"]) == "ccc"

def test_no_words():
    \"\"\"Quotes: `longest([])` returns None.\"\"\"
    assert longest([]) is None
""",
    (
        edit("update `counts.get(word, 1) + 1`", "counts.get(word, 0) + 1"),
        edit("update `max(words, key=len)`", "max(words, key=len, default=None)"),
    ),
)

MADE_TASKS = (PRICES, SLUGS, CLAMP, INITIALS, MINUTES, BANK, CHUNKS, MEDIAN, LEAP, SHELF)
"""All ten; the last one has two faults in two functions."""
