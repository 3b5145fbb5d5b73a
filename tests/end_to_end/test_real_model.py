"""Historical bugs of real libraries, mended by a model that is scripted: good replies, a wrong place, cheats, attacks.

The good replies are made of the libraries' own fixes. Without the package index the tests are skipped.
"""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from fakes.model_server import Asked, ModelServer, Says, model_server

from analysis.functions import find_function, functions_of
from corpora.environment import environment
from corpora.lab.cases import HUMANIZE, LRI, ONE_TO_ONE, TABULATE, Case
from corpora.lab.release_pair import BugTree, make_bug_tree
from corpora.source_package import IndexUnreachableError, case_cache

pytestmark = pytest.mark.real

ACCEPTED = ("certified", "plausible")

SECONDS = 400
"""What a run may take; on a quiet machine it takes a tenth of it."""


@dataclass(frozen=True)
class Prepared:
    """One case on disk: its tree and its interpreter."""

    case: Case
    tree: BugTree
    python: str

    def text(self, source: bytes) -> str:
        """The function at fault as it stands in this source, from the left margin."""
        pair = self.case.pair
        span = find_function(functions_of(pair.path, source), pair.qualname)
        assert span is not None
        return textwrap.dedent(source[span.start : span.end].decode())

    @property
    def mended(self) -> str:
        """The function as the library mended it."""
        return self.text(self.tree.after)


Prepare = Callable[[Case], Prepared]


@pytest.fixture(scope="module")
def prepare(tmp_path_factory: pytest.TempPathFactory) -> Prepare:
    """Makes the tree of a case once."""
    made: dict[str, Prepared] = {}

    def prepared(case: Case) -> Prepared:
        if case.name not in made:
            try:
                tree = make_bug_tree(case.pair, tmp_path_factory.mktemp(case.name) / "tree", case_cache())
                python = environment(case.requirements, case_cache())
            except IndexUnreachableError as problem:
                pytest.skip(str(problem))
            made[case.name] = Prepared(case, tree, python)
        return made[case.name]

    return prepared


@dataclass(frozen=True)
class Answers:
    """A step whose reply depends on what was asked."""

    answer: Callable[[Asked], str]

    def response(self, asked: Asked) -> bytes:
        return Says(self.answer(asked)).response(asked)

    def play(self, client: socket.socket, response: bytes) -> None:
        client.sendall(response)


def rewrite(text: str, why: str = "as the library does it") -> str:
    return f"WHY: {why}\n```python rewrite\n{text}\n```\nEND"


def fix(repair, prepared: Prepared, root: Path, server: ModelServer, *more: str):
    """The command's answer, with the model alone, and the root that it worked on."""
    tree = Path(shutil.copytree(prepared.tree.root, root / "tree"))
    asked = ["fix", *prepared.case.tests, "--root", str(tree), "--python", prepared.python, "--json"]
    named = ["--proposer", "model", "--model", "scripted", "--base-url", server.url, "--max-seconds", str(SECONDS)]
    answer = repair(
        *asked, *named, *more, "--state-dir", str(root / "state"), env={"REPAIR_API_KEY": "k"}, limit=SECONDS + 60
    )
    file = prepared.case.pair.path
    assert (tree / file).read_bytes() == (prepared.tree.root / file).read_bytes(), "only `apply` writes"
    return answer, tree


def new_text(prepared: Prepared, patch: dict, root: Path) -> str:
    """The function as the patch leaves it."""
    (root / "found.diff").write_text(patch["diff"])
    patched = Path(shutil.copytree(prepared.tree.root, root / "patched"))
    subprocess.run(["git", "apply", str(root / "found.diff")], cwd=patched, check=True)
    return prepared.text((patched / prepared.case.pair.path).read_bytes())


def test_a_good_reply_is_judged_recorded_shown_and_replayed(prepare, repair, tmp_path):
    prepared = prepare(HUMANIZE)
    with model_server(Says(rewrite(prepared.mended, "a float that is whole is printed as one"))) as server:
        answer, tree = fix(repair, prepared, tmp_path, server)
    result = answer.result
    assert result["status"] in ACCEPTED, answer.messages
    patch = result["patches"][0]
    assert (patch["proposer"], patch["explanation"]) == ("model", "a float that is whole is printed as one")
    assert new_text(prepared, patch, tmp_path) == prepared.mended
    assert result["cost"]["requests"] == len(server.asked) > 0
    at = ("--root", str(tree), "--state-dir", str(tmp_path / "state"))
    shown = repair("show", result["run"], "--model", *at)
    assert "a float that is whole is printed as one" in shown.output
    assert "Mend `naturalsize`" in shown.output
    asked = len(server.asked)
    again = repair("replay", result["run"], "--model", "--json", *at)
    assert again.result["status"] == result["status"], again.messages
    assert again.result["patches"][0]["diff"] == patch["diff"]
    assert len(server.asked) == asked, "the server is gone, and nobody asked it"


def test_a_good_reply_in_json_does_as_well(prepare, repair, tmp_path):
    prepared = prepare(ONE_TO_ONE)
    edit = {"kind": "rewrite", "place": "", "old": "", "text": prepared.mended}
    reply = {"why": "an empty mapping is no list", "edits": [edit], "imports": [], "words": [], "elsewhere": None}
    with model_server(Says(json.dumps(reply))) as server:
        answer, _ = fix(repair, prepared, tmp_path, server, "--reply-form", "json", "--function", "OneToOne.update")
    result = answer.result
    assert result["status"] in ACCEPTED, answer.messages
    assert new_text(prepared, result["patches"][0], tmp_path) == prepared.mended
    assert server.asked[0].body["response_format"]["type"] == "json_schema"


def test_a_place_that_no_failing_test_runs_is_refused_and_costs_one_request(prepare, repair, tmp_path):
    prepared = prepare(TABULATE)
    wrong = "WHY: this one does right.\nELSEWHERE: tabulate.py:simple_separated_format because it is.\nEND"
    with model_server(Says(wrong), Says(rewrite(prepared.mended))) as server:
        answer, _ = fix(repair, prepared, tmp_path, server)
    result = answer.result
    assert "That function cannot be meant" in server.asked[1].text
    assert result["attempts"][0]["outcome"] == "not there"
    assert result["status"] in ACCEPTED, answer.messages
    assert new_text(prepared, result["patches"][0], tmp_path) == prepared.mended


def test_a_case_for_the_test_s_own_value_is_asked_again(prepare, repair, tmp_path):
    prepared = prepare(HUMANIZE)
    head, body = prepared.text(prepared.tree.before).split('    """', 1)
    docstring, rest = body.split('    """\n', 1)
    cheat = f'{head}    """{docstring}    """\n    if value == 1.0:\n        return "1 Byte"\n{rest}'
    with model_server(Says(rewrite(cheat, "one byte is told so")), Says(rewrite(prepared.mended))) as server:
        answer, _ = fix(repair, prepared, tmp_path, server)
    result = answer.result
    assert len(server.asked) >= 2
    assert result["status"] in ACCEPTED, answer.messages
    assert new_text(prepared, result["patches"][0], tmp_path) == prepared.mended


def test_a_hostile_reply_ends_the_model_s_turn_before_anything_runs(prepare, repair, tmp_path):
    prepared = prepare(LRI)
    old = prepared.text(prepared.tree.before).rstrip()
    attack = f"{old}\n    import os\n    os._exit(0)"
    with model_server(Answers(lambda asked: rewrite(attack))) as server:
        answer, _ = fix(repair, prepared, tmp_path, server, "--function", "LRI.__setitem__")
    result = answer.result
    assert (answer.status, result["status"], result["patches"]) == (1, "unrepaired", [])
    assert len(server.asked) == 1
    assert [each["outcome"] for each in result["attempts"]] == ["hostile"]
    assert result["counts"]["executed"] == 0
