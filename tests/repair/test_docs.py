"""The pages say what the code does: options, commands, exit statuses, and links that lead somewhere."""

import dataclasses
import re
from pathlib import Path

import click
import pytest

from repair import cli
from repair.records.config import FOUND_OUT, NOT_IN_A_FILE, Options
from repair.records.result import EXIT_CODES, Status
from repair.records.verdict import CORE_GATES, EXTRA_GATES

ROOT = Path(__file__).parents[2]
PAGES = (
    *(ROOT / f"{name}.md" for name in ("README", "CHANGELOG", "CONTRIBUTING")),
    *sorted((ROOT / "docs").rglob("*.md")),
)
CONFIGURATION = (ROOT / "docs" / "configuration.md").read_text("utf-8")
COMMANDS = {command.name: command for command in cli.OWN}
SPELLED = {
    "models": "also-model",
    "extra_gates": "extra-gate",
    "extra_checks": "extra-check",
    "answers": "answer",
    "proposers": "proposer",
    "verbosity": "v",
    "progress": "no-progress",
    "cache": "no-cache",
    "old_answers": "no-answers",
}


def words_of(command):
    return {word for option in command.params if isinstance(option, click.Option) for word in option.opts}


def rows(text, columns):
    """Cells of every table row with so many columns."""
    found = [
        [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        for line in text.splitlines()
        if line.startswith("|")
    ]
    return [cells for cells in found if len(cells) == columns]


@pytest.mark.parametrize("field", [f.name for f in dataclasses.fields(Options) if f.name not in FOUND_OUT])
def test_every_option_is_described_with_its_environment_and_file_key(field):
    key = field.replace("_", "-")
    variable, word = f"REPAIR_{field.upper()}", f"--{SPELLED.get(field, key)}"
    own = [r for r in rows(CONFIGURATION, 4) if f"`{variable}`" in r[1] or (field == "root" and word in r[0])]
    assert len(own) == 1, f"one row for {field}"
    (flag, _, file, _) = own[0]
    assert ("*this run" in file) == (field in NOT_IN_A_FILE)
    if field not in NOT_IN_A_FILE:
        assert f"`{key}`" in file or f"`{field}`" in file
    known = set().union(*(words_of(command) for command in COMMANDS.values()))
    assert flag == "–" or field == "pytest_args" or f"-{SPELLED.get(field, '')}" in known or word in flag
    assert (flag == "–") == (not {word, f"-{SPELLED.get(field, '')}"} & known and field != "pytest_args")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_and_each_of_its_options_is_mentioned(name):
    assert f"`{name}`" in CONFIGURATION
    missing = [
        w for w in words_of(COMMANDS[name]) if w.startswith("--") and w not in ("--help", "--quiet", "--verbose")
    ]
    assert [word for word in missing if f"`{word}" not in CONFIGURATION] == []


def test_defaults_are_those_of_the_code():
    stated = {r[0].split()[0].strip("`"): r[3] for r in rows(CONFIGURATION, 4)}
    defaults = Options(root="/")
    assert stated["--max-seconds"].startswith(f"{defaults.max_seconds:g};")
    assert stated["--seed"] == str(defaults.seed)
    for name in ("gates", "accept", "isolation", "color", "output_format"):
        assert stated[f"--{name.replace('_', '-')}"].startswith(f"`{getattr(defaults, name)}`")


def test_exit_statuses_of_the_page_are_those_of_the_code():
    table = [r for r in rows((ROOT / "docs" / "using.md").read_text("utf-8"), 2) if r[0].isdigit()]
    stated = {Status(word): int(code) for code, words in table for word in re.findall(r"`(\w+)`", words.split(";")[0])}
    assert stated == dict(EXIT_CODES)


def test_every_gate_is_explained_in_its_order():
    page = (ROOT / "docs" / "concepts.md").read_text("utf-8")
    for gates in (CORE_GATES, EXTRA_GATES):
        assert tuple(r[0].strip("`") for r in rows(page, 3) if r[0].strip("`") in gates) == gates


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text("utf-8")):
        if "://" in target:
            continue
        path, _, anchor = target.partition("#")
        found = (page.parent / path).resolve() if path else page
        assert found.exists(), target
        assert not anchor or anchor in anchors(found.read_text("utf-8")), target


def anchors(text):
    titles = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def test_events_in_the_page_are_those_that_are_sent():
    sent = set()
    for path in (ROOT / "repair").rglob("*.py"):
        sent |= set(re.findall(r"\bevent\(\s*\"(\w+)\"", path.read_text("utf-8")))
    page = (ROOT / "docs" / "embedding.md").read_text("utf-8").split("## JSON lines")[1].split("## The result")[0]
    assert {r[0].strip("`") for r in rows(page, 3)} - {"type", "---"} == sent


def test_no_two_decisions_have_one_number():
    numbers = [int(path.name[:4]) for path in sorted((ROOT / "docs" / "decisions").glob("[0-9]*.md"))]
    assert len(set(numbers)) == len(numbers) >= 20
