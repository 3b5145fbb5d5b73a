"""The oracle's truth is known: its answers follow from seed, bug and number, and are what they claim."""

from __future__ import annotations

import json
import urllib.request
from collections import Counter
from dataclasses import replace

import pytest
from fakes.published import humaneval

from corpora.bug import Fault, SetAside
from corpora.catalog import open_corpus
from corpora.lab.benchmarks.noisy_oracle import (
    ELSEWHERE,
    JUNK,
    NEAR,
    REFERENCE,
    SPENT,
    Answer,
    Chances,
    Place,
    Script,
    script_of,
    serve,
)
from repair.model.read_reply import read_reply
from repair.model.reply import ModelReply, Reply, Unusable

RIGHT = "def half(n):\n    return n // 2\n"
SCRIPT = Script(
    "b1", "half.py", "half", RIGHT, ("def half(n):\n    return n // 3",), ("def half(n):\n    return n / 2\n",)
)
QUESTION = "Mend `half` in half.py, which starts at line 1.\n…"


def answers(count: int, seed: int = 0) -> list[Answer]:
    return [SCRIPT.answer(seed, number, Chances()) for number in range(1, count + 1)]


def test_kinds_come_as_often_as_their_chances_say():
    kinds = Counter(answer.kind for answer in answers(2000))
    assert kinds[REFERENCE] == pytest.approx(400, abs=70)
    assert kinds[NEAR] == pytest.approx(800, abs=90)
    makers = Counter(answer.maker for answer in answers(2000) if answer.kind == NEAR)
    assert makers["others"] > makers["ours"] > 200


def test_the_same_question_has_the_same_answer_and_another_seed_another_one():
    assert answers(50) == answers(50)
    assert answers(50) != answers(50, seed=1)


def test_what_is_no_junk_is_read_as_a_rewrite_and_junk_never_as_the_reference():
    for answer in answers(200):
        reply = read_reply(ModelReply(answer.text))
        if answer.kind != JUNK:
            assert isinstance(reply, Reply), answer
            assert [edit.kind for edit in reply.edits] == ["rewrite"]
            assert (reply.edits[0].text.strip() == RIGHT.strip()) == (answer.kind == REFERENCE)
        elif isinstance(reply, Reply):
            assert RIGHT.strip() not in [edit.text.strip() for edit in reply.edits]


def test_who_asks_about_another_function_is_sent_to_the_right_one_and_loses_no_answer():
    place = Place(SCRIPT, 0, Chances(), 1)
    sent = place.reply("Mend `other` in half.py, which starts at line 9.")
    assert sent.kind == ELSEWHERE
    reply = read_reply(ModelReply(sent.text))
    assert not isinstance(reply, Unusable)
    assert reply.elsewhere is not None
    assert (reply.elsewhere.path, reply.elsewhere.qualname) == ("half.py", "half")
    assert place.reply(QUESTION) == answers(1)[0]
    assert place.reply(QUESTION).kind == SPENT


def test_it_is_asked_over_http_and_each_place_has_its_own_answers():
    places = {name: Place(SCRIPT, 0, Chances(), 3) for name in ("a", "b")}
    asked = json.dumps(
        {"messages": [{"role": "system", "content": "x"}, {"role": "user", "content": QUESTION}]}
    ).encode()
    with serve(places) as url:
        for name in ("a", "a", "b"):
            request = urllib.request.Request(f"{url}/{name}/v1/chat/completions", data=asked, method="POST")
            with urllib.request.urlopen(request, timeout=10) as response:
                text = json.load(response)["choices"][0]["message"]["content"]
            assert text == places[name].served[-1].text
    assert places["a"].served == answers(2)
    assert places["b"].served == answers(1)


def test_a_script_is_made_of_the_reference_and_its_near_misses_are_made_by_both(tmp_path):
    corpus = open_corpus(f"humaneval:{humaneval(tmp_path)}")
    twice, thrice = (script_of(bug, corpus) for bug in corpus.bugs() if not isinstance(bug, SetAside))
    assert isinstance(twice, Script)
    assert (twice.path, twice.qualname) == ("solution.py", "twice")
    assert "return n * unit()" in twice.reference
    assert any("return n + unit()" in text for text in twice.others)
    assert twice.ours
    assert all("def twice" in text for text in (*twice.others, *twice.ours))
    assert isinstance(thrice, Script)


def test_of_a_bug_without_a_reference_nothing_is_known(tmp_path):
    corpus = open_corpus(f"humaneval:{humaneval(tmp_path)}")
    bug = next(bug for bug in corpus.bugs() if not isinstance(bug, SetAside))
    assert script_of(replace(bug, fault=None), corpus) == "its function at fault, or its reference, is not known"
    assert script_of(replace(bug, fault=Fault("solution.py", "unit")), corpus) == (
        "its reference is no other text of one function"
    )
