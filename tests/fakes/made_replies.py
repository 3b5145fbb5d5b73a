"""Replies of a model that writes programs and tests, good ones and such as have one fault each."""

IMPLEMENTATION = '''\
# === IMPLEMENTATION ===
# FILE: shop/__init__.py
"""A shop."""
# FILE: shop/prices.py
"""Prices."""


def total(prices):
    """The sum of the prices."""
    return sum(prices)


def discount(price, percent):
    """The price less so many percent."""
    return price - price * percent / 100
'''

TESTS = '''\
# === TESTS ===
# FILE: tests/test_prices.py
from shop.prices import discount, total


def test_total():
    """Quotes: `total([1, 2])` shall return 3."""
    assert total([1, 2]) == 3


def test_discount():
    assert discount(200, 10) == 180
'''

END = "# === END ===\n"
BOTH = IMPLEMENTATION + TESTS + END
HEAD = "# === IMPLEMENTATION ===\n"
CODE = "def f():\n    return 1\n"


def of_file(path, code=CODE):
    """A whole reply with one file of the implementation."""
    return f"{HEAD}# FILE: {path}\n{code}{END}"


def of_tests(path, code="def test_f():\n    assert 1 + 1 == 2\n"):
    """A whole reply with one file of tests beside an implementation."""
    return f"{IMPLEMENTATION}# === TESTS ===\n# FILE: {path}\n{code}{END}"


GOOD = {
    "plain": BOTH,
    "talk around": f"Sure! Here it is.\n\n{BOTH}\nI hope that it helps.",
    "no line end at the end": BOTH.rstrip("\n"),
    "windows' line ends": BOTH.replace("\n", "\r\n"),
    "a fence around all": f"```python\n{BOTH}```\n",
    "fences around files": BOTH.replace("# FILE: shop/prices.py\n", "# FILE: shop/prices.py\n```python\n").replace(
        "# === TESTS", "```\n# === TESTS"
    ),
    "thought aloud": f"<think>\n# === TESTS ===\n</think>\n{BOTH}",
    "long marks": BOTH.replace("===", "======"),
    "a heading in the code": BOTH.replace("\n\ndef discount", "\n\n# === DISCOUNTS ===\ndef discount"),
    "marks without blanks": BOTH.replace("# === TESTS ===", "#===TESTS==="),
    "tests first": TESTS + IMPLEMENTATION + END,
    "blank lines and comments before files": BOTH.replace(HEAD, HEAD + "\n# the program\n\n"),
    "backquotes around a path": BOTH.replace("shop/prices.py", "`shop/prices.py`"),
    "a second answer behind the end": BOTH + of_file("other.py"),
    "runner at the end": BOTH.replace(END, "\n\nif __name__ == '__main__':\n    pytest.main()\n" + END),
    "runner in an exit": BOTH.replace(END, "\nsys.exit(pytest.main([__file__]))\n" + END),
    "unittest's runner": BOTH.replace(END, "\nif __name__ == '__main__':\n    unittest.main()\n" + END),
    "a fence in a docstring": BOTH.replace('"""Prices."""', '"""Prices.\n\n```\ntotal([1])\n```\n"""'),
}
"""Each gives the files of ``BOTH``, but for a docstring and blank lines."""

BAD = {
    "empty": ("empty", ""),
    "blank": ("empty", " \n\t\n"),
    "talk alone": ("cut", "I would write a function that adds the prices."),
    "no end": ("cut", IMPLEMENTATION + TESTS),
    "thought without end": ("empty", f"<think>\n{BOTH}"),
    "no implementation": ("form", TESTS + END),
    "no tests": ("form", IMPLEMENTATION + END),
    "a section twice": ("form", IMPLEMENTATION + TESTS + IMPLEMENTATION + END),
    "notes in a section of their own": ("syntax", IMPLEMENTATION + "# === NOTES ===\nIt adds.\n" + TESTS + END),
    "code before the first file": ("form", BOTH.replace(HEAD, HEAD + "x = 1\n")),
    "a section without a file": ("empty", IMPLEMENTATION + "# === TESTS ===\n" + END),
    "a null character": ("characters", BOTH.replace("Prices", "Pri\0ces")),
    "half a character": ("characters", BOTH.replace("Prices", "Pri\udc00ces")),
    "out of the folder": ("outside", of_file("../evil.py")),
    "out of the folder inside": ("outside", of_file("shop/../../evil.py")),
    "out by a backslash": ("outside", of_file("shop\\..\\evil.py")),
    "absolute": ("outside", of_file("/etc/cron.py")),
    "a drive": ("outside", of_file("C:/evil.py")),
    "a share": ("outside", of_file("\\\\host\\evil.py")),
    "a home": ("outside", of_file("~/evil.py")),
    "a link": ("outside", of_file("shop/a.py -> /etc/passwd")),
    "a device": ("outside", of_file("shop/nul.py")),
    "a device as a folder": ("outside", of_file("COM1/a.py")),
    "a device with two endings": ("outside", of_file("aux.tar.py")),
    "a module of Python": ("outside", of_file("json.py")),
    "a package of Python": ("outside", of_file("logging/__init__.py")),
    "the runner itself": ("outside", of_file("pytest.py")),
    "a hook of the tests": ("outside", of_tests("tests/conftest.py")),
    "a hook of Python": ("outside", of_file("sitecustomize.py")),
    "a hidden file": ("outside", of_file(".bashrc.py")),
    "a hidden folder": ("outside", of_file(".git/hooks.py")),
    "no Python": ("outside", of_file("pyproject.toml")),
    "no path": ("outside", of_file("")),
    "a blank in a path": ("outside", of_file("my file.py")),
    "a letter that looks alike": ("outside", of_file("shоp/prices.py")),
    "a long path": ("outside", of_file("a" * 200 + ".py")),
    "a deep path": ("outside", of_file("a/" * 9 + "b.py")),
    "the same file twice": ("outside", BOTH.replace("shop/__init__", "shop/prices")),
    "names that differ in capitals": ("outside", BOTH.replace("shop/__init__", "shop/Prices")),
    "folders that differ in capitals": ("outside", BOTH.replace("shop/__init__", "Shop/__init__")),
    "a file and a folder of one name": ("outside", BOTH.replace("shop/__init__", "shop")),
    "tests in the program": ("outside", of_file("shop/test_prices.py")),
    "tests beside the folder": ("outside", of_tests("test_prices.py")),
    "tests in the folder of the program": ("outside", of_tests("shop/tests/test_prices.py")),
    "a program in the folder of tests": ("outside", of_file("tests/prices.py")),
    "stubs": (
        "empty",
        of_file("a.py", "def f():\n    '''Doc.'''\n    ...\n\n\nclass A:\n    def g(self):\n        pass\n"),
    ),
    "not implemented": ("empty", of_file("a.py", "def f():\n    raise NotImplementedError('later')\n")),
    "nothing but a docstring": ("empty", of_file("a.py", '"""Later."""\n')),
    "an empty file": ("empty", of_file("a.py", "")),
    "no test in the tests": ("empty", of_tests("tests/test_a.py", "x = 1\n")),
    "code that does not parse": ("syntax", of_file("a.py", "def f(:\n    return 1\n")),
    "prose for code": ("syntax", of_file("a.py", "This file adds the prices.\n")),
    "a text without its end": ("syntax", of_file("a.py", "x = '''\n")),
    "a mark inside a text": ("syntax", of_file("a.py", 'x = """\n# FILE: b.py\n"""\n')),
    "deep code": ("syntax", of_file("a.py", f"x = {'(' * 5000}{')' * 5000}\n")),
    "the program imports tests": ("import", of_file("a.py", f"import tests.test_a\n{CODE}")),
    "the program imports from tests": ("import", of_file("shop/a.py", f"from ..tests import test_a\n{CODE}")),
    "the program imports a test by its name": ("import", of_file("a.py", f"__import__('tests.test_a')\n{CODE}")),
    "the program imports the runner": ("import", of_file("a.py", f"import pytest\n{CODE}")),
    "the program asks whether tests are running": (
        "hostile",
        of_file("a.py", f"import os\n{CODE}\nif 'PYTEST_CURRENT_TEST' in os.environ:\n    f = None\n"),
    ),
    "a runner on a line with code": ("form", of_file("a.py", f"{CODE}x = 1; pytest.main()\n")),
    "41 files": ("over-long", HEAD + "".join(f"# FILE: m{n}.py\n{CODE}" for n in range(41)) + END),
    "too many bytes": ("over-long", of_file("a.py", f"x = {'1' * 400_001}\n")),
    "too many letters": ("over-long", "talk " * 100_000 + BOTH),
}
"""The kind of each fault, and the reply. A file of a reply without tests is asked for alone."""
