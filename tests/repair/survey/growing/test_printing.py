"""Files of grown tests: imports, names, tables, comments that no quote can end, in the style of the project."""

from __future__ import annotations

import ast
from dataclasses import replace

import pytest

from repair.records.grown import SaidBy
from repair.survey.growing.claim import CallCase, Claim, ClaimKind
from repair.survey.growing.printing import FilePrinter
from repair.survey.growing.style import WritingStyle, fixtures_taken, read_style

PLAIN = FilePrinter(WritingStyle(), {"shop", "shop.parts"})
CLASSES = FilePrinter(WritingStyle(unittest=True), {"shop", "shop.parts"})


def case(call: str, value: str, kind: ClaimKind = ClaimKind.EQUALS, **more) -> CallCase:
    return CallCase("parcel", call, Claim(kind, value), parameters=("weight",), **more)


def test_one_case_says_who_says_so():
    printed = PLAIN.print_tests([case("shop.parcel(3)", "7")])
    assert printed.text == (
        "from shop import parcel\n\n\ndef test_parcel():\n"
        '    """Pinned: so it behaves now; nobody said that it should."""\n    assert parcel(3) == 7\n'
    )
    assert [name for name, _ in printed.tests] == ["test_parcel"]


def test_several_of_one_form_share_a_table():
    cases = [case(f"shop.parcel({n})", str(n)) for n in range(3)] + [case("shop.parcel(None)", "None")]
    printed = PLAIN.print_tests(cases)
    assert (
        '@pytest.mark.parametrize(("weight", "expected"), [\n    (0, 0),\n    (1, 1),\n    (2, 2),\n])' in printed.text
    )
    assert "assert parcel(weight) == expected" in printed.text
    assert "assert parcel(None) is None" in printed.text
    assert [(name, len(held)) for name, held in printed.tests] == [("test_parcel", 3), ("test_parcel_2", 1)]
    alone = PLAIN.print_tests(cases, grouped=False)
    assert len(alone.tests) == 4


def test_a_table_of_unittest():
    printed = CLASSES.print_tests([case(f"shop.parcel({n})", str(n)) for n in range(3)])
    assert "class TestGrown(unittest.TestCase):" in printed.text
    assert "with self.subTest(weight=weight):" in printed.text
    assert printed.tests[0][0] == "TestGrown::test_parcel"
    space: dict = {}
    exec(printed.text.replace("from shop import parcel", "parcel = int"), space)
    space["TestGrown"]("test_parcel").test_parcel()


@pytest.mark.parametrize(
    ("kind", "value", "plain", "in_class"),
    [
        (ClaimKind.EQUALS, "True", "assert parcel(3) is True", "self.assertIs(parcel(3), True)"),
        (ClaimKind.EQUALS, "0.5", "assert parcel(3) == pytest.approx(0.5)", "self.assertAlmostEqual(parcel(3), 0.5)"),
        (ClaimKind.RAISES, "KeyError", "with pytest.raises(KeyError):", "with self.assertRaises(KeyError):"),
        (ClaimKind.IS_KIND, "int", "assert isinstance(parcel(3), int)", "self.assertIsInstance(parcel(3), int)"),
        (ClaimKind.SORTED, "", "assert found == sorted(found)", "self.assertEqual(found, sorted(found))"),
        (ClaimKind.AT_LEAST, "0", "assert parcel(3) >= 0", "self.assertGreaterEqual(parcel(3), 0)"),
        (ClaimKind.COUNT_AT_MOST, "2", "assert len(parcel(3)) <= 2", "self.assertLessEqual(len(parcel(3)), 2)"),
    ],
)
def test_each_claim_in_both_styles(kind, value, plain, in_class):
    one = case("shop.parcel(3)", value, kind)
    assert plain in PLAIN.print_tests([one]).text
    assert in_class in CLASSES.print_tests([one]).text
    for printer in (PLAIN, CLASSES):
        ast.parse(printer.print_tests([one]).text)


def test_names_that_clash_stay_dotted():
    cases = [case("shop.total(1)", "1"), case("shop.parts.total(1)", "1"), case("shop.sum(1)", "1")]
    text = PLAIN.print_tests(cases).text
    assert "import shop\nimport shop.parts\n" in text
    assert "assert shop.total(1) == 1" in text
    assert "assert shop.sum(1) == 1" in text, "a name of the language's own is not covered"


def test_a_function_that_pytest_would_take_for_a_test_is_not_imported_by_name():
    assert "import shop\n" in PLAIN.print_tests([case("shop.testing(1)", "1")]).text


def test_modules_of_the_language_and_dotted_habits():
    text = PLAIN.print_tests([case("shop.parcel(datetime.date(2020, 1, 2))", "3")]).text
    assert text.startswith("import datetime\n\nfrom shop import parcel\n")
    dotted = FilePrinter(WritingStyle(dotted=frozenset({"shop"})), {"shop"})
    assert "import shop\n" in dotted.print_tests([case("shop.parcel(3)", "7")]).text


@pytest.mark.parametrize("quote", ['"""', "\n    assert False", "\r\nimport os", "\u2028x = 1", "\\", "\x00\x0c", "ü"])
def test_no_quote_leaves_its_comment(quote):
    said = replace(case("shop.parcel(3)", "7"), standing=SaidBy.REQUIRED, said=f'shop.py:1 says "a {quote} b"')
    for printer in (PLAIN, CLASSES):
        tree = ast.parse(printer.print_tests([said]).text)
        [function] = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
        assert len(function.body) == 1


def test_a_long_quote_is_wrapped_and_whole():
    said = " ".join(f"word{n}" for n in range(60))
    text = PLAIN.print_tests([replace(case("shop.parcel(3)", "7"), standing=SaidBy.REQUIRED, said=said)]).text
    comment = [line.strip().removeprefix("# ") for line in text.splitlines() if line.strip().startswith("#")]
    assert " ".join(comment) == f"Required: {said}"
    assert all(len(line) < 120 for line in text.splitlines())


UNITTEST = b"import unittest\n\nclass TestA(unittest.TestCase):\n    def test_a(self):\n        pass\n"
PYTEST = b"import shop\n\ndef test_a():\n    pass\n\n\ndef test_b():\n    pass\n"


@pytest.mark.parametrize(
    ("texts", "style"),
    [
        ([], WritingStyle()),
        ([UNITTEST], WritingStyle(unittest=True, dotted=frozenset({"unittest"}))),
        ([UNITTEST, PYTEST], WritingStyle(dotted=frozenset({"shop", "unittest"}))),
        ([b"def broken(:"], WritingStyle()),
        ([b"import shop\n", b"from shop import x\n"], WritingStyle()),
    ],
)
def test_the_style_is_what_most_tests_have(texts, style):
    assert read_style(texts) == style


def test_a_long_import_has_a_line_for_each_name():
    names = [f"parcel_of_a_long_name_{n}" for n in range(6)]
    text = PLAIN.print_tests([case(f"shop.{name}(3)", "7") for name in names]).text
    assert text.startswith("from shop import (\n    parcel_of_a_long_name_0,\n")
    assert max(map(len, text.splitlines())) <= 100
    ast.parse(text)


@pytest.mark.parametrize(
    ("kind", "plain", "classes"),
    [
        (ClaimKind.TRUE, "assert parcel(3)", "self.assertTrue(parcel(3))"),
        (ClaimKind.FALSE, "assert not parcel(3)", "self.assertFalse(parcel(3))"),
    ],
)
def test_what_counts_as_true(kind, plain, classes):
    [one] = [case("shop.parcel(3)", "", kind)]
    assert f"    {plain}\n" in PLAIN.print_tests([one]).text
    assert f"        {classes}\n" in CLASSES.print_tests([one]).text


def test_an_object_of_a_fixture_is_a_parameter_of_the_test():
    fixed = [
        CallCase("Till.fee", f"till.fee({n}, shop.Cart())", Claim(ClaimKind.EQUALS, "7"), fixtures=("till",))
        for n in (1, 2)
    ]
    printed = PLAIN.print_tests(fixed[:1])
    assert "def test_till_fee(till):\n" in printed.text
    assert "    assert till.fee(1, Cart()) == 7\n" in printed.text
    assert printed.text.startswith("from shop import Cart\n")


def test_a_table_of_calls_on_a_fixture():
    rows = [
        CallCase("Till.fee", f"till.fee({n})", Claim(ClaimKind.EQUALS, str(n)), parameters=(name,), fixtures=("till",))
        for n, name in ((1, "till"), (2, "till"), (3, "till"))
    ]
    text = PLAIN.print_tests(rows).text
    assert "def test_till_fee(till, till_, expected):\n" in text
    assert "assert till.fee(till_) == expected" in text
    ast.parse(text)


CONFTEST = b"""
import pytest

@pytest.fixture
def till():
    return Till()

@pytest.fixture(scope="module")
def cart():
    yield Cart()

@pytest.fixture(params=[1, 2])
def many(request):
    return request.param

def helper():
    return Till()
"""
TAKING = b"""
def test_fee(till, cart, many):
    assert till.fee(3) == cart.fee(4) == many.fee(1)

def test_other(cart):
    assert cart.price(3)

class TestMore:
    def test_deep(self, cart, helper):
        assert cart.name, helper.fee(3)
"""


@pytest.mark.parametrize(
    ("test", "method", "place", "taken"),
    [
        ("tests/test_shop.py::test_fee", "fee", "tests/test_grown_shop.py", ("cart", "till")),
        ("tests/test_shop.py::test_fee[1]", "fee", "tests/deep/test_grown_shop.py", ("cart", "till")),
        ("tests/test_shop.py::test_other", "fee", "tests/test_grown_shop.py", ()),
        ("tests/test_shop.py::TestMore::test_deep", "name", "tests/test_grown_shop.py", ("cart",)),
        ("tests/test_shop.py::TestMore::test_deep", "fee", "tests/test_grown_shop.py", ()),
        ("tests/test_shop.py::test_fee", "fee", "other/test_grown_shop.py", ()),
        ("tests/none_such.py::test_fee", "fee", "tests/test_grown_shop.py", ()),
    ],
)
def test_fixtures_are_those_on_which_the_own_tests_call(test, method, place, taken):
    files = (("tests/conftest.py", CONFTEST), ("tests/test_shop.py", TAKING))
    assert fixtures_taken(files, [test], method, place) == taken


@pytest.mark.parametrize("broken", [b"def broken(:", b"\xff\x00", b""])
def test_files_that_cannot_be_read_give_no_fixtures(broken):
    for files in ((("conftest.py", broken), ("test_a.py", TAKING)), (("conftest.py", CONFTEST), ("test_a.py", broken))):
        assert fixtures_taken(files, ["test_a.py::test_fee"], "fee", "test_grown.py") == ()


def test_what_an_exception_says():
    one = CallCase("parcel", "shop.parcel(0)", Claim(ClaimKind.RAISES, "ValueError", "'no weight'"))
    plain = """    with pytest.raises(ValueError) as raised:
        parcel(0)
    assert str(raised.value) == 'no weight'
"""
    assert plain in PLAIN.print_tests([one]).text
    classes = CLASSES.print_tests([one]).text
    assert "with self.assertRaises(ValueError) as raised:" in classes
    assert "self.assertEqual(str(raised.exception), 'no weight')" in classes


def test_a_table_of_what_exceptions_say():
    raises = [
        CallCase(
            "parcel", f"shop.parcel({n})", Claim(ClaimKind.RAISES, "ValueError", f"'not {n}'"), parameters=("message",)
        )
        for n in range(3)
    ]
    silent = [replace(each, claim=Claim(ClaimKind.RAISES, "ValueError")) for each in raises]
    text = PLAIN.print_tests([*raises, *silent]).text
    assert (
        """@pytest.mark.parametrize(("message_", "message"), [
    (0, 'not 0'),
    (1, 'not 1'),
    (2, 'not 2'),
])"""
        in text
    )
    assert "assert str(raised.value) == message\n" in text
    assert '@pytest.mark.parametrize("message_", [' in text
    space: dict = {}
    classes = CLASSES.print_tests(raises).text.replace(
        "from shop import parcel", "def parcel(n):\n    raise ValueError(f'not {n}')"
    )
    exec(classes, space)
    space["TestGrown"]("test_parcel_raises_value_error").test_parcel_raises_value_error()
