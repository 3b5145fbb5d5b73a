"""The pages for people: the README stays short, the map of the house is true, every decision is in the index."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROBE = "sandbox/probe/_repair_probe"
PAGES = ("README", "CHANGELOG", "CONTRIBUTING", "docs/concepts", "docs/using", "docs/safety")
SHORT_LINES = (*(ROOT / f"{page}.md" for page in PAGES), *sorted((ROOT / "docs" / "decisions").glob("*.md")))
MAP = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
ROOMS = sorted(
    room.parent.relative_to(ROOT).as_posix()
    for package in ("repair", "transforms", PROBE, "corpora")
    for room in (ROOT / package).glob("*/__init__.py")
)


def paths_of(text):
    """What a page names as a file or folder: in backticks, with a slash or a known ending, without a gap to fill in."""
    quoted = set(re.findall(r"`([\w./-]+)`", text))
    return sorted(word for word in quoted if "/" in word or word.endswith((".py", ".md", ".cfg")))


def definitions_of(text):
    """Pairs of a name and its file, where a page says "`name` in `file`"; of a list of names each."""
    lists = re.findall(r"((?:`[\w.]+`(?:, then |, | and | or )?)+) in `([\w./-]+\.py)`", text)
    return sorted({(name, file) for names, file in lists for name in re.findall(r"`([\w.]+)`", names)})


def test_the_readme_is_read_in_two_minutes():
    assert len((ROOT / "README.md").read_text("utf-8").splitlines()) <= 100


@pytest.mark.parametrize("page", SHORT_LINES, ids=lambda page: page.stem)
def test_lines_are_short(page):
    lines = page.read_text("utf-8").splitlines()
    assert [line for line in lines if len(line) > 160 and not line.startswith("|")] == []


@pytest.mark.parametrize("path", paths_of(MAP))
def test_what_the_map_names_is_there(path):
    assert (ROOT / path).exists()


@pytest.mark.parametrize(("name", "file"), definitions_of(MAP))
def test_what_the_map_says_of_a_file_is_defined_there(name, file):
    text = (ROOT / file).read_text("utf-8")
    for part in name.split("."):
        assert re.search(rf"^\s*(def|class) {part}\b|^\s*{part}\s*[:=]", text, re.MULTILINE), part


@pytest.mark.parametrize("room", ROOMS)
def test_no_room_is_missing_in_the_map(room):
    assert f"`{room}`" in MAP


@pytest.mark.parametrize("package", ["analysis", "sandbox"])
def test_no_file_of_a_package_without_rooms_is_missing_in_the_map(package):
    files = [path.name for path in (ROOT / package).glob("*.py") if path.name != "__init__.py"]
    assert files
    assert [name for name in sorted(files) if MAP.count(f"`{package}/{name}`") == 0] == []


def test_the_map_is_looked_at():
    assert len(paths_of(MAP)) > 80
    assert ("judge", "repair/engine/judging.py") in definitions_of(MAP)
    assert ("Suspect", "analysis/facts.py") in definitions_of(MAP)


DECISIONS = ROOT / "docs" / "decisions"
RECORDS = sorted(DECISIONS.glob("[0-9]*.md"))
INDEX = (DECISIONS / "README.md").read_text("utf-8")
LISTED = re.findall(r"^- \[(\d+)\]\(([\w.-]+)\) (.+?)(?: \*([A-Z][^*]+)\*)?$", INDEX, re.MULTILINE)


def state_of(text):
    """What a record says of itself below its title, without links; nothing where it is simply in force."""
    found = re.match(r"# .+\n\n\*\*State\.\*\* (.+?)\n\n", text, re.DOTALL)
    return re.sub(r"\[(\d+)\]\([^)]*\)", r"\1", " ".join(found[1].split())) if found else ""


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.stem)
def test_the_index_gives_every_decision_its_title_and_state(record):
    number, text = int(record.name[:4]), record.read_text("utf-8")
    listed = [entry for entry in LISTED if entry[1] == record.name]
    title = text.splitlines()[0].removeprefix(f"# {number}. ")
    assert listed == [(str(number), record.name, title, state_of(text))]


def test_the_index_lists_nothing_else_and_names_the_numbers_without_a_record():
    assert sorted(file for _, file, _, _ in LISTED) == [record.name for record in RECORDS]
    without = {int(n) for n in re.findall(r"(?<!\d)(\d+)(?=[,:])", INDEX.split("## Numbers without a record")[1])}
    used = {int(record.name[:4]) for record in RECORDS}
    assert used | without == set(range(1, max(used) + 1))
    assert not used & without


def test_titles_say_a_decision_in_one_line():
    assert [r.name for r in RECORDS if not 20 <= len(r.read_text("utf-8").splitlines()[0]) <= 120] == []


def test_the_glossary_is_in_the_order_of_the_alphabet():
    table = (ROOT / "docs" / "concepts.md").read_text("utf-8").split("## Glossary")[1].split("###")[0]
    words = [line.split("|")[1].strip().lower() for line in table.splitlines() if line.startswith("| ")][2:]
    assert len(words) > 50
    assert words == sorted(words)
    assert len(set(words)) == len(words)
