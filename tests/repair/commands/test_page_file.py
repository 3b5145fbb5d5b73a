"""Files that a person names for pages."""

from pathlib import Path

import pytest

from analysis.errors import UsageError
from repair.commands.page_file import refuse_one_file


def test_two_options_cannot_name_one_file(tmp_path: Path) -> None:
    refuse_one_file(((tmp_path / "a", "--html"), (tmp_path / "b", "--stryker")))
    with pytest.raises(UsageError, match="--html and --stryker name one file") as caught:
        refuse_one_file(((tmp_path / "a", "--html"), (tmp_path / "a", "--stryker")))
    assert caught.value.where == str(tmp_path / "a")
