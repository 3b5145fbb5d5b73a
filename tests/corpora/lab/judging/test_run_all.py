"""Two bugs of our own corpus through all of it: made once, judged once, reported; and a corpus that is not there."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from corpora.lab.judging.command import main
from corpora.lab.judging.records import JUDGEMENTS, MATERIAL, judgements, materials

OWN = f"flat:{Path(__file__).parents[4] / 'corpora' / 'own'}"


def ran(folder: Path, *words: str) -> str:
    options = [
        "--bugs",
        "text-[dt]r*",
        "--most",
        "1",
        "--search-seconds",
        "0",
        "--suite-seconds",
        "600",
        "--folder",
        str(folder),
    ]
    found = CliRunner().invoke(main, [*options, "--out", str(folder / "judge.json"), *words], catch_exceptions=False)
    assert found.exit_code == 0
    return found.output


def test_a_missing_corpus_is_said_and_the_rest_goes_on(tmp_path: Path):
    gone = str(tmp_path / "gone")
    said = ran(tmp_path, "--corpus", f"flat:{gone}", "--corpus", "nothing:at-all")
    assert f"flat:{gone} is left out: There is no such corpus" in said
    assert "nothing:at-all is left out: There is no loader" in said
    notes = json.loads((tmp_path / "judge.json").read_text())["notes"]
    assert any(gone in note for note in notes)


def test_two_bugs_are_made_and_judged_once(tmp_path: Path):
    said = ran(tmp_path, "--corpus", OWN, "--bugs", "text-t[ar]*", "--jobs", "2")
    made = {material.place.bug: material for material in materials(tmp_path)}
    assert set(made) == {"text-table-alignment", "text-truncate"}
    patches = [patch for material in made.values() for patch in material.patches]
    assert {patch.how for patch in patches if patch.right} == {"reference"}
    wrong = [patch for patch in patches if not patch.right]
    assert wrong
    assert all(patch.witness and patch.basis in ("inputs", "held-out tests") for patch in wrong)
    found = judgements(tmp_path)
    assert found.keys() == {patch.id for patch in patches}
    assert not any(judgement.error for judgement in found.values())
    figures = json.loads((tmp_path / "judge.json").read_text())["figures"]
    assert (figures["right"], figures["wrong"]) == (2, len(wrong))
    assert "wrong_passing_stopped" in said
    before = [(tmp_path / name).read_bytes() for name in (MATERIAL, JUDGEMENTS)]
    ran(tmp_path, "--corpus", OWN, "--bugs", "text-t[ar]*")
    assert [(tmp_path / name).read_bytes() for name in (MATERIAL, JUDGEMENTS)] == before
