"""Our own prompts over a corpus: what a bench's record comes to, what the bugs say, what a broken bench is told as."""

import os

import pytest
from fakes.benched import AGREES, DIFFERS, OPEN, row

from analysis.errors import TargetError, UsageError
from corpora.lab.benchmarks.own_campaign import EDIT, LEAK, answer, write_bugs
from corpora.tuning.leaks import find_leak, read_tasks
from corpora.tuning.own_prompts import OwnAttempter, outcome_of, projects_of, texts_of
from repair.records.result import Status


@pytest.mark.parametrize(
    ("cell", "word"),
    [
        (row("a", Status.CERTIFIED, AGREES), "solved"),
        (row("a", Status.PLAUSIBLE, AGREES), "plausible"),
        (row("a", Status.CERTIFIED, DIFFERS), "wrong"),
        (row("a", Status.PLAUSIBLE, DIFFERS), "wrong"),
        (row("a", Status.CERTIFIED, OPEN), "none"),
        (row("a", Status.UNREPAIRED), "none"),
    ],
)
def test_held_out_answers_decide_what_an_attempt_is_worth(cell, word):
    found = outcome_of(cell, 2.0)
    assert found.word == word
    assert (found.tokens, found.usd, found.calls) == (7, 0.5, 1)


def test_bugs_of_a_group_are_one_project(tmp_path):
    write_bugs(tmp_path, 8)
    projects = projects_of(f"flat:{tmp_path}")
    assert projects["shop-0"] == projects["shop-1"] != projects["shop-2"]
    assert len(projects) == 8


def test_no_edit_says_what_stands_in_a_bug_or_in_its_answer(tmp_path):
    write_bugs(tmp_path, 4)
    said = "\n".join(texts_of(f"flat:{tmp_path}"))
    assert "count * 5" in said
    assert "assert price_in_shop_3(1) == 6" in said
    assert "count * 6" in said
    assert "price_in_shop_3(10) == 60" in said
    known = read_tasks([said])
    assert "price" in find_leak(LEAK["text"], known, "")
    assert find_leak("Remember that what so many cost here is in the docstring.", known, "") == ""
    assert find_leak("What so many cost 6 each is told.", known, "").startswith("it repeats")
    assert find_leak(EDIT["text"], known, "") == ""


def test_a_bench_that_cannot_run_is_no_outcome(tmp_path):
    write_bugs(tmp_path / "bugs", 1)
    (tmp_path / "rules.md").write_text("x")
    corpus = f"flat:{tmp_path / 'bugs'}"
    attempter = OwnAttempter(corpus, tmp_path / "rules.md", "nothing", "", 20.0, dict(os.environ))
    with pytest.raises(TargetError, match="There is no configuration 'nothing'"):
        attempter.attempt("x", "shop-0", 0)


def test_what_an_attempt_is_run_with_has_a_digest(tmp_path):
    write_bugs(tmp_path / "bugs", 1)
    prompts = tmp_path / "prompts"
    prompts.mkdir()
    (prompts / "rules.md").write_text("x")

    def digest(settings=""):
        return OwnAttempter("flat:bugs", prompts / "rules.md", "model", settings, 20.0, {}).digest

    first = digest()
    (prompts / "rules.md").write_text("what is tuned may change")
    assert digest() == first
    (prompts / "reply.md").write_text("another prompt")
    assert digest() != first
    (tmp_path / "bench.toml").write_text("[a]\n")
    assert digest(str(tmp_path / "bench.toml")) != digest()
    with pytest.raises(UsageError, match="Our prompts cannot be read"):
        digest(str(tmp_path / "none.toml"))


def test_the_scripted_model_answers_each_attempt_alike():
    asked = {"seed": 4, "messages": [{"role": "user", "content": "Mend `price_in_shop_7` in prices.py, it fails."}]}
    assert answer("v1", asked) == answer("v1", asked)
    assert "count * 1" in answer("v1", asked)
    assert LEAK["text"] in answer("v1", {"messages": [{"role": "user", "content": "The sentences of the prompt"}]})
