"""What a person says becomes a test; a witness becomes an answer that is ready to be given."""

from __future__ import annotations

import pytest

from analysis.errors import UsageError
from repair.compare.answers import PersonsAnswer, answer_file, modules_of, read_answer

SOURCES = (
    ("src/shop/__init__.py", b""),
    ("src/shop/prices.py", b""),
    ("tests/test_prices.py", b""),
    ("tests/more/test_more.py", b""),
    ("tests/more/test_most.py", b""),
    ("setup.py", b""),
)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("shop.half(4) == 2", PersonsAnswer("shop.half(4)", "2", raises=False)),
        ("shop.half( 'a b' )=='a'", PersonsAnswer("shop.half('a b')", "'a'", raises=False)),
        ("shop.half(None) raises TypeError", PersonsAnswer("shop.half(None)", "TypeError", raises=True)),
        ("shop.Cart().total() raises shop.Empty", PersonsAnswer("shop.Cart().total()", "shop.Empty", raises=True)),
        ("shop.half('x raises y') == 'z'", PersonsAnswer("shop.half('x raises y')", "'z'", raises=False)),
    ],
)
def test_an_answer_is_read(text: str, answer: PersonsAnswer):
    assert read_answer(text) == answer
    assert read_answer(str(answer)) == answer


@pytest.mark.parametrize(
    "text",
    [
        f"shop.half(0x{'f' * 5000}) == 1",
        f"shop.half(4) == {'-' * 900}1",
        f"x{'.a' * 900}() == 1",
        "",
        "yes",
        "shop.half(4)",
        "shop.half(4) == 2 == 2",
        "shop.half(4) < 3",
        "2 == 2",
        "shop.half(",
        "a\0 == 1",
    ],
)
def test_what_is_no_answer_is_told(text: str):
    with pytest.raises(UsageError, match="is no answer"):
        read_answer(text)


def test_answers_become_one_test_module_beside_the_tests():
    answers = [
        read_answer("shop.prices.half(4) == 2"),
        read_answer("shop.half([x for x in 'a']) raises decimal.Overflow"),
    ]
    path, content = answer_file(answers, SOURCES, ["tests/test_prices.py::test_x"])
    assert path == "tests/test_repair_answers.py"
    assert content.decode().splitlines()[2:] == [
        "import decimal",
        "import shop",
        "import shop.prices",
        "import pytest",
        "",
        "",
        "def test_answer_1():",
        "    found = shop.prices.half(4)",
        "    assert found == 2",
        "    assert type(found) is type(2)",
        "",
        "",
        "def test_answer_2():",
        "    with pytest.raises(decimal.Overflow):",
        "        shop.half([x for x in 'a'])",
    ]
    compile(content, path, "exec")


@pytest.mark.parametrize(
    ("tests", "folder"),
    [
        ([], "tests/more/"),
        (["tests"], "tests/"),
        (["test_a.py::test_b"], ""),
        (["a/test_a.py::test_b", "z/test_repair_answers.py::test_answer_1"], "z/"),
    ],
)
def test_the_module_lies_where_tests_are_collected(tests: list[str], folder: str):
    assert answer_file([read_answer("shop.half(4) == 2")], SOURCES, tests)[0] == f"{folder}test_repair_answers.py"


def test_a_name_of_no_module_is_told():
    with pytest.raises(UsageError, match=r"half in 'half\(4\) == 2' is no module"):
        answer_file([read_answer("half(4) == 2")], SOURCES, ())


def test_modules_are_named_as_they_are_imported():
    assert modules_of(SOURCES) == {"shop", "shop.prices", "test_prices", "test_more", "test_most", "setup"}


def test_answers_about_instances_bring_what_makes_them():
    answers = [
        read_answer("made(shop.Cart, items=[2]).total() == 2"),
        read_answer("after(made(shop.Cart, items=[]).add, 2) == made(shop.Cart, items=[2])"),
        read_answer("shop.third(1) == 0.333333333333"),
    ]
    _, content = answer_file(answers, SOURCES, ())
    lines = content.decode().splitlines()
    assert lines[2:4] == ["import shop", "import pytest"]
    assert "def made(kind, /, *inside, **state):" in lines
    left, right = "state_of(after(made(shop.Cart, items=[]).add, 2))", "state_of(made(shop.Cart, items=[2]))"
    assert f"    assert same({left}, {right})" in lines
    assert lines[-2] == "    assert found == pytest.approx(0.333333333333, rel=1e-9)"
    compile(content, "answers.py", "exec")


def test_the_file_of_answers_takes_no_other_files_place():
    taken = (*SOURCES, ("tests/test_repair_answers.py", b""), ("tests/test_repair_answers_2.py", b""))
    path, _ = answer_file([read_answer("shop.half(4) == 2")], taken, ["tests/test_a.py::test_b"])
    assert path == "tests/test_repair_answers_3.py"
