"""Examples of a docstring: which ask something, what they become, and what they say of a candidate."""

import runpy
import sys
from dataclasses import replace
from types import SimpleNamespace

import pytest
from fakes.sandbox import FakeSandbox, run_of
from fakes.submission import PATH, scope_in, submission_of

from analysis.facts import Frame, FunctionId, InvalidRun, Limits, Outcome, RunFault, SeenError, TestId
from repair.compare.examples import MOST, ExampleRun, Examples, read_examples
from transforms.patch.apply import complete
from transforms.tree.proposal import Origin

DOCSTRING = """The price.

    >>> price('1.5')
    15
    >>> import decimal
    >>> price(decimal.Decimal(2))
    20
    """
OLD = f'def price(text):\n    """{DOCSTRING}"""\n    return 0\n'.encode()
NEW = OLD.replace(b"return 0", b"return round(float(text) * 10)")
FIRST, SECOND = (TestId(f"test_repair_examples.py::test_example_{number}") for number in (1, 2))


def examined(answer, old=OLD, new=NEW, **given):
    sandbox = FakeSandbox(lambda tests, *_: answer(tests))
    return ExampleRun(sandbox, Limits()).of(submission_of(old=old, new=new, **given)), sandbox


def all_hold(tests):
    return run_of(dict.fromkeys(tests, Outcome.PASSED))


def second_fails(tests, raised=None):
    run = run_of({FIRST: Outcome.PASSED, SECOND: Outcome.FAILED})
    results = tuple(replace(r, exceptions=(raised,) if raised and r.exceptions else r.exceptions) for r in run.results)
    return replace(run, results=results)


@pytest.mark.parametrize(
    ("docstring", "texts"),
    [
        ("", []),
        ("No example.", []),
        (DOCSTRING, ["price('1.5') gives 15", "price(decimal.Decimal(2)) gives 20"]),
        (">>> price(1) == 10", ["price(1) == 10"]),
        (">>> price(1)", []),
        (">>> cost = 3", []),
        (">>> price(1)\n[1, ..., 9]", []),
        (
            ">>> price()\nTraceback (most recent call last):\nTypeError: x",
            ["price() gives Traceback (most recent call last): TypeError: x"],
        ),
        (">>>price(1)\n10", []),
        (">>> price(1)  # doctest: +SKIP\n10", []),
        (">>> price(1)  # doctest: +NORMALIZE_WHITESPACE\n10", []),
        (">>> print(price(1))\n10", ["print(price(1)) gives 10"]),
        (f">>> price({'-' * 100_000}1)\n10", []),
    ],
)
def test_what_asks_something(docstring, texts):
    assert [asked.text for asked in read_examples(docstring)] == texts


def test_examples_that_hold_stand_beside_the_tests():
    found, sandbox = examined(all_hold)
    assert (found.tests, found.broken) == ((FIRST, SECOND), ())
    assert [path for path, _ in found.files] == ["test_repair_examples.py"]
    assert sandbox.asked[0][0] == (FIRST, SECOND)


def test_an_example_that_does_not_hold_is_told():
    found, _ = examined(second_fails)
    assert found.tests == (FIRST,)
    assert found.broken == ("price(decimal.Decimal(2)) gives 20",)


@pytest.mark.parametrize(("path", "told"), [(PATH, True), ("other.py", False)])
def test_an_exception_of_the_function_itself_does_not_hold_and_one_of_the_example_says_nothing(path, told):
    raised = SeenError(
        "NameError", ("NameError", "Exception"), "x", (Frame(path, True, 1, None, None, None, "price", "price", 1),)
    )
    found, _ = examined(lambda tests: second_fails(tests, raised))
    assert bool(found.broken) is told
    assert found.tests == (FIRST,)


@pytest.mark.parametrize(
    "given",
    [
        {"old": OLD.replace(b">>>", b"..."), "new": NEW.replace(b">>>", b"...")},
        {"old": OLD.replace(b"price('", b"cost('").replace(b"price(d", b"cost(d")},
        {"vouching": ()},
    ],
)
def test_no_example_none_of_the_function_or_no_test_means_none(given):
    found, sandbox = examined(all_hold, **given)
    assert found == Examples()
    assert not sandbox.asked


def test_examples_of_the_old_docstring_count_where_the_change_takes_them_out():
    found, sandbox = examined(all_hold, new=b"def price(text):\n    return round(float(text) * 10)\n")
    assert (found.tests, found.broken) == ((FIRST, SECOND), ())
    assert len(sandbox.asked) == 1


@pytest.mark.parametrize(("before", "told"), [(Outcome.PASSED, True), (Outcome.FAILED, False)])
def test_an_example_that_the_change_takes_out_is_told_where_it_held_before(before, told):
    def answer(tests):
        return second_fails(tests) if len(tests) > 1 else run_of({SECOND: before})

    found, sandbox = examined(answer, new=NEW.replace(b"20", b"30"))
    assert found.broken == (("price(decimal.Decimal(2)) gives 20",) if told else ())
    assert [asked[0] for asked in sandbox.asked] == [(FIRST, SECOND), (SECOND,)]


def test_an_example_that_is_taken_out_says_nothing_where_the_old_program_gives_no_answer():
    def answer(tests):
        return second_fails(tests) if len(tests) > 1 else InvalidRun(RunFault.TIMEOUT, "time is up")

    assert examined(answer, new=NEW.replace(b"20", b"30"))[0].broken == ()


def test_a_run_without_a_verdict_means_none():
    found, _ = examined(lambda tests: InvalidRun(RunFault.TIMEOUT, "time is up"))
    assert found == Examples()


def test_so_many_are_tried():
    lines = "".join(f"    >>> price({n})\n    {n}\n" for n in range(MOST + 5))
    text = f'def price(text):\n    """Prices.\n\n{lines}    """\n    return text\n'.encode()
    found, _ = examined(all_hold, old=text, new=text.replace(b"return text", b"return text + 0"))
    assert len(found.tests) == MOST


@pytest.mark.parametrize(
    ("docstring", "body", "ends"),
    [
        (DOCSTRING, "return round(float(text) * 10)", ["", ""]),
        (DOCSTRING, "return float(text) * 10", ["AssertionError", "AssertionError"]),
        (DOCSTRING, "return unknown", ["NameError", "NameError"]),
        (">>> price(1) == 10", "return 10", [""]),
        (">>> price(1) == 10", "return 11", ["AssertionError"]),
        (">>> price(1)\n    <class 'int'>", "return type(text)", [""]),
        (">>> price(1)\n    Traceback (most recent call last):\n    ValueError: x", "raise ValueError('y')", [""]),
        (
            ">>> price(1)\n    Traceback (most recent call last):\n    ValueError: x",
            "raise KeyError",
            ["AssertionError"],
        ),
        (">>> price(1)\n    Traceback (most recent call last):\n    ValueError: x", "return 1", ["AssertionError"]),
        (">>> price(missing)\n    1", "return 1", ["NameError"]),
        (
            ">>> price(missing)\n    Traceback (most recent call last):\n    ValueError: x",
            "raise ValueError('x')",
            ["NameError"],
        ),
        (
            ">>> price(1)\n    Traceback (most recent call last):\n    ValueError: x",
            "return unknown",
            ["AssertionError"],
        ),
        (">>> print(price(1))\n    ten", "return 'ten'", [""]),
        (">>> print(price(1))\n    ten", "return 'eleven'", ["AssertionError"]),
        (">>> print('a'), print(price(1))\n    a\n    b\n    (None, None)", "return 'b'", [""]),
        (">>> print(price(1))\n    a\n    <BLANKLINE>\n    b", r"return 'a\n\nb'", [""]),
        (">>> price(1)\n    None", "return None", [""]),
        (">>> price(1)\n    'ten'", "return type('Text', (str,), {})('ten')", [""]),
        (
            ">>> price(0)\n    Traceback (most recent call last):\n    ZeroDivisionError: x\n    >>> price(2)\n    5.0",
            "return 10 / text",
            ["", ""],
        ),
    ],
)
def test_what_the_tests_of_examples_say(tmp_path, monkeypatch, docstring, body, ends):
    assert ends_of_examples(tmp_path, monkeypatch, docstring, body) == ends


def test_an_example_may_name_what_only_the_package_hands_on(tmp_path, monkeypatch):
    package = tmp_path / "stall"
    package.mkdir()
    (package / "__init__.py").write_text("from stall.prices import price\nEURO = 7\nTAX = 1\n")
    head, price = b"TAX = 2\n\n\n", b'def price(coin):\n    """>>> price(EURO) + TAX\n    9\n    """\n    return coin\n'
    (package / "prices.py").write_bytes(head + price)
    monkeypatch.syspath_prepend(str(tmp_path))
    old = head + price.replace(b"return coin", b"return 0")
    candidate = complete(scope_in(old, path="stall/prices.py"), price, Origin("search", "names"))
    given = replace(submission_of(), candidate=candidate, sources=(("stall/prices.py", old),))
    found = ExampleRun(FakeSandbox(lambda tests, *_: all_hold(tests)), Limits()).of(given)
    (tmp_path / "made.py").write_bytes(found.files[0][1])
    assert ended(runpy.run_path(str(tmp_path / "made.py"))["test_example_1"]) == ""


@pytest.mark.parametrize(
    ("held", "rivals", "against"),
    [
        ({}, {SECOND: Outcome.FAILED}, True),
        ({}, {}, False),
        ({}, {SECOND: Outcome.SKIPPED}, False),
        ({SECOND: Outcome.FAILED}, {SECOND: Outcome.FAILED}, False),
        ({FIRST: Outcome.FAILED, SECOND: Outcome.FAILED}, {}, False),
    ],
)
def test_examples_that_hold_with_the_candidate_speak_against_a_rival_that_breaks_them(held, rivals, against):
    text = OLD.replace(b"return 0", b"return round(float(text)) * 10")
    rival = submission_of(old=OLD, new=text).candidate

    def answer(tests, files, _):
        says = rivals if dict(files)[PATH] == dict(rival.files)[PATH] else held
        return run_of({test: says.get(test, Outcome.PASSED) for test in tests})

    run = ExampleRun(FakeSandbox(answer), Limits())
    assert run.speak_against(submission_of(old=OLD, new=NEW), rival) is against


def test_a_rival_that_cannot_be_run_is_one_still():
    def answer(tests, files, _):
        return InvalidRun(RunFault.EXITED, "gone") if b"99" in dict(files)[PATH] else all_hold(tests)

    rival = submission_of(old=OLD, new=OLD.replace(b"return 0", b"return 99")).candidate
    assert not ExampleRun(FakeSandbox(answer), Limits()).speak_against(submission_of(old=OLD, new=NEW), rival)


@pytest.mark.parametrize(("other", "ends"), [(False, [""]), (True, ["LookupError"])])
def test_a_module_of_another_place_answers_for_nothing(tmp_path, monkeypatch, other, ends):
    place = tmp_path / "installed.py" if other else None
    assert ends_of_examples(tmp_path, monkeypatch, ">>> price(1)\n    1", "return 1", place) == ends


@pytest.mark.parametrize(
    ("qualname", "example", "named"),
    [
        ("Stock.take", "stock.take(1)\n1", True),
        ("Stock.__init__", "Stock(1).items\n1", True),
        ("Stock.take", "sorted([1])\n[1]", False),
        ("take", "sorted([1])\n[1]", False),
    ],
)
def test_which_examples_name_the_function(qualname, example, named):
    (asked,) = read_examples(f">>> {example}")
    assert asked.names(FunctionId(PATH, qualname, 1)) is named


def test_a_line_that_leads_to_an_example_may_name_the_function():
    (asked,) = read_examples(">>> stock.take(1)\n>>> stock.items\n[1]")
    assert asked.names(FunctionId(PATH, "Stock.take", 1))


def ends_of_examples(folder, monkeypatch, docstring, body, place=None):
    """How each example's test ends with this body; the module is loaded from another ``place`` where one is given."""
    source = f'def price(text):\n    """{docstring}\n    """\n    {body}\n'
    (folder / PATH).write_text(source)
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.delitem(sys.modules, "shop", raising=False)
    if place is not None:
        monkeypatch.setitem(sys.modules, "shop", SimpleNamespace(__file__=str(place), price=int))
    old = source.replace(body, "return []").encode()
    found, _ = examined(all_hold, old=old, new=source.encode())
    (folder / "made.py").write_bytes(found.files[0][1])
    tests = [test for name, test in runpy.run_path(str(folder / "made.py")).items() if name.startswith("test_")]
    return [ended(test) for test in tests]


def ended(test):
    try:
        test()
    except Exception as problem:  # noqa: BLE001 - which one is the question
        return type(problem).__name__
    return ""
