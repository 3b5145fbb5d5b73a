"""``repair corpus`` as a command."""

from __future__ import annotations

import json
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
    ],
)
def test_bad_input(arguments: list[str], said: str, status: int, capsys: pytest.CaptureFixture[str]):
    assert main(["corpus", *arguments, *(["--isolation", "none"] if arguments[0] == "verify" else [])]) == status
    assert said in capsys.readouterr().err


@pytest.mark.slow
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
