"""``repair corpus`` as a command."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest

from repair.cli import main

OWN = Path(__file__).parents[3] / "corpora" / "own"


@pytest.mark.parametrize(
    ("arguments", "said", "status"),
    [
        (["verify", "own"], "names no corpus", 2),
        (["verify", "flat:/nowhere/at/all"], "There is no such corpus", 3),
        (["verify", f"flat:{OWN}", "--bugs", "no-such-*"], "No bug of the corpus has such a name", 3),
        (["verify", f"flat:{OWN}", "--jobs", "0"], "jobs", 2),
        (["stats", "flat:/nowhere/at/all"], "There is no such corpus", 3),
        (["inject", "/nowhere/at/all", "--out", "/nowhere/new"], "There is no such project directory", 3),
        (["inject", str(OWN), "--out", str(OWN / "faults")], "would lie in the project", 2),
        (["inject", str(OWN), "--out", "/nowhere/new", "--depth", "3"], "depth", 2),
    ],
)
def test_bad_input(arguments: list[str], said: str, status: int, capsys: pytest.CaptureFixture[str]):
    assert main(["corpus", *arguments, *(["--isolation", "none"] if arguments[0] == "verify" else [])]) == status
    assert said in capsys.readouterr().err


def test_stats_are_told_and_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    bug, picture = tmp_path / "corpus" / "half", tmp_path / "half.svg"
    bug.mkdir(parents=True)
    (bug / "half.py").write_text("def half(n):\n    return n // 3\n")
    assert main(["corpus", "stats", f"flat:{bug.parent}", "--picture", str(picture)]) == 0
    assert "1 bugs, 0 of them not to be mended, 0 set aside" in capsys.readouterr().out
    assert picture.read_text().startswith("<svg")
    assert main(["corpus", "stats", f"flat:{bug.parent}", "--json", "--picture", str(tmp_path / "no" / "x.svg")]) == 3
    assert "The picture cannot be written" in capsys.readouterr().err


def test_seeded_faults_are_made_from_a_project(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    out = tmp_path / "faults"
    project = OWN / "text-ordinal" / "reference"
    shutil.copytree(project, tmp_path / "ordinals")
    shutil.copy(OWN / "text-ordinal" / "tree" / "test_ordinals.py", tmp_path / "ordinals")
    asked = ["corpus", "inject", str(tmp_path / "ordinals"), "--out", str(out), "--python", sys.executable]
    assert main([*asked, "--count", "2", "--kind", "number", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["written"] == 2 == len(said["bugs"])
    assert main(["corpus", "verify", f"flat:{out}"]) == 0


def test_a_part_of_our_own_corpus_is_as_stated(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    corpus = tmp_path / "corpus"
    for name in ("text-ordinal", "refuse-missing-module"):
        (corpus / name).parent.mkdir(exist_ok=True)
        (corpus / name).symlink_to(OWN / name)
    (corpus / "sound").mkdir()
    (corpus / "sound" / "test_it.py").write_text("def test_it():\n    assert True\n")
    assert main(["corpus", "verify", f"flat:{corpus}", "--json", "--write"]) == 1
    said = json.loads(capsys.readouterr().out)
    assert [(bug["id"], bug["said"]) for bug in said["bugs"]] == [
        ("refuse-missing-module", "environment"),
        ("text-ordinal", ""),
    ]
    assert said["set_aside"] == [{"id": "sound", "reason": "nothing_fails: no test fails"}]
    assert json.loads((corpus / "verified.json").read_text()) == said
