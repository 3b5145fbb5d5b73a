"""Next commands with the options that find their run from where the last command was typed."""

from dataclasses import replace

import pytest

from repair.commands.context import CommandContext
from repair.commands.reachable import as_next_action, find_reach, make_reachable
from repair.records.config import Options


def standing_in(folder):
    return CommandContext(api=None, cwd=folder, env={}, started=0.0)


@pytest.mark.parametrize(
    ("said", "reachable"),
    [
        ("repair apply r1", "repair apply r1 --root /p"),
        ("repair apply r1 --cause 2", "repair apply r1 --cause 2 --root /p"),
        ("if you trust it: `repair apply r1`", "if you trust it: `repair apply r1 --root /p`"),
        ("read them: `repair apply r1 --cause 2`", "read them: `repair apply r1 --cause 2 --root /p`"),
        ("`repair help shape` says what it asks", "`repair help shape` says what it asks"),
        ("commit it", "commit it"),
    ],
)
def test_a_command_has_the_options_that_it_needs(said, reachable):
    assert make_reachable(said, "--root /p") == reachable
    assert make_reachable(said, "") == said


def test_options_are_given_where_the_run_is_not_found_without_them(tmp_path):
    root = tmp_path / "a project"
    root.mkdir()
    (root / "pyproject.toml").write_text("")
    options = Options(root=str(root))
    here, elsewhere = standing_in(root), standing_in(tmp_path)
    assert find_reach(here, options) == ""
    assert find_reach(elsewhere, options) == f"--root '{root}'"
    assert find_reach(here, replace(options, state_dir="/s t")) == "--state-dir '/s t'"


def test_a_remedy_reads_on_behind_a_colon():
    assert as_next_action("Give more time.") == "give more time"
    assert as_next_action("") == ""
