"""One file that cannot be healed ends nothing: the others are, and the report names it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from fakes.generated import SHOP, TESTS

from analysis.errors import TargetError, UsageError
from repair.records.config import Options
from repair.records.healed import HealedTest, HealRequest
from repair.survey.growing.new_files import marked
from repair.survey.healing.file_healer import FileHealer
from repair.survey.healing.generated_file import GeneratedFile
from repair.survey.healing.healing import heal


@pytest.mark.parametrize(
    "problem",
    [
        UsageError("no place for it"),
        TargetError("The copy cannot be made"),
        IsADirectoryError(21, "Is a directory", "old.py"),
    ],
)
def test_a_file_that_cannot_be_healed_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, problem: Exception
) -> None:
    def healed(_: FileHealer, file: GeneratedFile) -> tuple[str, tuple[HealedTest, ...]]:
        if file.path == "test_one.py":
            raise problem
        return f"{file.text}\n# healed\n", ()

    monkeypatch.setattr(FileHealer, "heal", healed)
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "shop.py").write_text(SHOP)
    for name in ("test_one.py", "test_two.py"):
        (tmp_path / name).write_text(marked(TESTS))
    options = Options(root=str(tmp_path), isolation="none")
    report = heal(HealRequest(), options, lambda _: None, os.environ)
    assert [(each.path, bool(each.diff)) for each in report.files] == [("test_two.py", True)]
    assert report.not_checked == (f"test_one.py: {problem}",)
    assert report.exit_code == 1
