"""One patch in a few lines: whose the other reading is, is told by data and not by the words of the question."""

from dataclasses import replace

import pytest

from repair.records.result import AskedView, EvidenceView, PatchView, RiskView, Status
from repair.show.patch_lines import _brief_risk, patch_lines, whose_other

QUESTION = "Should label('(a model') return 1 (this patch) or return 2 (a model's own fix)?"
SENTENCE = "a model that did not see the patch mends it otherwise: label('a') returns 1, and returns 2 otherwise"


def shown(*, of_model):
    asked = AskedView(QUESTION, "label('(a model')", "returns 1", "returns 2", of_model=of_model)
    evidence = EvidenceView("behaviour", "unknown", "another program passes too", asked=asked)
    patch = PatchView(1, Status.PLAUSIBLE, "shop.py", "label", "", "d", evidence=(evidence,), questions=(QUESTION,))
    lines = patch_lines(PatchView(**{**_fields(patch), "second_opinion": SENTENCE}), 100)
    return [" ".join(str(line).split()) for line in lines]


def _fields(patch):
    return {name: getattr(patch, name) for name in patch.__slots__}


def test_a_reading_of_a_models_is_called_so_and_its_sentence_is_not_said_twice():
    lines = shown(of_model=True)
    assert "a model's own fix: 2" in lines
    assert not any(line.startswith("A model that did not see") for line in lines)


def test_words_in_a_question_make_no_models_reading_of_another_programs():
    """The program under repair has a say in the words: a call is quoted in them."""
    lines = shown(of_model=False)
    assert "otherwise: 2" in lines
    assert any(line.startswith("A model that did not see the patch mends it otherwise") for line in lines)


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        (AskedView("Does it hang on time?"), ""),
        (AskedView("Should f(1) return 1 (this patch) or return 2?", "f(1)", "returns 1", "returns 2"), "otherwise"),
        (AskedView(QUESTION, "f(1)", "returns 1", "returns 2", of_model=True), "a model's own fix"),
    ],
)
def test_a_question_in_words_alone_has_no_other_reading(asked, name):
    assert whose_other(asked) == name


def test_what_checks_of_third_parties_say_stands_beside_the_gates() -> None:
    said = tuple(f"check{number} doubts it, which weighs nothing: because" for number in range(5))
    patch = PatchView(
        1, Status.PLAUSIBLE, "a.py", "f", "", "d", evidence=(EvidenceView("fixes", "accept", "yes"),), others_say=said
    )
    lines = [str(line) for line in patch_lines(patch, 100)]
    assert [line for line in lines if "check0 doubts it" in line] == [f"  a third party's check: {said[0]}"]
    assert "  and 2 more such checks (-v)" in lines


def test_the_risk_of_a_doubted_patch_stands_beside_what_was_rated_like_it():
    """What certificates were worth says nothing of a patch that is far from one."""
    risk = RiskView(0.82, 0.9, 94, 21, 0.02, like=94, like_upper=0.62, unseen=33, unseen_wrong=13)
    assert "at most 62 of 100 rated like it" in _brief_risk(risk)
    certified = _brief_risk(replace(risk, value=0.01))
    assert certified.startswith("risk 1.0 % as weighed, limit 2.0 %; but 13 of 33 certificates")
    assert "13 of 33 certificates" in _brief_risk(replace(risk, value=0.39, like=0))
