"""Methods on objects that tests, examples and constructors make."""

import ast

import pytest

from analysis.behaviour import Raised, Returned
from analysis.calls import CallInput, PlainAnswer
from analysis.facts import InvalidRun, Limits
from analysis.specified.declared import class_facts, signature_facts
from analysis.specified.docstring_facts import docstring_facts
from analysis.stated.function import stated_functions
from repair.survey.specified.drift import find_drift
from repair.survey.specified.instances import ClassTexts, call_method

CART = '''
class Cart:
    """A cart."""

    def __init__(self, size):
        if size < 0:
            raise ValueError(size)
        self.size = size

    def room(self, n):
        """Raises ValueError if n is negative. Returns 0 if n is 0."""
        return self.size - n

    @property
    def left(self):
        """Returns a non-negative number."""
        return self.size - 9

    @staticmethod
    def unit(n):
        """Returns 1 if n is 0."""
        return n

    @classmethod
    def none(cls, n):
        """Returns None if n is 0."""
        return cls

    @cached
    def odd(self, n):
        """Returns None if n is 0."""

    def __hidden(self, n):
        """Returns None if n is 0."""
'''
TESTS = "def test():\n    Cart(3)\n    Cart(-1)\n    Cart(3).room(1)\n    Cart(size)\n    Cart(*row)\n"


class Running:
    """Runs what is laid beside the class in this process."""

    def __init__(self, source):
        self.source, self.files, self.asked = source, (), ()

    def call_apart(self, function, calls, files=(), *, limits=None, like_tests=False):
        self.files, self.asked = files, tuple(calls)
        names = {"cached": lambda function: function}
        exec(self.source, names)
        head, _, rest = files[0][1].decode().partition("\n")
        assert head.startswith("from "), head
        exec(rest, names)
        return tuple(self._answer(names["call"], each) for each in calls)

    def _answer(self, function, given):
        args, named = given.values()
        try:
            return PlainAnswer("", Returned(repr(function(*args, **named))))
        except Exception as problem:  # noqa: BLE001 - whatever the program raises is its answer
            return PlainAnswer("", Raised(type(problem).__name__, repr(str(problem))))


def texts(source=CART, tests=TESTS, path="a.py"):
    trees = {path: ast.parse(source), "test_a.py": ast.parse(tests)}
    functions = {each.qualname: each for each in stated_functions(path, trees[path])}
    facts = [*class_facts(path, trees[path]), *(f for e in functions.values() for f in signature_facts(path, e))]
    return functions, ClassTexts(trees, ((path, source.encode()), ("test_a.py", tests.encode())), tuple(facts))


def drift(name, source=CART, tests=TESTS):
    functions, known = texts(source, tests)
    facts = list(docstring_facts("a.py", functions[name])) + list(signature_facts("a.py", functions[name]))
    return find_drift(Running(source), f"a.py:{name}", functions[name], known.sources, facts, Limits(), known)


def said(found):
    return sorted((each.call.source, each.fact.predicate.value, each.fact.value) for each in found.drifted)


@pytest.mark.parametrize(
    ("source", "tests", "ways"),
    [
        (CART, TESTS, ("Cart(3)", "Cart(-1)")),
        (CART.replace("A cart.", "A cart.\n\n    >>> Cart(size=9).room(2)\n    7\n    "), "", ("Cart(size=9)",)),
        (CART, "", ()),
        (CART.replace("self, size)", "self, size: int)"), "", ("Cart(size=1)",)),
        (CART.replace("self, size)", "self, size=4)"), "", ("Cart()",)),
        ("class Cart:\n    pass\n", "", ("Cart()",)),
        ("@dataclass\nclass Cart:\n    size: str\n    more: int = 0\n", "", ("Cart(size='a')",)),
        ("class Cart(Base):\n    pass\n", "", ()),
        (
            "class Base:\n    def __init__(self, n: int):\n        pass\nclass Cart(Base):\n    pass\n",
            "",
            ("Cart(n=1)",),
        ),
        ("class Cart(Cart):\n    pass\n", "", ()),
    ],
)
def test_ways_to_make_an_object(source, tests, ways):
    assert texts(source, tests)[1].ways("a.py", "Cart") == ways


def test_a_class_within_a_class_is_named_whole():
    source = "class Shop:\n    class Cart:\n        def f(self, n):\n            return n\n"
    _, known = texts(source, "Shop.Cart()")
    assert known.ways("a.py", "Shop.Cart") == ("Shop.Cart()",)


def test_a_method_is_held_against_its_facts():
    assert said(drift("Cart.room")) == [
        ("Cart(3).room(-1)", "raises", "ValueError"),
        ("Cart(3).room(0)", "returns", "0"),
    ]


def test_properties_and_methods_of_the_class():
    assert said(drift("Cart.left")) == [("Cart(3).left()", "range", ">= 0")]
    assert said(drift("Cart.unit")) == [("Cart.unit(0)", "returns", "1")]
    assert said(drift("Cart.none")) == [("Cart.none(0)", "returns", "None")]


@pytest.mark.parametrize(
    ("name", "tests", "why"),
    [
        ("Cart.room", "", "no test, example or constructor says how an object is made"),
        ("Cart.room", "Cart(-1)", "no object could be made as tests or examples make it"),
        ("Cart.odd", TESTS, "a method is wrapped"),
        ("Cart.__hidden", TESTS, "a method has a private name"),
    ],
)
def test_what_cannot_be_run_says_why(name, tests, why):
    found = drift(name, tests=tests)
    assert found.problem == why
    assert found.drifted == ()


def test_what_the_constructor_raises_says_nothing_of_the_method():
    found = drift("Cart.room", tests="Cart(-1)\nCart(-1)\nCart(5)")
    assert {each.call.source for each in found.drifted} == {"Cart(5).room(-1)", "Cart(5).room(0)"}


def test_a_run_that_is_none_is_told():
    class Lost(Running):
        def call_apart(self, *rest, **named):
            return InvalidRun("lost", "the module could not be imported")

    functions, known = texts()
    given = [CallInput("(1,)", "{}")]
    assert call_method(Lost(CART), "a.py", functions["Cart.room"], given, known, Limits()) == (
        "the module could not be imported"
    )


@pytest.mark.parametrize(
    ("path", "package", "place", "line"),
    [
        ("a.py", False, "_repair_made_instances.py", "from a import Cart"),
        ("src/a.py", False, "src/_repair_made_instances.py", "from a import Cart"),
        ("shop/a.py", True, "shop/_repair_made_instances.py", "from .a import Cart"),
        ("shop/__init__.py", True, "shop/_repair_made_instances.py", "from . import Cart"),
    ],
)
def test_the_file_beside_the_class(path, package, place, line):
    functions, known = texts(path=path)
    if package:
        known = ClassTexts(known.trees, (*known.sources, ("shop/__init__.py", b"")), known.facts)
    sandbox = Running(CART)
    call_method(sandbox, path, functions["Cart.room"], [CallInput("(1,)", "{}")], known, Limits())
    ((written, content),) = sandbox.files
    assert (written, content.decode().splitlines()[0]) == (place, line)
