"""A bug as a packet sees it, made of source texts."""

from __future__ import annotations

from textwrap import dedent
from typing import Any

from analysis.facts import (
    Constraint,
    ConstraintKind,
    Diagnosis,
    Failure,
    FailureClass,
    Frame,
    Local,
    Outcome,
    Phase,
    SeenError,
    Suspect,
    TestId,
)
from analysis.functions import FunctionSpan, find_function, functions_of
from repair.model.facts.matter import Matter
from repair.model.numbered import number_function
from repair.records.ports import Context
from repair.records.task import PatchPlan
from transforms.tree.proposal import EditKind
from transforms.tree.scope import EditScope, open_scope

SHOP = dedent('''\
    """A shop."""

    import math
    from os import path, sep
    from rates import rate_of, Table as Rates

    LIMIT = 10
    API_KEY = "sk-canary-7f3a"
    OTHER = 3


    class Base:
        def __init__(self, name):
            self.name = name


    class Shop(Base):
        """Sells things."""

        kinds: tuple = ("a", "b")

        def __init__(self, name, stock=None):
            super().__init__(name)
            self.stock = stock or {}

        @property
        def size(self):
            return len(self.stock)

        def price(self, count, kind="a"):
            """What so many things cost.

            A long explanation of it,
            with more lines,
            than are needed.
            """
            total = count + rate_of(kind)
            if total > LIMIT:
                total = math.floor(total)
            return self.rounded(total)

        def rounded(self, value: float, digits: int = 2) -> float:
            """Round it."""
            return round(value, digits)


    def make(name):
        def inner(x):
            return x + name
        y = inner(1)
        return y


    def report(shop):
        lines = []
        cost = shop.price(3)
        lines.append(cost)
        return lines
    ''')
RATES = dedent('''\
    def rate_of(kind: str) -> int:
        """The rate of a kind.

        More.
        """
        return 2


    class Table:
        """All rates."""

        def __init__(self, rows, *, sorted=False):
            self.rows = rows
    ''')
TESTS = dedent("""\
    import pytest
    from shop import Shop

    WANTED = 6
    PASSWORD = "hunter2-canary"


    def make_shop():
        return Shop("x")


    @pytest.fixture
    def shop(tmp_path):
        return make_shop()


    class TestShop:
        kind = "a"

        def setup_method(self):
            self.count = 3

        def test_price(self, shop, stocked):
            count = 3
            other = 4
            assert other == 4
            got = shop.price(count)
            assert got == WANTED
            assert shop.price(9) == 1


    def test_cheap(shop):
        assert shop.price(0) == 2
    """)
CONFTEST = dedent("""\
    import pytest


    @pytest.fixture(name="stocked")
    def _stocked(shop):
        shop.stock["a"] = 1
        return shop
    """)
PATH, TEST_PATH = "shop.py", "tests/test_shop.py"
TEST = TestId(f"{TEST_PATH}::TestShop::test_price")
CHEAP = TestId(f"{TEST_PATH}::test_cheap")


def scope_at(qualname: str, source: str, path: str = PATH) -> tuple[EditScope, FunctionSpan]:
    """The function of a module, opened."""
    span = find_function(functions_of(path, source.encode()), qualname)
    assert span is not None
    scope = open_scope(source.encode(), span)
    assert isinstance(scope, EditScope), scope
    return scope, span


def frame_of(path: str, line: int, qualname: str, first: int, **values: str | None) -> Frame:
    """A frame of the project with plain locals, or values without a text."""
    known = tuple(Local(name, "str" if value else "Shop", value) for name, value in values.items())
    return Frame(path, True, line, None, None, None, qualname, qualname.split(".")[-1], first, known)


def diagnosis(
    message: str = "assert 5 == 6",
    kind: str = "AssertionError",
    failure_class: FailureClass = FailureClass.LOGIC,
    subclass: str = "wrong_value",
    frames: tuple[Frame, ...] | None = None,
    claims: tuple[str, ...] = (),
    test: TestId = TEST,
) -> Diagnosis:
    """One failing test."""
    own = frames if frames is not None else (frame_of(TEST_PATH, 28, "TestShop.test_price", 23, count="3", got="5"),)
    raised = SeenError(kind, (kind, "Exception"), message, own)
    failure = Failure(test, Phase.CALL, Outcome.FAILED, (raised,), message)
    made = tuple(Constraint(ConstraintKind.NULLABLE, "x", "", PATH, 1, claim) for claim in claims)
    return Diagnosis(failure, failure_class, subclass, made)


def matter(
    qualname: str = "Shop.price",
    source: str = SHOP,
    *,
    diagnoses: tuple[Diagnosis, ...] = (),
    scores: tuple[tuple[int, float], ...] = (),
    tests: str = TESTS,
    **context: Any,
) -> Matter:
    """The matter of one function of a small shop, of which one test fails."""
    scope, span = scope_at(qualname, source)
    suspect = Suspect(span.function, 1.0, ("run by 1 of 1 failing tests",), scores)
    plan = PatchPlan(suspect, diagnoses or (diagnosis(),), tuple(EditKind), "")
    files = {PATH: source, "rates.py": RATES, TEST_PATH: tests, "tests/conftest.py": CONFTEST}
    known = {"sources": tuple((path, text.encode()) for path, text in sorted(files.items())), **context}
    made = Context(scope, source.encode(), ((TEST_PATH, tests),), "", 0, tuple, lambda: 60.0)
    fields = {name: getattr(made, name) for name in made.__dataclass_fields__}
    return Matter(plan, Context(**{**fields, **known}), number_function(scope))
