"""Which files are the program."""

from __future__ import annotations

from analysis.project_files import program_files

FILES = (
    "setup.py",
    "docs/conf.py",
    "docs/__init__.py",
    "src/shop/__init__.py",
    "src/shop/cart.py",
    "src/shop/tests/test_cart.py",
    "tests/helper.py",
    "tests/test_shop.py",
    "tool.py",
    "checks/suite.py",
    "bench/run.py",
)


def test_packages_are_the_program_and_what_stands_beside_them_is_not():
    assert program_files(FILES, {"checks/suite.py"}, set()) == ("src/shop/__init__.py", "src/shop/cart.py")


def test_what_tests_run_is_the_program_whatever_its_name():
    run = {"tool.py", "bench/run.py", "tests/helper.py", "checks/suite.py"}
    found = program_files(FILES, {"checks/suite.py"}, run)
    assert found == ("src/shop/__init__.py", "src/shop/cart.py", "tool.py", "bench/run.py")


def test_a_module_alone_that_no_test_runs_is_not_told_from_a_script():
    assert program_files(("shop.py", "test_shop.py"), {"test_shop.py"}, set()) == ()
