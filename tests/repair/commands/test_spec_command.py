"""The commands about what a project states."""

import json

import pytest
from fakes.stating import SHOP, write_project

from repair.cli import main
from repair.records.specified import RequirementView, SpecReport, TraceReport


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


class Checking:
    """Stands for the engine: hears what is asked."""

    def __init__(self):
        self.asked = None

    def check_facts(self, asked, *rest):
        self.asked = asked
        return SpecReport("/shop")

    def trace_requirements(self, asked, *rest):
        self.asked = asked
        return TraceReport("/shop", (RequirementView("REQ-1", "It shall sing.", "a.md", 1, 1, "abc"),))


def test_what_a_person_says_is_handed_on(shop, capsys):
    engine = Checking()
    words = ["--accept", "D-1", "--dispute", "C-2", "meant so", "--answer", "C-3", "the first", "--as", "Ann"]
    assert main(["spec", "check", "shop.py:total", *words, "--no-progress"], api=engine) == 0
    assert engine.asked.paths == ("shop.py:total",)
    assert engine.asked.who == "Ann"
    assert [(name, says.value, text) for name, says, text in engine.asked.words] == [
        ("C-3", "answered", "the first"),
        ("D-1", "accepted", ""),
        ("C-2", "disputed", "meant so"),
    ]


def test_a_dispute_needs_a_reason(shop, capsys):
    assert main(["spec", "check", "--dispute", "C-2", " ", "--no-progress"], api=Checking()) == 2
    assert "It is not said why C-2 is disputed" in capsys.readouterr().err


def test_links_in_all_forms(shop, tmp_path, capsys):
    out = [f"{name}={tmp_path / file}" for name, file in FORMS]
    assert main(["spec", "trace", "REQ-1", *out, "--no-progress"], api=Checking()) == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.html", "doors", "needs.json", "shop"]
    assert main(["spec", "trace", "--html", "a.html", "--no-progress"], api=Checking()) == 2
    assert "outside of it" in capsys.readouterr().err


FORMS = (("--html", "a.html"), ("--doorstop", "doors"), ("--sphinx-needs", "needs.json"))
