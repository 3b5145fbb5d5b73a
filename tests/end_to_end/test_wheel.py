"""The built wheel: what it depends on, what it starts, what it carries."""

import email
import re
import subprocess
import sys
import zipfile
from configparser import ConfigParser
from importlib.metadata import version
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LEFT_OUT = ("corpora/own/", "corpora/lab/")
"""Programs to be judged, and our laboratory: kept in the repository alone."""
PACKAGES = ("analysis", "corpora", "repair", "sandbox", "transforms")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel of a copy of the sources, as any installer would build it."""
    if int(version("setuptools").partition(".")[0]) < 77:
        pytest.skip("setuptools is older than 77: the wheel cannot be built without the package index")
    copy, out = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    names = [n for n in listed.stdout.split("\0") if n and (ROOT / n).is_file()] or _files()
    for name in names:
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        (copy / name).write_bytes((ROOT / name).read_bytes())
    build = [
        sys.executable,
        "-m",
        "build",
        "--wheel",
        "--no-isolation",
        "--skip-dependency-check",
        "--outdir",
        str(out),
    ]
    stale = copy / "build/lib/repair/gone_since.py"
    stale.parent.mkdir(parents=True)
    stale.write_text("# an earlier build left this behind\n")
    done = subprocess.run([*build, str(copy)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    (built,) = out.glob("*.whl")
    with zipfile.ZipFile(built) as opened:
        yield opened


def _files():
    return [str(p.relative_to(ROOT)) for name in PACKAGES for p in (ROOT / name).rglob("*")] + [
        "setup.cfg", "pyproject.toml", "_repair_launcher.py", "_repair_pytest.py", "_repair_build.py"
    ]  # fmt: skip


def metadata(wheel, name):
    (path,) = [n for n in wheel.namelist() if n.endswith(f".dist-info/{name}")]
    return wheel.read(path).decode()


def test_it_requires_what_setup_cfg_says(wheel):
    settings = ConfigParser()
    settings.read(ROOT / "setup.cfg")
    wanted = {re.split(r"[<>=]", line)[0] for line in settings["options"]["install_requires"].split()}
    message = email.message_from_string(metadata(wheel, "METADATA"))
    found = {re.split(r"[<>=; ]", line)[0] for line in message.get_all("Requires-Dist") if "extra ==" not in line}
    assert found == wanted
    assert {"libcst", "coverage", "pytest", "hypothesis", "mutmut", "openai"} <= found
    assert message["Requires-Python"] == ">=3.11"


def test_it_takes_nothing_from_an_earlier_build(wheel):
    assert "repair/gone_since.py" not in wheel.namelist()


def test_it_starts_through_the_launcher(wheel):
    points = ConfigParser()
    points.read_string(metadata(wheel, "entry_points.txt"))
    assert dict(points["console_scripts"]) == dict.fromkeys(("repair", "repair-engine"), "_repair_launcher:main")
    assert dict(points["pytest11"]) == {"repair": "_repair_pytest"}
    assert {"_repair_launcher.py", "_repair_pytest.py"} <= set(wheel.namelist())


def test_its_metadata_says_who_it_is_for_and_where_it_lives(wheel):
    message = email.message_from_string(metadata(wheel, "METADATA"))
    urls = dict(line.split(", ") for line in message.get_all("Project-URL"))
    assert set(urls) == {"Homepage", "Documentation", "Changelog", "Issues", "Source"}
    assert {url.split("/")[2] for url in urls.values()} == {"repair-engine.example"}, "a release names real ones"
    keywords = [word.strip() for word in message["Keywords"].split(",")]
    assert {"program repair", "pytest", "mutation testing"} <= set(keywords)
    kinds = message.get_all("Classifier")
    assert {"Framework :: Pytest", "Typing :: Typed"} <= set(kinds)
    assert message["License"] == "MIT"
    assert {"review", "editor", "mcp", "dask", "ruff"} <= set(message.get_all("Provides-Extra"))


def test_the_extras_are_what_the_pages_tell_to_install(wheel):
    message = email.message_from_string(metadata(wheel, "METADATA"))
    known = set(message.get_all("Provides-Extra"))
    told = {
        name
        for path in [*(ROOT / "docs").glob("*.md"), ROOT / "README.md"]
        for name in re.findall(r"'\.\[(\w+)\]'", path.read_text("utf-8"))
    }
    assert told
    assert told <= known


def test_it_carries_the_packages_the_probe_and_the_type_marker(wheel):
    names = set(wheel.namelist())
    assert "repair/py.typed" in names
    assert {name.partition("/")[0] for name in names if name.endswith("/__init__.py")} >= set(PACKAGES)
    probe = {path.relative_to(ROOT).as_posix() for path in (ROOT / "sandbox" / "probe").rglob("*.py")}
    assert probe
    assert probe <= names
    modules = {p.relative_to(ROOT).as_posix() for n in PACKAGES for p in (ROOT / n).rglob("*.py")}
    left_out = {name for name in modules if name.startswith(LEFT_OUT)}
    assert {name for name in LEFT_OUT if any(each.startswith(name) for each in left_out)} == set(LEFT_OUT)
    assert not [name for name in names if name.startswith(LEFT_OUT)]
    assert _tracked(modules - left_out) <= names


def test_it_carries_nothing_else(wheel):
    tops = {name.partition("/")[0] for name in wheel.namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == {
        *PACKAGES,
        "_repair_launcher.py",
        "_repair_pytest.py",
    }


def _tracked(names):
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout.split()
    return names & set(listed) if listed else names
