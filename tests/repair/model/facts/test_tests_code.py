"""The failing test cut to its failure, what it uses, and a test that passes."""

from __future__ import annotations

from fakes.matters import CHEAP, TEST, TESTS, diagnosis, frame_of, matter

from repair.model.facts.tests_code import MOST_TEST, failing_test, passing_test, what_the_test_uses

PATH = "tests/test_shop.py"


def test_what_stands_behind_the_failed_assertion_is_left_out() -> None:
    assert failing_test(matter()) == (
        "# in TestShop\n"
        "def test_price(self, shop, stocked):\n"
        "    count = 3\n"
        "    other = 4\n"
        "    assert other == 4\n"
        "    got = shop.price(count)\n"
        "    assert got == WANTED"
    )


def test_of_a_long_test_only_what_leads_to_the_failure_is_shown() -> None:
    filler = "".join(f"        other = {n}  # {'x' * 80}\n        assert other == {n}\n" for n in range(40))
    tests = TESTS.replace("        other = 4\n        assert other == 4\n", filler)
    line = next(n for n, text in enumerate(tests.splitlines(), 1) if "assert got" in text)
    frames = (frame_of(PATH, line, "TestShop.test_price", 24),)
    text = failing_test(matter(tests=tests, diagnoses=(diagnosis(frames=frames),)))
    assert text.endswith("    count = 3\n    …\n    got = shop.price(count)\n    assert got == WANTED")
    assert len(text) < MOST_TEST


def test_of_many_cases_that_of_the_failing_test_is_told_first() -> None:
    rows = ", ".join(f"({n}, 'x{n}')" for n in range(300))
    tests = TESTS.replace("def test_cheap(shop):", f'@pytest.mark.parametrize("a, b", [{rows}])\ndef test_cheap(shop):')
    text = failing_test(matter(tests=tests, diagnoses=(diagnosis(test=f"{CHEAP}[217-x217]"),)))
    assert text.startswith("@pytest.mark.parametrize('a, b', [(217, 'x217'), (0, 'x0'), (1, 'x1'), ")
    assert "…])  # cut\ndef test_cheap(shop):" in text
    assert len(text) < 700


def test_of_cases_that_all_fit_nothing_is_said_to_be_cut_and_their_names_stay() -> None:
    rows = ", ".join(f"({n}, 'x  {n}')" for n in range(14))
    case = f'@pytest.mark.parametrize("a, b", [{rows}], ids=str, indirect=["a"])'
    tests = TESTS.replace("def test_cheap(shop):", f"{case}\ndef test_cheap(shop):")
    text = failing_test(matter(tests=tests, diagnoses=(diagnosis(test=CHEAP),)))
    assert "(13, 'x  13')], ids=str, indirect=['a'])\ndef test_cheap(shop):" in text
    assert "# cut" not in text


def test_a_long_decorator_of_another_kind_is_cut() -> None:
    tests = TESTS.replace(
        "def test_cheap(shop):", f"@given([{', '.join(map(str, range(300)))}])\ndef test_cheap(shop):"
    )
    text = failing_test(matter(tests=tests, diagnoses=(diagnosis(test=CHEAP),)))
    assert text.startswith("@given([0, 1, 2, ")
    assert "…  # cut\ndef test_cheap(shop):" in text
    assert len(text) < 400


def test_of_a_test_that_is_no_function_the_lines_around_are_shown() -> None:
    frames = (frame_of(PATH, 26, "dynamic", 24),)
    text = failing_test(matter(diagnoses=(diagnosis(test=f"{PATH}::made_up", frames=frames),)))
    assert "other = 4" in text
    assert "PASSWORD" not in text
    assert failing_test(matter(diagnoses=(diagnosis(test=f"{PATH}::made_up", frames=()),))) == ""


def test_fixtures_set_up_and_constants_of_the_test_are_shown() -> None:
    text = what_the_test_uses(matter())
    for part in (
        "kind = 'a'",
        "def setup_method(self):\n    self.count = 3",
        "@pytest.fixture\ndef shop(tmp_path):\n    return make_shop()",
        '# tests/conftest.py\n@pytest.fixture(name="stocked")\ndef _stocked(shop):',
        "WANTED = 6",
    ):
        assert part in text
    assert "canary" not in text
    assert "test_cheap" not in text


def test_a_secret_constant_of_the_test_is_hidden() -> None:
    tests = TESTS.replace("assert got == WANTED", "assert got == PASSWORD")
    text = what_the_test_uses(matter(tests=tests))
    assert "PASSWORD = '[hidden]'" in text


def test_a_passing_test_of_the_function_is_shown() -> None:
    assert passing_test(matter(passing=lambda: (CHEAP,))) == (
        f"# {CHEAP}\ndef test_cheap(shop):\n    assert shop.price(0) == 2"
    )
    assert passing_test(matter()) == ""
    assert passing_test(matter(passing=lambda: (TEST, "gone.py::test_x", f"{PATH}::test_unknown"))) == ""


def test_a_file_of_tests_that_cannot_be_read_says_nothing() -> None:
    given = matter(tests=TESTS + ")", diagnoses=(diagnosis(frames=()),), passing=lambda: (CHEAP,))
    assert failing_test(given) == what_the_test_uses(given) == passing_test(given) == ""
