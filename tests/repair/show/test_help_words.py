"""Every word that an answer uses is explained, on one screen, under an anchor that stays."""

import re
from pathlib import Path

import pytest

from analysis.exception_kinds import Subclass
from analysis.facts import FailureClass
from repair import cli
from repair.checks.catalog import FEATURES
from repair.compare import foreign_signature
from repair.gates.callers import Callers
from repair.observe import patched
from repair.records.result import EXIT_CODES, Status
from repair.records.verdict import CORE_GATES, EXTRA_GATES
from repair.show import help_words
from repair.show.help_words import find_words, list_text, nearest_words, page, word_text, words

ROOT = Path(__file__).parents[3]
EVERY = tuple(words())

USED = {
    "status": {str(status) for status in Status},
    "gate": {*CORE_GATES, *EXTRA_GATES, Callers.name, foreign_signature.GATE, patched.GATE},
    "class": {each.value for each in FailureClass},
    "subclass": {each.value for each in Subclass},
}


@pytest.mark.parametrize("kind", USED)
def test_each_word_of_the_enums_is_explained_and_no_other(kind):
    assert {word.name for word in EVERY if word.kind == kind} == USED[kind]


def test_each_feature_that_has_a_weight_is_explained_with_it():
    explained = {word.name for word in EVERY if word.kind in ("doubt", "measure")}
    assert explained == FEATURES
    assert all("Weight" in word_text(*find_words(name), 100) for name in ("moved_failure", "few_inputs", "size"))


def test_each_exit_status_is_explained_with_its_words():
    codes = {word.name: word for word in EVERY if word.kind == "exit"}
    assert {str(code) for code in EXIT_CODES.values()} <= set(codes)
    for status, code in EXIT_CODES.items():
        assert f"`{status}`" in codes[str(code)].means
    listed = re.findall(r"^\| ([\d, ]+) \|", (ROOT / "docs/messages.md").read_text("utf-8").split("## Errors")[0], re.M)
    assert {code for row in listed for code in row.strip().split(", ")} <= set(codes)


@pytest.mark.parametrize("word", EVERY, ids=lambda word: word.title)
def test_a_word_is_a_screen_and_says_what_to_do(word):
    text = word_text(word, 80)
    assert len(text.splitlines()) <= 23
    assert max(map(len, text.splitlines())) <= 80
    assert word.means.rstrip().endswith((".", "?"))
    assert word.todo or word.kind not in ("status", "gate")
    assert text.rstrip().endswith(word.anchor)


def test_anchors_are_unique_and_stand_on_the_page():
    anchors = [word.anchor for word in EVERY]
    assert len(set(anchors)) == len(anchors)
    titles = re.findall(r"^### (.+)$", (ROOT / help_words.PAGE).read_text("utf-8"), re.MULTILINE)
    assert [f"{help_words.PAGE}#{title.replace(' ', '-')}" for title in titles] == anchors
    assert "docs/words.md#status-plausible" in anchors


def test_the_page_is_made_of_the_same_texts():
    assert (ROOT / help_words.PAGE).read_text("utf-8") == page(), "make words"


def test_words_that_two_kinds_share_are_both_explained():
    assert [word.kind for word in find_words("environment")] == ["status", "class"]
    assert [word.title for word in find_words("logic/wrong_value")] == ["class logic", "subclass wrong_value"]
    assert [word.title for word in find_words("Out-of-scope")] == ["status out_of_scope"]
    assert find_words("nonsense") == ()


def test_nearly_the_word_is_offered():
    assert nearest_words("certifid")[0] == "certified"
    assert nearest_words("qqqqqq") == ()


def test_all_words_are_listed():
    listed = list_text(80)
    assert all(re.search(rf"(?<!\w){re.escape(word.name)}(?!\w)", listed) for word in EVERY)
    assert max(map(len, listed.splitlines())) <= 80


def test_the_command_explains_lists_and_offers(capsys):
    assert cli.main(["help", "plausible"]) == 0
    assert "What to do: Answer the question" in capsys.readouterr().out
    assert cli.main(["help"]) == 0
    assert "status: certified" in capsys.readouterr().out
    assert cli.main(["help", "undo"]) == 0
    assert "Usage: repair undo" in capsys.readouterr().out
    assert cli.main(["help", "certifid"]) == 2
    assert "No answer uses the word 'certifid'. Did you mean certified" in capsys.readouterr().err
    assert cli.main(["help", "qqqqqq"]) == 2
    assert "`repair help` lists all words" in capsys.readouterr().err
    assert cli.main(["help", "\x1b[2J"]) == 2
    assert "\x1b" not in capsys.readouterr().err
