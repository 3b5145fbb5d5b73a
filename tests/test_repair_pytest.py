"""The plugin of pytest in sessions of its own: alone, under pytest-xdist, as a copy; the engine is a script."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

import _repair_pytest

TESTS = """\
import pytest

def test_good(): pass
def test_bad(): assert 1 == 2

@pytest.fixture
def broken(): raise OSError("no such thing")

def test_setup(broken): pass
"""

ENGINE = """\
#!{python}
import json, sys
with open({log!r}, "a") as log:
    log.write(json.dumps(sys.argv[1:]) + "\\n")
print("certified  a.py:1: f")
sys.exit(1)
"""

Called = list[list[str]]


@dataclass(frozen=True)
class Sessions:
    """Runs pytest with the plugin in a project, and tells how the engine was called."""

    root: Path
    bin: Path

    def run(self, *options: str, path: str = "", plugin: str = "_repair_pytest") -> tuple[int, str, Called]:
        """Exit status, what was printed, and the arguments of each start of the engine."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "REPAIR_"))}
        plugins = [word for name in filter(None, plugin.split()) for word in ("-p", name)]
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *plugins, *options],
            cwd=self.root,
            env={**kept, "PATH": path or str(self.bin), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        log = self.bin / "log"
        called = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
        return done.returncode, done.stdout + done.stderr, called


@pytest.fixture
def sessions(tmp_path: Path) -> Sessions:
    folder, scripts = tmp_path / "project", tmp_path / "bin"
    folder.mkdir()
    scripts.mkdir()
    (folder / "pytest.ini").write_text("[pytest]\n")
    (folder / "test_a.py").write_text(TESTS)
    engine = scripts / "repair-engine"
    engine.write_text(ENGINE.format(python=sys.executable, log=str(scripts / "log")))
    engine.chmod(0o755)
    return Sessions(folder, scripts)


def test_what_failed_is_handed_to_the_engine_after_the_session(sessions: Sessions) -> None:
    status, said, called = sessions.run("--repair")
    assert status == 1
    assert called == [
        [
            *("fix", "--root", str(sessions.root), "--python", sys.executable),
            *("--", "test_a.py::test_bad", "test_a.py::test_setup"),
        ]
    ]
    assert said.index("1 failed, 1 passed, 1 error") < said.index("= repair =") < said.index("certified  a.py:1: f")


def test_a_fix_is_applied_only_where_that_is_asked_for(sessions: Sessions) -> None:
    assert "--apply" not in sessions.run("--repair=suggest")[2][0]
    assert "--apply" in sessions.run("--repair=apply")[2][1]
    status, said, _ = sessions.run("--repair", "test_a.py")
    assert status == 4
    assert "'test_a.py' is taken for its value: write --repair=suggest or --repair=apply" in said
    assert "suggest|apply" in sessions.run("--help")[1]


@pytest.mark.parametrize("options", [(), ("--repair", "-k", "good"), ("--repair", "--collect-only")])
def test_nothing_is_started_where_nothing_is_asked_or_nothing_fails(sessions: Sessions, options: tuple[str]) -> None:
    status, said, called = sessions.run(*options)
    assert status == (0 if options else 1)
    assert (called, "= repair =" in said) == ([], False)


def test_under_xdist_the_engine_is_started_once(sessions: Sessions) -> None:
    status, said, called = sessions.run("--repair", "-n", "2", plugin="xdist _repair_pytest")
    assert status == 1, said
    assert [sorted(words[-2:]) for words in called] == [["test_a.py::test_bad", "test_a.py::test_setup"]]


def test_a_file_that_cannot_be_collected_is_handed_on(sessions: Sessions) -> None:
    (sessions.root / "test_b.py").write_text("import nowhere_to_be_found\n")
    status, _, called = sessions.run("--repair")
    assert status == 2
    assert called[0][-2:] == ["--", "test_b.py"]


def test_an_interruption_starts_nothing(sessions: Sessions) -> None:
    (sessions.root / "test_c.py").write_text("def test_c(): raise KeyboardInterrupt\n")
    status, _, called = sessions.run("--repair")
    assert (status, called) == (2, [])


def test_the_sessions_of_the_engine_itself_start_nothing(sessions: Sessions) -> None:
    (sessions.root / "_repair_probe.py").write_text("")
    status, _, called = sessions.run("--repair", "-p", "_repair_probe")
    assert (status, called) == (1, [])


def test_many_failing_tests_are_cut_and_that_is_said(sessions: Sessions) -> None:
    most = _repair_pytest.MOST_TESTS
    text = f"import pytest\n@pytest.mark.parametrize('n', range({most + 7}))\ndef test_n(n): assert 0\n"
    (sessions.root / "test_a.py").write_text(text)
    _, said, called = sessions.run("--repair", "--tb=no", "-q")
    assert len([word for word in called[0] if "::test_n" in word]) == most
    assert "7 more tests failed" in said


def test_a_copy_works_and_an_engine_that_is_missing_is_told(sessions: Sessions, tmp_path: Path) -> None:
    source = Path(_repair_pytest.__file__).read_text()
    (sessions.root / "own_copy.py").write_text(source.replace('"repair-engine"', '"no-such-engine"'))
    status, said, called = sessions.run("--repair", path=str(tmp_path), plugin="own_copy")
    assert (status, called) == (1, [])
    assert "there is no no-such-engine. Install it (`pipx install .` in a clone of repair)" in said


def test_an_engine_that_cannot_be_started_is_told(sessions: Sessions) -> None:
    (sessions.bin / "repair-engine").write_text("#!/no/such/interpreter\n")
    status, said, _ = sessions.run("--repair")
    assert status == 1
    assert "cannot be started" in said


def test_it_imports_the_standard_library_alone() -> None:
    loaded = "import sys, _repair_pytest; print([n for n in sys.modules if n.partition('.')[0] in %r])"
    theirs = ("repair", "analysis", "sandbox", "transforms", "corpora", "pytest", "_pytest")
    done = subprocess.run(
        [sys.executable, "-c", loaded % (theirs,)], capture_output=True, text=True, check=True,
        cwd=Path(_repair_pytest.__file__).parent,
    )  # fmt: skip
    assert done.stdout.strip() == "[]"
