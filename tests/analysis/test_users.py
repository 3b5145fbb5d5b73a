"""Who uses which function, by names alone."""

import ast
import textwrap

from analysis.users import MOST_USERS, count_users, find_users


def users_in(more=(), **files):
    texts = {**dict(more), **{f"{name}.py": text for name, text in files.items()}}
    trees = {path: ast.parse(textwrap.dedent(text)) for path, text in texts.items()}
    return {place[1]: sorted(user[1] or "(module)" for user in users) for place, users in find_users(trees).items()}


def test_calls_in_the_same_module_count_and_a_function_that_calls_itself_does_not():
    found = users_in(
        a="""
        def one(n):
            return one(n - 1) if n else 0
        def two():
            return one(2)
        handler = one
        """
    )
    assert found == {"one": ["(module)", "two"], "two": []}


def test_names_are_followed_through_imports():
    found = users_in(
        {
            "pkg/__init__.py": "from .core import price as cost\n",
            "pkg/core.py": "def price():\n    pass\ndef idle():\n    pass\n",
            "pkg/shop.py": "from pkg import cost\nfrom . import core\n"
            "def a():\n    return cost()\ndef b():\n    return core.price()\n",
        }
    )
    assert found["price"] == ["a", "b"]
    assert found["idle"] == []


def test_methods_are_followed_through_self_bases_and_names_of_their_own():
    found = users_in(
        base="class Base:\n    def __init__(self):\n        pass\n    def total(self):\n        pass\n",
        shop="""
        from base import Base
        class Cart(Base):
            def show(self):
                return self.total()
            def get(self):
                pass
        def main(box, other):
            Cart()
            box.show()
            other.get()
            return box.total
        """,
    )
    assert found["Base.total"] == ["Cart.show"]  # that box.total is this method is not known
    assert found["Base.__init__"] == ["(module)", "main"]  # the class that is made of it uses it, too
    assert found["Cart.show"] == ["main"]
    assert found["Cart.get"] == []  # dictionaries have one too


def test_nested_functions_count_as_the_one_around_them():
    found = users_in(a="def helper():\n    pass\ndef outer():\n    def inner():\n        helper()\n    return inner\n")
    assert found["helper"] == ["outer"]


def test_users_count_through_others_and_round_in_circles():
    users = {("a", "x"): {("a", "y")}, ("a", "y"): {("a", "z"), ("a", "x")}, ("a", "z"): {("a", "x")}}
    assert count_users(users, ("a", "x")) == 2
    assert count_users({}, ("a", "x")) == 0
    many = {("a", "x"): {("a", str(number)) for number in range(2 * MOST_USERS)}}
    assert count_users(many, ("a", "x")) == MOST_USERS
