"""`make bench-tune ARGS=--own`: one campaign on a prompt of ours, from `repair tune run` to the changed file.

The bugs are written here: small functions with a factor that is off by one, two of each project. The model is a script
behind an endpoint. Whether it answers the right factor follows from the bug, the seed and whether one rule stands in
its packet. Asked for an edit, it first gives a bug away, and then proposes that rule. So the truth is known, and all
else is the product: packets, edits, tests, guards, judgement.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

from corpora.lab.benchmarks.scripted_endpoint import serve_answers, words_of
from repair import cli
from repair.model.prompt_files import packaged_files

RULE = "Say what the words of the docstring ask for before you write any code."
"""The rule that helps; it stands in no prompt of ours."""

EDIT = {"kind": "insert", "sentence": 1, "text": RULE, "why": "the docstring is not read", "predicted": "all bugs"}
LEAK = {"kind": "insert", "sentence": 1, "text": "Mend price_in_shop_3 by its docstring.", "why": "it knows a bug"}

PROMPT, PART = "rules.md", "task"
SETTINGS = '[quick]\nlike = "model"\njudging = "tests"\nmax_requests = 1\n'
BUGS, PROJECT = 26, 2
CHANCE, CHANCE_WITH_RULE = 0.05, 0.98

_ASKED = re.compile(r"^(?:Mend|Write) `price_in_shop_(\d+)`", re.MULTILINE)


def write_bugs(folder: Path, count: int) -> None:
    """A flat corpus of so many bugs, two of each project."""
    for number in range(count):
        place, name = folder / f"shop-{number}", f"price_in_shop_{number}"
        for part in ("tree", "reference", "held_out"):
            (place / part).mkdir(parents=True)
        (place / "tree" / "prices.py").write_text(_source(name, number, wrong=True))
        (place / "reference" / "prices.py").write_text(_source(name, number, wrong=False))
        values = [(n, n * factor_of(number)) for n in (1, 4, 10)]
        test = f"from prices import {name}\n\n\ndef test_prices():\n"
        (place / "tree" / "test_prices.py").write_text(test + _asserts(name, values[:2]))
        (place / "held_out" / "test_held_out.py").write_text(test + _asserts(name, values))
        (place / "bug.toml").write_text(
            f'function = "prices.py:{name}"\nfailing = ["test_prices.py::test_prices"]\n'
            f'group = "street-{number // PROJECT}"\n'
            'held_out_tests = ["test_held_out.py::test_prices"]\n'
        )


def factor_of(number: int) -> int:
    """What the function of that bug should multiply by."""
    return number + 3


def _source(name: str, number: int, *, wrong: bool) -> str:
    factor = factor_of(number)
    return (
        f'def {name}(count):\n    """What so many cost: {factor} each."""\n'
        f"    total = count * {factor - wrong}\n    return total\n"
    )


def _asserts(name: str, values: list[tuple[int, int]]) -> str:
    return "".join(f"    assert {name}({given}) == {wanted}\n" for given, wanted in values)


def answer(name: str, asked: Mapping[str, Any]) -> str | None:
    """The model: the right factor by chance, else another wrong one. All requests of one attempt get one answer."""
    question = words_of(asked, "user")
    found = _ASKED.search(question)
    if found is None:
        return json.dumps(EDIT if str(LEAK["text"]) in question else LEAK)
    number = int(found[1])
    packet = "\n".join(str(turn["content"]) for turn in asked["messages"])
    chance = CHANCE_WITH_RULE if RULE in packet else CHANCE
    is_right = Random(f"{asked.get('seed')} {number}").random() < chance
    factor = factor_of(number) + (0 if is_right else 2)
    return f"WHY: the factor is another one.\n```python update s2.value\ncount * {factor}\n```\nEND."


@contextmanager
def bugs_and_model(folder: Path, count: int) -> Iterator[list[str]]:
    """The corpus, a copy of our prompt, and the model, as options of `repair tune`; all files lie in the folder."""
    write_bugs(folder / "bugs", count)
    (folder / "prompts").mkdir()
    (folder / "prompts" / PROMPT).write_text(packaged_files()[PROMPT])
    (folder / "bench.toml").write_text(SETTINGS)
    with serve_answers(answer) as url:
        words = ["--own", f"flat:{folder / 'bugs'}", "--file", f"{folder / 'bench.toml'}", "--config", "quick"]
        words += ["--prompt", f"{folder / 'prompts' / PROMPT}#{PART}", "--model", "scripted", "--base-url", f"{url}/v1"]
        yield [*words, "--samples", "1", "--yes"]


def run_own_campaign(folder: Path, count: int = BUGS) -> int:
    """The whole campaign through the command line, with a replay; hand back the exit status."""
    out = str(folder / "tuned")
    with bugs_and_model(folder, count) as words:
        words += ["--reflect", "scripted", "--iterations", "3", "--sealed-samples", "1"]
        ended = cli.main(["tune", "run", *words, "--max-tokens", "1000000", "--out", out])
    return ended or cli.main(["tune", "log", out]) or cli.main(["tune", "replay", out])
