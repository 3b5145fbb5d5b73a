"""What a verification says, and how it is kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.errors import TargetError
from corpora.bug import SetAside
from corpora.verification import Verification, place_of, read_verification, write_verification
from corpora.verify import Verified


def verified(name: str) -> Verified:
    return Verified(name, ("t.py::a",), ("t.py::b", "t.py::c"), "logic", "wrong_value", 3, flaky=("t.py::d",))


def test_round_trip():
    found = Verification((verified("a"),), (SetAside("b", "flaky: it is"),))
    values = found.to_json()
    assert values["verified"] == 1
    assert values["set_aside"] == [{"id": "b", "reason": "flaky: it is"}]
    assert Verification.from_json(values) == found


def test_what_was_not_looked_at_stays(tmp_path: Path):
    name = f"flat:{tmp_path}"
    assert read_verification(name) is None
    write_verification(name, Verification((verified("a"), verified("c")), (SetAside("b", "old"),)))
    place = write_verification(name, Verification((verified("b"),), (SetAside("c", "new"),)))
    assert place == tmp_path / "verified.json"
    assert read_verification(name) == Verification((verified("a"), verified("b")), (SetAside("c", "new"),))


def test_a_corpus_in_one_file_keeps_it_beside(tmp_path: Path):
    assert place_of(f"flat:{tmp_path / 'bugs.jsonl'}") == tmp_path / "bugs.jsonl.verified.json"


@pytest.mark.parametrize("text", ["{", '{"bugs": 3}', '{"bugs": [], "set_aside": [{"id": 1}]}'])
def test_a_damaged_file_is_told(tmp_path: Path, text: str):
    (tmp_path / "verified.json").write_text(text)
    with pytest.raises(TargetError, match="cannot be read"):
        read_verification(f"flat:{tmp_path}")
