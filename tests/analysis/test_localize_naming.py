"""What counts as naming a function."""

from __future__ import annotations

import pytest

from analysis.errors import UsageError
from analysis.facts import Diagnosis, Failure, FailureClass, FunctionId, Outcome, Phase, SeenError, TestId
from analysis.functions import functions_of
from analysis.localize import named_functions, namedness, words_of


def words(test: str, message: str = ""):
    raised = SeenError("AssertionError", ("AssertionError",), message, ())
    failure = Failure(TestId(test), Phase.CALL, Outcome.FAILED, (raised,), message)
    return words_of([TestId(test)], [Diagnosis(failure, FailureClass.LOGIC, "wrong_value", ())])


@pytest.mark.parametrize(
    ("test", "path", "qualname", "score"),
    [
        ("tests/test_filesize.py::test_naturalsize[a-b]", "src/humanize/filesize.py", "naturalsize", 0.8),
        ("tests/test_x.py::TestLRI::test_set", "cacheutils.py", "LRI.__setitem__", 0.2),
        ("tests/test_x.py::test_one_to_one", "dictutils.py", "OneToOne.update", 0.2),
        ("tests/test_x.py::test_total", "a.py", "to", 0.0),
        ("tests/test_x.py::test_x[naturalsize]", "a.py", "naturalsize", 0.0),
    ],
)
def test_names_of_tests(test, path, qualname, score):
    assert namedness(FunctionId(path, qualname, 1), words(test)) == pytest.approx(score)


@pytest.mark.parametrize(
    "message",
    [
        "assert 3 == 4\n +  where 3 = total([1, 2])",
        "assert 3 == 4\n +  where 3 = shop.total([1, 2])",
        "assert 3 == 4\n +  where 3 = <function total at 0x7f00>([1, 2])",
        "assert 3 == 4\n +  where 3 = <bound method Shop.total of <Shop>>()\n +    where x = <Shop>.total()",
    ],
)
def test_calls_in_assertions(message):
    assert namedness(FunctionId("a.py", "Shop.total", 1), words("tests/test_x.py::test_y", message)) == 0.6


TAKE = b"    def take(self):\n        pass\n\n"
SHOP = b"class Cart:\n    def add(self):\n        pass\n\n" + TAKE + b"class Till:\n" + TAKE


def named(name):
    spans = {"shop.py": functions_of("shop.py", SHOP), "test_shop.py": functions_of("test_shop.py", SHOP)}
    return [each.qualname for each in named_functions(name, spans, lambda path: path.startswith("test_"))]


def test_a_path_in_full_names_the_file_that_has_just_that():
    spans = {path: functions_of(path, SHOP) for path in ("shop.py", "old/shop.py")}
    found = {name: [f.path for f in named_functions(name, spans, lambda path: False)] for name in
             ("add", "shop.py:Cart.add", "./shop.py:add", "old/shop.py:Cart.add")}  # fmt: skip
    both = ["old/shop.py", "shop.py"]
    assert list(found.values()) == [both, ["shop.py"], ["shop.py"], ["old/shop.py"]]


def test_a_method_may_be_named_without_its_class():
    assert named("add") == named("shop.py:add") == named("Cart.add") == ["Cart.add"]
    assert named("take") == ["Cart.take", "Till.take"]
    with pytest.raises(UsageError, match=r"No function 'art\.add' in the project"):
        named("art.add")
