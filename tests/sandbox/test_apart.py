"""A function called on plain values in a process of its own."""

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from fakes.bare import bare_target

from analysis.behaviour import Returned
from analysis.calls import CallInput, PlainAnswer
from analysis.facts import FunctionId, InvalidRun, Limits
from repair.records.witness_text import describe_behaviour
from sandbox.process import Finished
from sandbox.sandbox import LocalSandbox
from sandbox.wire import read_results

LIB = """
    import functools, os, sys

    def halve(x):
        return x / 2

    def typed(x):
        return {"bool": True, "int": 1, "float": 1.0, "sub": Int(1)}[x]

    class Int(int):
        pass

    class Shop:
        @staticmethod
        def price(text):
            return int(text)

        def sell(self):
            return self

    def around():
        found = ["pytest" in sys.modules, "PYTEST_CURRENT_TEST" in os.environ, "pytest" in sys.argv[0]]
        return found + [any("_repair_probe" in name for name in sys.modules), hash("a")]

    def leaves():
        os._exit(3)

    def endless():
        while True:
            pass

    count = iter(range(1000))

    def numbered():
        return next(count)

    @functools.lru_cache
    def kept(x):
        return x

    def named(a, *, b=2):
        print("to nobody")
        return a - b
    """


@pytest.fixture(scope="module")
def sandbox(
    tmp_path_factory: pytest.TempPathFactory, write: Callable[[Path, Mapping[str, str]], Path]
) -> Iterator[LocalSandbox]:
    files = {"pkg/__init__.py": "", "pkg/lib.py": LIB, "pkg/broken.py": "import nowhere\ndef f(): pass\n"}
    root = write(tmp_path_factory.mktemp("apart"), files)
    with LocalSandbox(bare_target(root)) as opened:
        yield opened


Ask = Callable[..., tuple[PlainAnswer | None, ...] | InvalidRun]


@pytest.fixture
def ask(sandbox: LocalSandbox) -> Ask:
    def asked(
        name: str, *args: str, path: str = "pkg/lib.py", kwargs: str = "{}", like_tests: bool = False
    ) -> tuple[PlainAnswer | None, ...] | InvalidRun:
        calls = [CallInput(each, kwargs) for each in args]
        limits = Limits(wall_seconds=30)
        return sandbox.call_apart(FunctionId(path, name, 1), calls, limits=limits, like_tests=like_tests)

    return asked


def shown(told: tuple[PlainAnswer | None, ...] | InvalidRun) -> list[str | None]:
    assert not isinstance(told, InvalidRun), told
    return [each and describe_behaviour(each.behaviour) for each in told]


def test_results_and_exceptions_come_back_in_the_order_of_the_calls(ask: Ask) -> None:
    assert shown(ask("halve", "(3,)", "(4,)", "('x',)"))[:2] == ["returns 1.5", "returns 2.0"]
    assert shown(ask("Shop.price", "('7',)", "('x',)"))[0] == "returns 7"
    assert shown(ask("named", "(7,)", kwargs="{'b': 1}")) == ["returns 6"]


def test_exact_types_are_told_apart(ask: Ask) -> None:
    told = ask("typed", "('bool',)", "('int',)", "('float',)", "('sub',)")
    assert shown(told)[:3] == ["returns True", "returns 1", "returns 1.0"]
    assert isinstance(told, tuple)
    assert len({each.digest for each in told if each}) == 4


def test_nothing_there_looks_like_a_test_unless_it_is_asked_for(ask: Ask) -> None:
    (plain,) = shown(ask("around", "()"))
    (tested,) = shown(ask("around", "()", like_tests=True))
    assert plain is not None
    assert tested is not None
    assert plain.startswith("returns [False, False, False, False, ")
    assert tested.startswith("returns [True, True, True, False, ")
    assert plain.split()[-1] != tested.split()[-1], "hashes have another seed"


def test_another_order_shows_what_hangs_on_earlier_calls(ask: Ask) -> None:
    numbers = [text and int(text.split()[1]) for text in shown(ask("numbered", *["()"] * 20))]
    assert sorted(map(int, filter(None, numbers)))[-1] == 19
    assert numbers != list(range(20))


def test_a_call_without_end_has_no_answer(ask: Ask) -> None:
    assert shown(ask("endless", "()")) == [None]


@pytest.mark.parametrize(
    ("name", "path", "why"),
    [
        ("Shop.sell.x", "pkg/lib.py", "AttributeError"),
        ("nothing", "pkg/lib.py", "AttributeError"),
        ("kept", "pkg/lib.py", "no plain function"),
        ("f", "pkg/broken.py", "ModuleNotFoundError"),
        ("leaves", "pkg/lib.py", "3"),
    ],
)
def test_what_cannot_be_called_by_itself_says_why(ask: Ask, name: str, path: str, why: str) -> None:
    answer = ask(name, "()", path=path)
    assert isinstance(answer, InvalidRun)
    assert why in answer.detail


@pytest.mark.parametrize("told", ['"x"', "[]", "[1, 2]"])
def test_a_misshapen_answer_is_not_believed(told: str) -> None:
    report = f'{{"event":"answer","nonce":"n","why":"","told":{told}}}\n'.encode()
    finished = Finished(0, b"", report, 0.1, None)
    assert isinstance(read_results(finished, "n", 1), InvalidRun)
    assert isinstance(read_results(finished, "other", 1), InvalidRun)


def test_a_misshapen_entry_is_no_answer() -> None:
    told = {"kind": "returned", "value": "1", "whole": True, "left": "", "incidental": False}
    entries = [["d", told], ["d", 2], ["d", "returns 1"], [3, told], ["d", dict(told, kind="given")], None]
    report = json.dumps({"event": "answer", "nonce": "n", "why": "", "told": entries}).encode() + b"\n"
    answers = read_results(Finished(0, b"", report, 0.1, None), "n", len(entries))
    assert answers == (PlainAnswer("d", Returned("1")), *[None] * 5)
