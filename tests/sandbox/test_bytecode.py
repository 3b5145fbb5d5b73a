"""Byte code of large projects: used where the text is the snapshot's, out of every run's reach, and never a must."""

from __future__ import annotations

import pytest

from analysis.facts import Outcome
from sandbox.bytecode import CACHE
from sandbox.jail import choose
from sandbox.jail_protocol import NO_JAIL

FILES = {
    "shop/__init__.py": "",
    "shop/price.py": "def price():\n    return 1\n",
    "shop/odd.py": "PATTERN = '\\d'\n",
    "shop/broken.py": "def (:\n",
    "test_it.py": """
        import os
        from shop import price

        def test_price():
            assert price.price() == 1

        def test_it_cannot_be_changed():
            folder = os.path.join(os.path.dirname(price.__file__), "__pycache__")
            for path in (price.__cached__, folder + "/planted.pyc"):
                try:
                    with open(path, "r+b" if os.path.exists(path) else "wb") as file:
                        file.write(b"x")
                except OSError:
                    continue
                assert not os.path.islink(folder), path

        def test_which():
            assert os.path.exists(price.__cached__)
        """,
}


@pytest.fixture
def jail():
    """The one that a run would take here: each kind's probes show that nothing outside the copy can be written."""
    found = choose("auto")
    if "write-outside" not in found.stops:
        pytest.skip(f"no walls hold here: {found.detail}")
    return found


@pytest.fixture
def small(monkeypatch):
    """Every project counts as large."""
    monkeypatch.setattr("sandbox.bytecode.LEAST", 0)


def outcomes(sandbox, files=()):
    return {r.test.rpartition("::")[2]: r.outcome for r in sandbox.run([], files).results}


def test_from_the_second_run_on_there_is_byte_code_that_no_run_can_change(project, open_sandbox, jail, small, scratch):
    sandbox = open_sandbox(project(FILES), jail=jail)
    assert outcomes(sandbox)["test_which"] is Outcome.FAILED
    assert outcomes(sandbox) == dict.fromkeys(("test_price", "test_it_cannot_be_changed", "test_which"), Outcome.PASSED)
    (made,) = scratch.glob("s*/b/made/shop")
    assert sorted(path.name.split(".")[0] for path in (made / CACHE).iterdir()) == ["__init__", "price"]
    assert {path.read_bytes()[4] for path in (made / CACHE).iterdir()} == {0b11}, "the hash of the text is compared"
    # A lie of ours with the right hash is believed, so it is really read; and not for another text.
    (lie,) = (made / CACHE).glob("price.*")
    lie.write_bytes(lie.read_bytes().replace(b"price", b"prize"))
    assert set(outcomes(sandbox).values()) != {Outcome.PASSED}
    assert (
        outcomes(sandbox, (("shop/price.py", b"def price():\n    return 1  # new\n"),))["test_price"] is Outcome.PASSED
    )


def test_an_interpreter_that_does_not_get_through_is_no_hindrance(project, open_sandbox, jail, small, monkeypatch):
    monkeypatch.setattr("sandbox.bytecode._COMPILE", "import os; os._exit(3)")
    sandbox = open_sandbox(project(FILES), jail=jail)
    for _ in range(2):
        assert outcomes(sandbox)["test_price"] is Outcome.PASSED


def test_without_walls_there_is_none(project, open_sandbox, small):
    sandbox = open_sandbox(project(FILES), jail=NO_JAIL)
    for _ in range(2):
        assert outcomes(sandbox)["test_which"] is Outcome.FAILED
