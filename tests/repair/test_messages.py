"""``docs/messages.md`` lists every error that our code raises, with its remedy."""

import ast
import re
from configparser import ConfigParser
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "messages.md"
PACKAGES = ("analysis", "transforms", "sandbox", "repair", "corpora")
ERRORS = {
    "RepairError": 1,
    "UsageError": 2,
    "TargetError": 3,
    "TooSlowError": 3,
    "UnparseableError": 3,
    "ModelError": 4,
    "ConflictError": 1,
}


def text_of(node):
    """A message as written, with ``…`` where something is filled in."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=values):
            return "".join(text_of(value) if isinstance(value, ast.Constant) else "…" for value in values)
        case _:
            return "…"


def explained(call):
    """The row of a ``with explained(MESSAGE, WHERE, REMEDY, KIND):``, which adds what the system says."""
    words = {"remedy": ast.Constant(""), "kind": ast.Name("TargetError")}
    words |= dict(zip(("found", "where", "remedy", "kind"), call.args, strict=False))
    words |= {keyword.arg: keyword.value for keyword in call.keywords}
    return (f"{text_of(words['found'])}: …", ERRORS[words["kind"].id], text_of(words["remedy"]))


def rows():
    """One row for each place that makes an error: message, exit status, remedy."""
    found = set()
    every = (file for package in PACKAGES for file in (ROOT / package).rglob("*.py"))
    for path in (file for file in every if "written" not in file.parts):  # projects of others: they raise their own
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ERRORS and node.args:
                if path.name == "client.py":
                    continue  # the host's own exceptions only hand on what the engine said
                remedies = [text_of(keyword.value) for keyword in node.keywords if keyword.arg == "remedy"]
                found.add((text_of(node.args[0]), ERRORS[node.func.id], (*remedies, "")[0]))
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "explained":
                found.add(explained(node))
    return sorted(found, key=lambda row: (row[1], row[0], row[2]))


def written(row):
    message, code, remedy = (str(cell).replace("|", "\\|").replace("\n", " ") for cell in row)
    return f"| {message} | {code} | {remedy} |"


def test_every_error_is_listed_with_its_remedy():
    page = PAGE.read_text("utf-8").splitlines()
    missing = [line for line in map(written, rows()) if line not in page]
    assert not missing, "add to docs/messages.md:\n" + "\n".join(missing)


def test_nothing_is_listed_that_no_code_says():
    known = set(map(written, rows()))
    listed = [
        line
        for line in PAGE.read_text("utf-8").splitlines()
        if line.startswith("| ") and line.split("|")[2].strip().isdigit()
    ]
    assert [line for line in listed if line not in known] == []


def test_a_library_to_install_is_named_as_its_extra_asks_for_it_and_never_ourselves():
    settings = ConfigParser()
    settings.read(ROOT / "setup.cfg")
    wanted = {line for name, lines in settings["options.extras_require"].items() for line in lines.split()}
    sources = [path for package in PACKAGES for path in (ROOT / package).rglob("*.py") if "written" not in path.parts]
    named = [found for path in sources for found in re.findall(r"pip install '([^']*)'", path.read_text("utf-8"))]
    assert len(named) >= 6
    assert set(named) <= wanted
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *(ROOT / "examples").glob("*.md")]
    pages += [ROOT / "_repair_pytest.py", *sources]
    told = [
        page.name for page in pages if re.search(r"install '?repair-engine|uvx repair-engine", page.read_text("utf-8"))
    ]
    assert told == []
