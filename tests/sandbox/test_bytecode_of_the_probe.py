import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from fakes.bare import bare_target

from analysis.facts import Outcome, TestId, TestRun
from sandbox.bytecode import find_probe
from sandbox.jail import choose
from sandbox.request import PROBE, probe_command
from sandbox.sandbox import LocalSandbox

WALLS = SimpleNamespace(stops=("write-outside",))
HERE = SimpleNamespace(version=sys.version_info[:3], image="")


def test_the_copy_has_byte_code_that_this_python_takes(tmp_path):
    place = Path(find_probe(HERE, WALLS, tmp_path / "cache"))
    assert place.parent == tmp_path / "cache"
    sources = [path.relative_to(PROBE) for path in PROBE.rglob("*.py")]
    assert sorted(path.relative_to(place) for path in place.rglob("*.py")) == sorted(sources)
    assert len(list(place.rglob("*.pyc"))) == len(sources)
    code = (
        "import sys; sys.path[0] = sys.argv[1]; import _repair_probe.ground.words as m; print(m.__cached__, m.__file__)"
    )
    done = subprocess.run(
        [sys.executable, "-B", "-v", "-c", code, str(place)], capture_output=True, text=True, check=True
    )
    assert f"code object from '{place}/_repair_probe/ground/words.py'" not in done.stderr  # it was not compiled again
    assert "matches" in done.stderr
    assert str(place) in done.stdout


def test_it_is_made_once(tmp_path):
    first = find_probe(HERE, WALLS, tmp_path)
    times = {path: path.stat().st_ctime_ns for path in Path(first).rglob("*")}
    assert find_probe(HERE, WALLS, tmp_path) == first
    assert {path: path.stat().st_ctime_ns for path in Path(first).rglob("*")} == times
    assert [path.name for path in tmp_path.iterdir()] == [Path(first).name]


def test_another_text_is_another_copy(tmp_path):
    other = tmp_path / "probe"
    shutil.copytree(PROBE, other, ignore=shutil.ignore_patterns("__pycache__"))
    same = find_probe(HERE, WALLS, tmp_path / "cache", other)
    assert same == find_probe(HERE, WALLS, tmp_path / "cache")
    (other / "_repair_probe" / "main.py").write_text("x = 1\n")
    assert find_probe(HERE, WALLS, tmp_path / "cache", other) != same


@pytest.mark.parametrize(
    ("interpreter", "jail"),
    [
        (HERE, SimpleNamespace(stops=())),
        (SimpleNamespace(version=(3, 8, 1), image=""), WALLS),
        (SimpleNamespace(version=sys.version_info[:3], image="sha256:1"), WALLS),
    ],
)
def test_elsewhere_it_is_the_probe_as_it_was_installed(tmp_path, interpreter, jail):
    assert find_probe(interpreter, jail, tmp_path / "cache") == str(PROBE)
    assert not (tmp_path / "cache").exists()


def test_a_cache_that_others_may_write_is_not_used(tmp_path):
    found = find_probe(HERE, WALLS, tmp_path / "cache")
    (tmp_path / "cache").chmod(0o777)
    assert find_probe(HERE, WALLS, tmp_path / "cache") == str(PROBE)
    (tmp_path / "cache").chmod(0o700)
    assert find_probe(HERE, WALLS, tmp_path / "cache") == found
    os.rename(found, f"{found}-moved")
    os.symlink(f"{found}-moved", found)
    assert find_probe(HERE, WALLS, tmp_path / "cache") == str(PROBE)


def test_a_cache_that_cannot_be_made_is_no_hindrance(tmp_path):
    (tmp_path / "file").write_text("")
    assert find_probe(HERE, WALLS, tmp_path / "file" / "cache") == str(PROBE)


def test_a_target_runs_with_it_and_cannot_write_it(tmp_path):
    jail = choose("auto")
    if "write-outside" not in jail.stops:
        pytest.skip("no walls hold here")
    root = tmp_path / "project"
    root.mkdir()
    (root / "test_it.py").write_text(
        "import glob, os, sys\n\n\ndef test_it():\n"
        "    here = os.path.dirname(sys.modules['_repair_probe.main'].__file__)\n"
        f"    assert here.startswith({str(tmp_path / 'cache')!r})\n"
        "    for path in (here, *glob.glob(here + '/**/*.pyc', recursive=True)):\n"
        "        try:\n"
        "            open(path if path.endswith('.pyc') else path + '/new', 'wb').close()\n"
        "        except OSError:\n"
        "            continue\n"
        "        raise AssertionError(path)\n"
    )
    target = bare_target(root)
    probe = find_probe(target.interpreter, jail, tmp_path / "cache")
    with LocalSandbox(target, jail=jail, probe=probe) as sandbox:
        run = sandbox.run([TestId("test_it.py::test_it")])
    assert isinstance(run, TestRun), run
    assert run.outcome(TestId("test_it.py::test_it")) is Outcome.PASSED, run


def test_the_command_names_the_folder():
    assert probe_command("python", "request", "folder")[-2:] == ("folder", "request")
