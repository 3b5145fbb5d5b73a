"""Images that the user names: what runs is their own interpreter, and a bad one is told apart from a bad engine."""

from __future__ import annotations

import io
import os
import re
import secrets
import shutil
import subprocess
import sys
import sysconfig
import tarfile
from importlib.metadata import files as files_of
from pathlib import Path
from types import SimpleNamespace

import pytest

from analysis.errors import TargetError
from analysis.facts import Digest, FunctionId, Limits, Outcome
from analysis.trials import Trial, TrialState
from repair.front.composition import open_run
from repair.records.config import Options
from sandbox.jail import KINDS, check_jail, choose_image
from sandbox.jails.images import identify_image, python_in
from sandbox.preflight import run_probes
from sandbox.sandbox import LocalSandbox
from sandbox.target import open_target
from sandbox.warm import WarmServer

INSIDE = "/opt/inside"
PACKAGES = ("pytest", "pluggy", "iniconfig", "packaging", "pygments")


def asked(returncode=0, out="", err=""):
    return lambda *words: SimpleNamespace(returncode=returncode, stdout=out.encode(), stderr=err.encode())


@pytest.mark.parametrize(
    ("name", "answer", "said"),
    [
        ("--privileged", asked(), "'--privileged' is no name of an image"),
        ("gone", asked(125, err="no such\ngone"), "it has no image 'gone', or does not answer: gone"),
        ("data", asked(out='[{"Id": "1", "Config": {"Volumes": {"/data": {}}}}]'), "the image 'data' declares volumes"),
        ("odd", asked(out="[]"), "it does not describe the image 'odd'"),
        ("odd", asked(out="hello"), "it does not describe the image 'odd'"),
    ],
)  # fmt: skip
def test_an_image_that_cannot_be_run_is_told(name, answer, said):
    digest, problem = identify_image(name, answer)
    assert (digest, problem[: len(said)]) == ("", said)


def test_an_image_is_known_by_its_digest():
    assert identify_image("there", asked(out='[{"Id": "sha256:12", "Config": null}]')) == ("sha256:12", "")


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (asked(9), "there is no Python in the image"),
        (asked(0, "3 7\n/usr/bin/python3\n"), "the image's Python 3.7 is older than 3.8"),
        (asked(127, err="exec: /bin/sh: not found"), "it starts no container of the image: exec: /bin/sh: not found"),
        (asked(0, "hello\n"), "what is to be the image's Python does not say its version"),
    ],
)
def test_an_image_without_a_fitting_python_is_told(answer, said):
    assert python_in((), "sha256:1", "", answer) == ("", said)


def test_the_first_python_that_runs_is_taken():
    assert python_in((), "sha256:1", "", asked(0, "3 12\n/usr/bin/python3\n")) == ("/usr/bin/python3", "")
    words = []
    python_in(("--walls",), "sha256:1", "/opt/py", lambda *given: words.append(given) or asked(9)())
    assert words[0][:3] == ("run", "--rm", "--walls")
    assert words[0][-1] == "/opt/py"


def test_a_kind_without_images_is_refused():
    with pytest.raises(TargetError, match="the isolation bwrap runs none"):
        choose_image("bwrap", "python:3.12")


@pytest.fixture(scope="module")
def image():
    """A small image with a shell, ``cp`` and a Python of its own with pytest, made of this machine's files."""
    podman = shutil.which("podman")
    if podman is None:
        pytest.skip("Podman: it is not installed")
    name = f"localhost/repair-engine-test:{secrets.token_hex(4)}"
    made = subprocess.run([podman, "import", "-", name], input=root_archive(), capture_output=True, check=False)
    if made.returncode != 0:
        pytest.skip(f"Podman makes no image: {made.stderr.decode()[-200:]}")
    yield name
    subprocess.run([podman, "rmi", "--force", name], capture_output=True, check=True)


def root_archive():
    """The Python lies where this machine has none, so that nothing of the machine can be taken for it."""
    version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    into = io.BytesIO()
    python = os.path.realpath(sys.executable)
    stdlib = Path(sysconfig.get_path("stdlib"))
    programs = [python, "/bin/sh", "/bin/cp", *map(str, (stdlib / "lib-dynload").glob("*.so"))]
    with tarfile.open(fileobj=into, mode="w") as archive:
        for path in sorted({library for program in programs for library in libraries(program)}):
            archive.add(os.path.realpath(path), path.lstrip("/"))
        for program in ("sh", "cp"):
            archive.add(os.path.realpath(f"/bin/{program}"), f"bin/{program}")
        archive.add(python, f"{INSIDE}/bin/python3".lstrip("/"))
        archive.add(stdlib, f"{INSIDE}/lib/{version}".lstrip("/"), filter=wanted)
        for package in PACKAGES:
            for file in files_of(package) or ():
                if ".." not in file.parts and "__pycache__" not in file.parts:
                    archive.add(file.locate(), f"{INSIDE}/lib/{version}/{file}".lstrip("/"))
    return into.getvalue()


def wanted(entry):
    left_out = r"/(site-packages|__pycache__|test|tests|idlelib|tkinter|ensurepip|lib2to3|turtledemo|config-[^/]*)(/|$)"
    return None if re.search(left_out, entry.name) else entry


def libraries(program):
    """The shared libraries that a program is linked with, and its loader."""
    said = subprocess.run(["ldd", program], capture_output=True, text=True, check=False).stdout
    return re.findall(r"(/\S+)", said.replace("(", " ("))


@pytest.fixture(scope="module")
def jail(image):
    plain = check_jail(next(kind for kind in KINDS if kind.name == "podman"))
    if isinstance(plain, str):
        pytest.skip(f"Podman: {plain}")
    return choose_image("podman", image, f"{INSIDE}/bin/python3")


FILES = {
    "m.py": "def f():\n    return 1\n",
    "test_it.py": """
        import os, sys
        import pytest
        import m

        def test_the_interpreter_is_the_image_s():
            assert sys.prefix == "/opt/inside", sys.prefix
            assert not os.path.exists("/usr/bin/env") and not os.path.exists({original!r})
            assert m.__file__.startswith(os.getcwd())

        def test_only_the_copy_can_be_written(tmp_path):
            (tmp_path / "made").write_text("x")
            open("made", "w").close()
            with pytest.raises(OSError):
                open("/opt/inside/made", "w")

        def test_two():
            assert m.f() == 2
        """,
}


def test_runs_and_trials_happen_in_the_image(project, jail, tmp_path):
    files = {name: text.replace("{original!r}", repr(str(tmp_path / "demo"))) for name, text in FILES.items()}
    target = open_target(str(project(files)), environ={"PATH": os.defpath, "PYTHONPATH": "/usr/lib"}, jail=jail)
    assert target.interpreter.image == jail.image.digest
    assert (target.interpreter.path, target.path_entries) == ((), ())
    with LocalSandbox(target, jail=jail, limits=Limits(wall_seconds=60.0, test_seconds=20.0)) as sandbox:
        run = sandbox.run([])
        assert [r.outcome for r in run.results] == [Outcome.PASSED, Outcome.PASSED, Outcome.FAILED], run
        assert sandbox.compiles((("m.py", b"def f(:\n"),)) != ""
        warm = sandbox.warm(("test_it.py::test_two",), jobs=1)
        assert isinstance(warm, WarmServer), warm
        try:
            trials = [
                Trial(Digest(str(n)), FunctionId("m.py", "f", 1), f"def f():\n    return {n}\n".encode(), "")
                for n in (2, 3)
            ]
            told = {o.digest: o.state for o in warm.trials(trials)}
        finally:
            warm.close()
    assert told == {"2": TrialState.PASSED, "3": TrialState.FAILED}


def test_acts_that_take_resources_are_stopped_in_the_image(jail):
    """The quick ones were tried before the jail was chosen."""
    assert {"disk", "plant"} <= set(jail.stops)
    assert [result.holds for result in run_probes(jail, {"disk", "plant"})] == [True, True]


def test_a_bad_image_is_refused(image, jail):
    with pytest.raises(TargetError, match="it has no image 'localhost/no-such-image'") as caught:
        choose_image("podman", "localhost/no-such-image")
    assert "nothing is fetched" in caught.value.remedy
    with pytest.raises(TargetError, match="Podman: there is no /opt/no/python in the image"):
        choose_image("podman", image, "/opt/no/python")


def test_a_run_is_opened_in_the_image_and_its_record_names_it(project, jail):
    root = project({"test_it.py": "def test_a(): pass\n"})
    options = Options(str(root), isolation_image=jail.image.name, python=jail.image.python)
    with open_run(options, lambda happened: None, {"PATH": os.defpath}) as context:
        assert (context.sandbox.jail.kind, context.sandbox.jail.image) == ("podman", jail.image)
        assert context.target.interpreter.python == jail.image.python
