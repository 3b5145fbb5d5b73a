"""Properties that are run on generated inputs."""

import ast

import pytest

from analysis.behaviour import Raised, Returned
from analysis.calls import PlainAnswer
from analysis.facts import InvalidRun, Limits
from analysis.specified.asserted import KnownFunction, facts_of_tests
from analysis.specified.docstring_facts import docstring_facts
from analysis.stated.function import stated_functions
from repair.survey.specified.instances import ClassTexts
from repair.survey.specified.property_drift import CalledProgram, find_broken_properties

LOWER = 'def lower(text: str) -> str:\n    """Make it small.\n\n    Idempotent.\n    """\n    return text.lower()\n'
ADDING = LOWER.replace("text.lower()", "text + '.'")
LATE = LOWER.replace("text.lower()", "text[1:] if len(text) > 3 else text")
PAIR = (
    'def pack(text: str) -> str:\n    """Pack.\n\n    `unpack(pack(text)) == text`."""\n    return "<" + text + ">"\n'
    "def unpack(text: str) -> str:\n    return text[1:-1]\n"
)
SAME = (
    'def first(row: list[int]):\n    """Take one.\n\n    The same as `head`.\n    """\n    return row[0]\n'
    "def head(row: list[int]):\n    return row[0]\n"
)
NEVER = 'def number(text: str):\n    """Read it.\n\n    Never raises ValueError.\n    """\n    return len(text)\n'


METHODS = '''
class Vault:
    def __init__(self):
        self.kept = {}

    def put(self, text: str) -> str:
        """Keep it.

        `back(put(text)) == text`.
        """
        self.kept["k" + text] = text
        return "k" + text

    def back(self, key: str) -> str:
        return self.kept[key]

    def short(self, text: str) -> str:
        """Cut it.

        Idempotent.
        """
        return text[:3]

    def copy(self, text: str) -> str:
        """Cut it.

        The same as `short`.
        """
        return self.short(text)
'''


class Running:
    """Runs functions of the program in this process."""

    def __init__(self, source):
        self.names = {}
        exec(source, self.names)

    def call_apart(self, function, calls, files=(), *, limits=None, like_tests=False):
        for _, content in files:  # what is laid beside the class
            exec(content.decode().partition("\n")[2], self.names)
        return tuple(self._answer(self.names[function.qualname], each) for each in calls)

    def _answer(self, function, given):
        args, named = given.values()
        try:
            return PlainAnswer("", Returned(repr(function(*args, **named))))
        except Exception as problem:  # noqa: BLE001 - whatever the program raises is its answer
            return PlainAnswer("", Raised(type(problem).__name__, repr(str(problem))))


def broken(source, name, tests="", sandbox=None):
    functions = {f"a.py:{each.qualname}": each for each in stated_functions("a.py", ast.parse(source))}
    facts = {subject: list(docstring_facts("a.py", each)) for subject, each in functions.items()}
    named = {each.qualname: KnownFunction(subject, each) for subject, each in functions.items()}
    for fact in facts_of_tests("test_a.py", ast.parse(tests), named):
        facts[fact.subject].append(fact)
    sources = (("a.py", source.encode()),)
    texts = ClassTexts({"a.py": ast.parse(source)}, sources)
    program = CalledProgram(sandbox or Running(source), functions, facts, sources, Limits(), texts)
    return find_broken_properties(program, f"a.py:{name}")


@pytest.mark.parametrize(
    ("source", "name"),
    [
        (LOWER, "lower"),
        (PAIR, "pack"),
        (SAME, "first"),
        (NEVER, "number"),
    ],
)
def test_a_property_that_holds_is_held_and_nothing_is_found(source, name):
    found = broken(source, name)
    assert found.drifted == ()
    assert found.problem == ""
    assert (found.held, found.calls >= 10) == (1, True)


@pytest.mark.parametrize(
    ("source", "name", "call", "does", "then"),
    [
        (ADDING, "lower", "lower('')", "'.'", "lower('.') returns '..'"),
        (LATE, "lower", None, None, None),
        (PAIR.replace("[1:-1]", "[1:]"), "pack", "pack('')", "'<>'", "unpack('<>') returns '>'"),
        (SAME.replace("return row[0]\ndef", "return row[-1]\ndef"), "first", None, None, None),
        (SAME.replace("\n    return row[0]\ndef", "\n    return 0\ndef"), "first", "first([])", "0", None),
        (NEVER.replace("len(text)", "int(text)"), "number", "number('')", None, ""),
    ],
)
def test_a_counterexample_is_told_with_its_input(source, name, call, does, then):
    (found,) = broken(source, name).drifted
    assert call in (None, found.call.source)
    assert does is None or found.does == Returned(does)
    assert then in (None, found.then)


def test_the_inverse_is_run_on_what_the_other_one_takes():
    source = (
        "def encode(n: int) -> str:\n    return str(n)\n"
        'def decode(text: str) -> int:\n    """Read.\n\n    The inverse of `encode`.\n    """\n    return int(text)\n'
    )
    assert broken(source, "decode").drifted == ()  # "007" is no number's text: it is not asked about
    (found,) = broken(source.replace("int(text)\n", "abs(int(text))\n"), "decode").drifted
    assert found.call.source.startswith("encode(-")
    assert found.then.startswith("decode('-")


def test_inputs_are_like_those_of_tests_where_nothing_is_annotated():
    bare = ADDING.replace("text: str) -> str", "text)")
    assert broken(bare, "lower").problem == "a property, and nothing says what the function takes"
    (found,) = broken(bare, "lower", "def test():\n    assert lower('ab') == 'ab.'\n").drifted
    assert found.then


@pytest.mark.parametrize(
    ("source", "name", "why"),
    [
        (SAME.replace("`head`", "`tail`"), "first", "the other function is none of the program's"),
        (NEVER.replace("len(text)", "open(text)"), "number", "files"),
        (
            "class A:\n    def __init__(self, n): ...\n"
            + "".join(f"    {line}\n" for line in LOWER.splitlines()).replace("(text", "(self, text"),
            "A.lower",
            "no test, example or constructor says how an object is made",
        ),
        (
            METHODS.replace("`back(put", "`gone(put"),
            "Vault.put",
            "a property, and the other function is none of the program's",
        ),
        (LOWER.replace("text: str)", "text: str, more: int)"), "lower", "too few inputs"),
        ("seen = []\n" + LOWER.replace("text.lower()", "seen.append(1) or str(len(seen))"), "lower", "another answer"),
    ],
)
def test_what_is_not_run_says_why(source, name, why):
    found = broken(source, name)
    assert why in found.problem
    assert (found.drifted, found.held) == ((), 0)


GET = '''class Box:
    def __init__(self):
        self.held = {1: 2}

    def get(self, key):
        """Look it up.

        This method never raises a KeyError.
        """
        return self.held.get(key)
'''


@pytest.mark.parametrize("name", ["put", "short", "copy"])
def test_properties_of_methods_that_hold(name):
    told = broken(METHODS, f"Vault.{name}")
    assert (told.drifted, told.problem, told.held) == ((), "", 1)


@pytest.mark.parametrize(
    ("name", "old", "new", "then"),
    [
        ("put", "self.kept[key]", "self.kept[key][1:]", "Vault().back("),
        ("put", "self.kept[key]", "self.gone[key]", "raises AttributeError"),
        ("short", "text[:3]", "text[1:]", "Vault().short("),
        ("copy", "return self.short(text)", "return text", "Vault().short("),
    ],
)
def test_counterexamples_of_methods_are_told_with_their_object(name, old, new, then):
    assert old in METHODS
    (found,) = broken(METHODS.replace(old, new), f"Vault.{name}").drifted
    assert found.call.source.startswith(f"Vault().{name}(")
    assert then in found.then


def test_what_a_method_never_raises_is_tried_on_anything():
    found = broken(GET, "Box.get")
    assert (found.drifted, found.problem, found.held) == ((), "", 1)
    (drifted,) = broken(GET.replace(".get(key)\n", "[key]\n"), "Box.get").drifted
    assert drifted.call.source.startswith("Box().get(")
    assert drifted.does.type == "KeyError"


def test_a_run_that_is_none_is_told():
    class Lost:
        def call_apart(self, *rest, **named):
            return InvalidRun("lost", "the module could not be imported")

    assert broken(LOWER, "lower", sandbox=Lost()).problem == "the module could not be imported"
