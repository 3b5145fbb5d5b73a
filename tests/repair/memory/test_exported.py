"""An exported memory holds words of closed lists: whatever else a file says is refused."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from repair.memory.exported import ExportedMemory, read_exported
from repair.memory.learning import ProjectHistory
from repair.memory.ledger import NOTHING, LedgerEntry
from repair.memory.run_memory import FAMILIES
from repair.memory.signature import FailureSignature
from transforms.ingredients.history_words import HistoryWord

LIKE = FailureSignature("logic", "wrong_value", "off_by_one", "KeyError", "short loop")
ENTRY = LedgerEntry("20260101-000000-aaaaaa", 1, 20_000, LIKE, "search", next(iter(FAMILIES.values())), "certified")


def test_it_comes_back() -> None:
    whole = ExportedMemory((ENTRY,), ProjectHistory((HistoryWord("a.b", "m.py", 1),), (), 1))
    assert read_exported(whole.to_json()) == whole
    assert read_exported(ExportedMemory((ENTRY,)).to_json()).history is None


@pytest.mark.parametrize(
    "wrong",
    [
        {"run": "my secret"},
        {"cause": -1},
        {"day": 1_000_000},
        {"proposer": "secret"},
        {"family": "secret"},
        {"outcome": "secret"},
        {"seconds": float("nan")},
        {"signature": replace(LIKE, failure_class="secret")},
        {"signature": replace(LIKE, subclass="Secret 1")},
        {"signature": replace(LIKE, relation="secret")},
        {"signature": replace(LIKE, exception="SecretError")},
        {"signature": replace(LIKE, exception="print")},
        {"signature": replace(LIKE, shape="secret")},
    ],
)
def test_a_word_of_no_list_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="in no list of ours"):
        read_exported(ExportedMemory((replace(ENTRY, **wrong),)).to_json())


def test_the_kind_of_edit_and_the_mark_of_a_model_come_back_and_its_name_is_refused() -> None:
    beside = replace(ENTRY, proposer=f"model/{'0a' * 16}", outcome=NOTHING, beside=True)
    whole = ExportedMemory((replace(ENTRY, proposer="model", kind="patch"), beside))
    assert read_exported(whole.to_json()) == whole
    for wrong in ({"proposer": "model/gpt"}, {"kind": "secret"}):
        with pytest.raises(ValueError, match="in no list of ours"):
            read_exported(ExportedMemory((replace(ENTRY, **wrong),)).to_json())  # type: ignore[arg-type]


def test_an_export_of_the_version_before_is_read() -> None:
    values = ExportedMemory((ENTRY,)).to_json()
    for each in values["attempts"]:
        del each["kind"], each["beside"]
    assert read_exported(values).attempts == (ENTRY,)
