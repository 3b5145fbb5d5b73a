"""Projects as they really are, behind walls: large ones, editable installs, namespace packages, built extensions,
environments that lie elsewhere."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import shutil
import sys
from pathlib import Path

import pytest

from analysis.facts import Outcome
from sandbox.jail import KINDS, check_jail


@pytest.fixture(scope="module", params=[pytest.param(kind, id=kind.name) for kind in KINDS if kind.automatic])
def jail(request):
    found = check_jail(request.param)
    if isinstance(found, str):
        pytest.skip(f"{request.param.title}: {found}")
    return found


def passes(sandbox):
    run = sandbox.run([])
    assert [r.outcome for r in run.results] == [Outcome.PASSED], run


def test_an_environment_outside_the_project_with_the_project_installed_for_editing(
    project, open_sandbox, jail, add_environment, tmp_path
):
    """The installed path leads to the copy, which is what runs; the original is not there."""
    test = """
        import os, sys
        import pytest
        import shop.price
        def test_it():
            assert shop.price.VALUE == 3
            with pytest.raises(OSError):
                os.listdir({original!r})
            assert {elsewhere!r} in sys.prefix
            assert shop.price.__file__.startswith(os.getcwd())
        """
    elsewhere, original = tmp_path / "elsewhere", tmp_path / "demo"
    root = project(
        {
            "lib/shop/__init__.py": "",
            "lib/shop/price.py": "VALUE = 3\n",
            "test_it.py": test.format(original=str(original / "lib"), elsewhere=str(elsewhere)),
        }
    )
    add_environment(elsewhere, {"shop.pth": f"{root}/lib\n"})
    passes(open_sandbox(root, python=str(elsewhere / ".venv/bin/python"), jail=jail))


def test_a_namespace_package_of_two_folders(project, open_sandbox, jail, add_environment, tmp_path):
    """One part is the project's own, the other is installed."""
    root = project(
        {
            "src/company/own.py": "VALUE = 1\n",
            "test_it.py": """
                from company import installed, own
                def test_it():
                    assert (own.VALUE, installed.VALUE) == (1, 2)
                    assert "/src/company" in own.__file__
                """,
        }
    )
    add_environment(tmp_path / "env", {"company/installed.py": "VALUE = 2\n"})
    passes(open_sandbox(root, python=str(tmp_path / "env/.venv/bin/python"), jail=jail))


def test_an_extension_that_is_built_already(project, open_sandbox, jail):
    """One of the interpreter's own stands for the project's: it has to be loaded from the copy."""
    built = importlib.util.find_spec("_json")
    if built is None or not isinstance(built.loader, importlib.machinery.ExtensionFileLoader) or built.origin is None:
        pytest.skip("this interpreter has no extension in a file of its own")
    root = project(
        {
            "fast/__init__.py": "",
            "test_it.py": """
                import os
                import fast._json
                def test_it():
                    assert fast._json.encode_basestring_ascii("x") == '"x"'
                    assert fast._json.__file__.startswith(os.getcwd())
                """,
        }
    )
    shutil.copy(built.origin, root / "fast" / Path(built.origin).name)
    passes(open_sandbox(root, jail=jail))


def test_a_project_of_a_gigabyte(project, open_sandbox, jail):
    """Too large for a copy in memory; its holes take no room, and what a run writes is gone with it."""
    root = project(
        {
            "test_it.py": """
                import os
                def test_it():
                    assert os.path.getsize("data.bin") == 1 << 30
                    with open("data.bin", "r+b") as file:
                        assert file.read(5) == b"first"
                        file.seek(0)
                        file.write(b"other")
                """
        }
    )
    with (root / "data.bin").open("wb") as file:
        file.write(b"first")
        file.truncate(1 << 30)
    for number in range(500):
        (root / f"part{number % 10}").mkdir(exist_ok=True)
        (root / f"part{number % 10}" / f"{number}.txt").write_text(str(number))
    sandbox = open_sandbox(root, jail=jail)
    for _ in range(2):
        passes(sandbox)
    with (root / "data.bin").open("rb") as file:
        assert file.read(5) == b"first"
    assert (root / "data.bin").stat().st_blocks < 1 << 12


def test_the_interpreter_of_this_run_needs_no_more_than_what_is_shown(project, open_sandbox, jail):
    """Standard library, extensions and installed packages alike."""
    test = """
        import ctypes, decimal, multiprocessing, sqlite3, ssl, subprocess, sys, tempfile, threading, zoneinfo
        import pytest
        def test_it():
            assert sqlite3.connect(":memory:").execute("select 1").fetchone() == (1,)
            assert subprocess.run([sys.executable, "-c", "print(1)"], capture_output=True).stdout == b"1\\n"
            with tempfile.NamedTemporaryFile() as file:
                file.write(b"x")
            if {shared}:
                with multiprocessing.Lock():
                    pass
            thread = threading.Thread(target=lambda: None)
            thread.start()
            thread.join()
        """
    code = test.format(shared=jail.kind != "landlock-only")  # which has no shared memory of its own
    passes(open_sandbox(project({"test_it.py": code}), jail=jail, python=sys.executable))
