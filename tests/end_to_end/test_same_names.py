"""A repository whose own packages are called like ours is repaired like any other."""

from __future__ import annotations

import subprocess
from pathlib import Path
from textwrap import dedent

import pytest

NAMES = ("analysis", "repair", "sandbox", "transforms", "corpora", "tests")

FILES = {
    "analysis/__init__.py": "raise_if_imported_by_the_engine = True\n",
    "analysis/facts.py": "TestId = 'theirs'\n",
    "repair/__init__.py": "",
    "repair/__main__.py": "raise SystemExit('the target was started instead of the engine')\n",
    "repair/cli.py": "raise ImportError('the target was imported instead of the engine')\n",
    "sandbox/__init__.py": "",
    "sandbox/sizes.py": """\
        from analysis.facts import TestId
        from transforms.units import kibi


        def kibibytes(count):
            \"\"\"Whole kibibytes that hold so many bytes.\"\"\"
            if count < 0:
                raise ValueError("negative size")
            return (count + kibi()) // kibi()
        """,
    "transforms/__init__.py": "",
    "transforms/units.py": "def kibi():\n    return 1024\n",
    "corpora/__init__.py": "",
    "tests/__init__.py": "",
    "tests/test_sizes.py": """\
        import pytest
        from sandbox.sizes import kibibytes


        @pytest.mark.parametrize(("count", "expected"), [(1, 1), (1023, 1), (1025, 2), (2047, 2)])
        def test_rounds_up(count, expected):
            assert kibibytes(count) == expected


        def test_exact_sizes_are_not_rounded():
            assert kibibytes(0) == 0
            assert kibibytes(1024) == 1
            assert kibibytes(4096) == 4


        def test_negative_sizes_are_refused():
            with pytest.raises(ValueError, match="negative"):
                kibibytes(-1)
        """,
    "conftest.py": "import repair\nassert repair.__file__.startswith(__file__.rsplit('/', 1)[0])\n",
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The repository, under version control."""
    root = tmp_path / "project"
    for name, text in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text))
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    return root


def test_is_repaired_from_its_own_root_with_its_own_path(project, repair):
    before = {p: p.read_bytes() for p in project.rglob("*.py")}
    answer = repair(
        *("fix", "tests/test_sizes.py::test_exact_sizes_are_not_rounded", "--json", "--pass-env", "PYTHONPATH"),
        *("--proposer", "search", "--max-seconds", "240"),
        cwd=project,
        env={"PYTHONPATH": str(project)},
    )
    result = answer.result
    assert result["status"] in ("certified", "plausible"), answer.messages
    patch = result["patches"][0]
    assert (patch["file"], patch["function"]) == ("sandbox/sizes.py", "kibibytes")
    assert {p: p.read_bytes() for p in project.rglob("*.py") if ".repair" not in p.parts} == before
    applied = subprocess.run(["git", "apply", "--check", "-"], input=patch["diff"], text=True, cwd=project, check=False)
    assert applied.returncode == 0


@pytest.mark.parametrize("arguments", [("--version",), ("fix", "--help"), ("doctor", "--json")])
def test_every_command_starts_there(project, repair, arguments):
    answer = repair(*arguments, cwd=project, env={"PYTHONPATH": str(project)})
    assert "instead of the engine" not in answer.messages + answer.output
    assert answer.status == 0, answer.messages
