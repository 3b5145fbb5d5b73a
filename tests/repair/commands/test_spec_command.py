"""The commands about what a project states."""

import json

import pytest
from fakes.stating import SHOP, write_project

from repair.cli import main


@pytest.fixture
def shop(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.chdir(write_project(tmp_path / "shop", {"shop.py": SHOP}))
    return tmp_path / "shop"


def test_a_scan_says_what_is_new_and_what_is_gone(shop, capsys):
    assert main(["spec", "scan", "--json", "--no-progress"]) == 0
    first = json.loads(capsys.readouterr().out)
    assert (first["fresh"], first["gone"]) == ([], [])
    (shop / "shop.py").write_text(SHOP.replace("Returns 0 if", "Returns 1 if"))
    assert main(["spec", "scan", "--json", "--no-progress"]) == 0
    second = json.loads(capsys.readouterr().out)
    assert [fact["value"] for fact in second["gone"]] == ["0"]
    assert len(second["fresh"]) == 1


def test_what_is_named_is_listed(shop, capsys):
    assert main(["spec", "scan", "shop.py:total", "--json", "--no-progress"]) == 0
    assert {fact["subject"] for fact in json.loads(capsys.readouterr().out)["facts"]} == {"shop.py:total"}
    assert main(["spec", "scan", "REQ-9", "--no-progress"]) == 2
    assert "Nothing is stated in or of 'REQ-9'" in capsys.readouterr().err


def test_a_file_of_facts_replaces_only_one_of_ours(shop, capsys):
    for _ in range(2):
        assert main(["spec", "scan", "--out", "facts.toml", "--no-progress"]) == 0
    assert "[[facts]]" in (shop / "facts.toml").read_text()
    assert main(["spec", "scan", "--out", "shop.py", "--no-progress"]) == 2
    assert (shop / "shop.py").read_text() == SHOP


def test_nothing_of_the_program_runs(shop):
    (shop / "shop.py").write_text("open('ran', 'w')\n" + SHOP)
    assert main(["spec", "scan", "--no-progress"]) == 0
    assert not (shop / "ran").exists()
