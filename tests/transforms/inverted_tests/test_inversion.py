"""The impossible twin: each assertion asks for what cannot be, and nothing else moves."""

import pytest

from analysis.function_text import Unreadable
from transforms.inverted_tests.inversion import MARK, Twin, impossible_twin


def twin_of(text, encoding="utf-8"):
    made = impossible_twin(text.encode(encoding))
    assert isinstance(made, Twin)
    return made


def changed(body):
    """What becomes of the lines of one test, without what is put behind them."""
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    made = twin_of(f"def test_it(self):\n{lines}").source.decode()
    return "\n".join(line[4:].split("; raise RuntimeError")[0] for line in made.splitlines()[1:])


@pytest.mark.parametrize(
    ("body", "twin"),
    [
        ("assert f() == 5", "assert f() == 12"),
        ("assert 5 == f()", "assert 12 == f()"),
        ("assert f() == -5", "assert f() == 2"),
        ("assert f() == 1e300", "assert f() == 5e+299"),
        ("assert f() == 'a'", "assert f() == 'a~'"),
        ('assert f() == """a\nb"""', 'assert f() == """a\nb~"""'),
        ("assert f() == b'a'", "assert f() == b'a~'"),
        ("assert f() == f'{x}'", "assert f() == f'{x}~'"),
        ("assert f() == ''", "assert f() == '~'"),
        ("assert f() is True", "assert f() is False"),
        ("assert f() is None", "assert f() is (None, object())[1]"),
        ("assert f() == [1, 2]", 'assert f() == [1, 2, "~"]'),
        ("assert f() == []", 'assert f() == ["~"]'),
        ("assert f() == (1,)", 'assert f() == (1, "~")'),
        ("assert f() == ()", 'assert f() == ("~",)'),
        ("assert f() == {'a': 1}", 'assert f() == {\'a\': 1, "~": "~"}'),
        ("assert f() == {1}", 'assert f() == {1, "~"}'),
        ("assert f() == [\n    1,  # one\n]", "assert f() == ([\n    1,  # one\n], object())[1]"),
        ("assert f() == expected", "assert f() == (expected, object())[1]"),
        ("assert f() == approx(2.5)", "assert f() == (approx(2.5), object())[1]"),
        ("assert f() == float('nan')", "assert f() == (float('nan'), object())[1]"),
        ("assert a and f() == 5, 'why'", "assert a and f() == 12, 'why'"),
        ("assert 0 < f() == 5", "assert 0 < f() == 12"),
        ("assert 'x' in f()", "assert ('x', object())[1] in f()"),
        ("assert f() >= 5", "assert not (f() >= 5)"),
        ("assert f() == 5 or g()", "assert not (f() == 5 or g())"),
        ("assert not f() == 5", "assert not (not f() == 5)"),
        ("assert (n := f())", "assert (not (n := f()))"),
        ("self.assertEqual(f(), 5)", "self.assertEqual(f(), 12)"),
        ("self.assertEqual(5, f())", "self.assertEqual(12, f())"),
        ("self.assertAlmostEqual(f(), 5.0)", "self.assertAlmostEqual(f(), (5.0, object())[1])"),
        ("self.assertIn(1, f())", "self.assertIn((1, object())[1], f())"),
        ("self.assertTrue(f())", "self.assertFalse(f())"),
        ("self.assertNotIn(1, f())", "self.assertIn(1, f())"),
        ("self.assertEqual(*f())", "self.assertNotEqual(*f())"),
        ("m.assert_called_once_with(1, a=2)", "m.assert_called_once_with((1, object())[1], a=2)"),
        ("m.assert_called_with()", "m.assert_called_with(object())"),
        ("m.assert_not_called()", "m.assert_called()"),
        (
            "with pytest.raises(KeyError, match='x'):\n    f()",
            "with pytest.raises((KeyError, type(\"Never\", (Exception,), {}))[1], match='x'):\n    f()",
        ),
        ("self.assertRaises(KeyError, f)", 'self.assertRaises((KeyError, type("Never", (Exception,), {}))[1], f)'),
        (
            "with pytest.warns(UserWarning):\n    f()",
            'with pytest.warns((UserWarning, type("Never", (Warning,), {}))[1]):\n    f()',
        ),
    ],
)
def test_each_form_of_assertion_asks_for_something_else(body, twin):
    assert changed(body) == twin


@pytest.mark.parametrize(
    "body",
    [
        "try:\n    assert f() == 5\nexcept AssertionError:\n    pass",
        "with suppress(AssertionError):\n    assert f() == 5",
        "def inner():\n    assert f() == 5\ninner()",
        "assert_prices(5)",
        "with raises_something(KeyError):\n    f()",
        "x = f() == 5",
        "with pytest.raises(match='x'):\n    f()",
        "self.assertLogs(f)",
    ],
)
def test_what_may_be_swallowed_or_is_not_understood_stays(body):
    text = "def test_it(self):\n" + "".join(f"    {line}\n" for line in body.splitlines())
    assert twin_of(text) == Twin(text.encode(), ())


def test_conditions_are_turned_round_only_where_no_value_is_asked_for():
    both = changed("assert f()\nassert g() == 5")
    assert both == "assert f()\nassert g() == 12"


def test_whoever_comes_beyond_an_assertion_says_so():
    assert (
        f'; raise RuntimeError("{MARK}: what line 2 asks for holds")'
        in twin_of("def test_it():\n    assert f() == 5\n").source.decode()
    )


def test_fixtures_set_up_and_module_level_stay():
    text = (
        "assert START == 1\n@pytest.fixture\ndef shop():\n    assert f() == 1\n"
        "class TestIt:\n    def setUp(self):\n        assert f() == 1\n"
        "    def __eq__(self, other):\n        assert f() == 1\n"
    )
    assert twin_of(text) == Twin(text.encode(), ())


def test_what_was_changed_is_told_with_its_lines():
    made = twin_of(
        "class TestIt:\n    @pytest.mark.slow\n    def test_a(self):\n        assert f(\n        ) == 5\n"
        "    @retried\n    def test_b(self):\n        assert f()\n"
        "def check(x):\n    with shop():\n        assert x == 5\n"
    )
    told = [(p.function, p.first, p.last, p.by_value, p.bare) for p in made.perturbed]
    assert told == [
        ("TestIt.test_a", 4, 5, True, True),
        ("TestIt.test_b", 8, 8, False, False),
        ("check", 11, 11, True, False),
    ]


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1", "utf-8-sig"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_columns_are_told_whatever_the_encoding_and_line_ends(encoding, newline):
    declared = "latin-1" if encoding == "latin-1" else "utf-8"
    text = f"# coding: {declared}\ndef test_it():\n    assert 'é', 1; assert f('é') == 5  # é\n".replace("\n", newline)
    made = twin_of(text, encoding).source.decode(encoding)
    assert made.replace("12", "5").split(";")[0] == text.split(";")[0]
    assert "assert f('é') == 12; raise" in made
    assert made.endswith(f"  # é{newline}")


def test_text_that_cannot_be_read_has_no_twin():
    assert isinstance(impossible_twin(b"def test_it(:\n"), Unreadable)


def test_the_twin_of_every_assertion_fails_where_the_assertion_holds():
    """Control: run both."""
    text = (
        "def test_it():\n    f = lambda: 5\n    assert f() == 5\n"
        "def test_text():\n    assert 'ab'.upper() == 'AB'\n"
        "def test_weak():\n    assert len([1]) >= 1\n"
        "def test_in():\n    assert 'a' in 'abc'\n"
    )
    for source, holds in ((text.encode(), True), (twin_of(text).source, False)):
        space = {}
        exec(source, space)
        for name in ("test_it", "test_text", "test_weak", "test_in"):
            assert _passes(space[name]) is holds, name


def _passes(test):
    try:
        test()
    except (AssertionError, TypeError):
        return False
    return True
