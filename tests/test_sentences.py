"""Docstrings are read by strangers: no sentence in them has more than 25 words."""

import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("analysis", "transforms", "sandbox", "corpora", "repair")
MATERIAL = ("corpora/own/", "corpora/lab/adversarial/", "corpora/lab/written/")
"""Programs under repair, which others wrote or which are made to look so."""

MOST_WORDS = 25


def docstrings(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Line and cleaned text of each docstring; a text below a field counts as one."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            for statement in node.body:
                if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
                    value = statement.value.value
                    if isinstance(value, str):
                        yield statement.lineno, value


def sentences(text: str) -> Iterator[str]:
    """The sentences of a text. Blank lines and list items end one; what is indented further is no prose."""
    lines = text.expandtabs().splitlines()
    margin = min((len(line) - len(line.lstrip()) for line in lines[1:] if line.strip()), default=0)
    block = ""
    for line in [*lines[:1], *(line[margin:] for line in lines[1:]), ""]:
        item = re.match(r"\s*([-*] |\d+[.)] |\d (?=\())(?=\S)", line)
        if not line.strip() or item or (line.startswith("    ") and not block):
            block = re.sub(r"``[^`]*``", "code", block)
            yield from filter(None, re.split(r"(?<=[.!?])(?<!\bal\.)\s+", block.strip()))
            block = ""
        if line.strip() and (item or block or not line.startswith("    ")):
            block += f" {line.strip()}"


def sources(package: str) -> list[Path]:
    """The product's own files of a package that git knows."""
    listed = subprocess.run(
        ["git", "ls-files", f"{package}/*.py"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return [
        ROOT / path for path in listed.stdout.splitlines() if not path.startswith(MATERIAL) and (ROOT / path).exists()
    ]


@pytest.mark.parametrize("package", PACKAGES)
def test_sentences_are_short(package: str) -> None:
    long = [
        f"{path.relative_to(ROOT)}:{line}: {sentence}"
        for path in sources(package)
        for line, text in docstrings(ast.parse(path.read_text("utf-8")))
        for sentence in sentences(text)
        if len(sentence.split()) > MOST_WORDS
    ]
    assert not long, "\n".join(long)


def test_what_ends_a_sentence() -> None:
    text = """One: ``a b c`` counts once. Two
    go on?

    * an item (after Tan et al. 2016)
    - another

        code that = "is no prose, however long it may be"

    Last
    """
    assert list(sentences(text)) == [
        "One: code counts once.",
        "Two go on?",
        "* an item (after Tan et al. 2016)",
        "- another",
        "Last",
    ]


def test_every_package_has_files() -> None:
    assert all(sources(package) for package in PACKAGES)
