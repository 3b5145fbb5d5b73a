"""What a model that did not see the patch says of it, as a sentence with a word."""

from __future__ import annotations

from dataclasses import replace

import pytest
from fakes.submission import NEW, OLD, candidate_of, submission_of

from analysis.behaviour import Call, CallOrigin, Difference, Raised, Returned
from analysis.calls import AgainstRivals, Comparison, Tried
from repair.compare.comparing import open_versions
from repair.compare.second_fix import SECOND_OPINION, SECOND_WORD, SecondFix
from repair.records.ports import SecondOpinion
from transforms.tree.proposal import Origin

OTHER = OLD.replace(b"int(text)", b"round(float(text))")
OWN = replace(candidate_of(OTHER), origin=Origin("model", "update"))
ELSEWHERE = replace(OWN, function=replace(OWN.function, qualname="cost"))
TOLD = Difference(Call("price", "('2.7')", origin=CallOrigin.GENERATED), Returned("2"), Returned("3"))
NEAR = replace(TOLD, mine=Raised("ValueError", "one text"), other=Raised("ValueError", "another"))
TRIED = Tried(inputs=7, reaching=5, touching=6)


def said_of(opinion, *differences, unknown=False, tried=TRIED, new=NEW):
    """The word and the sentence, where these differences were seen."""
    submission = replace(submission_of(new), second=lambda: opinion)
    second, both = SecondFix.waited_for(submission), open_versions(submission)
    (digest,) = [trial.digest for trial in second.place(both, ())] or [both.mine.digest]
    apart = tuple((digest, each) for each in differences)
    rivals = AgainstRivals(apart, frozenset([digest]) if unknown else frozenset())
    told = dict(second.measure(both, Comparison(tried, rivals=rivals)))
    return told[SECOND_WORD], told[SECOND_OPINION]


@pytest.mark.parametrize(
    ("opinion", "differences", "given", "word", "sentence"),
    [
        (SecondOpinion((OWN,)), (), {}, "agrees", "mends it alike on 7 inputs"),
        (
            SecondOpinion((OWN,)),
            (TOLD,),
            {},
            "differs",
            "mends it otherwise: price('2.7') returns 2, and returns 3 oth",
        ),
        (
            SecondOpinion((OWN,)),
            (NEAR,),
            {},
            "nearly",
            "mends it nearly alike: price('2.7') raises ValueError(one text)",
        ),
        (SecondOpinion((OWN,)), (NEAR, TOLD), {}, "differs", "mends it otherwise: price('2.7') returns 2"),
        (SecondOpinion((OWN,)), (), {"unknown": True}, "uncompared", "mends it too, and no input could be compared"),
        (SecondOpinion((OWN,)), (), {"tried": Tried()}, "uncompared", "mends it too, and no input could be compared"),
        (SecondOpinion(silence="it is late"), (), {}, "none", "no second opinion: it is late"),
        (SecondOpinion(elsewhere="cost rounds"), (), {}, "elsewhere", "would mend another function: cost rounds"),
        (SecondOpinion((ELSEWHERE,)), (), {}, "elsewhere", "mends cost instead, and all tests pass"),
    ],
    ids=[
        "alike",
        "otherwise",
        "words",
        "words and values",
        "uncompared",
        "no inputs",
        "silent",
        "elsewhere",
        "mended elsewhere",
    ],
)
def test_the_word_and_the_sentence(opinion, differences, given, word, sentence):
    told = said_of(opinion, *differences, **given)
    assert told[0] == word
    assert sentence in told[1]


def test_where_nobody_was_asked_nothing_is_told():
    assert SecondFix.waited_for(submission_of()).measure() == ()


def test_what_a_model_wrote_beside_a_patch_of_the_search_is_its_opinion_and_not_on_its_own_patch():
    beside = SecondFix.waited_for(replace(submission_of(), rivals=(OWN, candidate_of(OTHER, operator="other"))))
    assert beside.fixes == (OWN,)
    its_own = replace(
        submission_of(), rivals=(OWN,), candidate=replace(candidate_of(), origin=Origin("model+search", ""))
    )
    assert SecondFix.waited_for(its_own).fixes == ()


def test_that_another_function_is_at_fault_is_one_doubt():
    opinion = SecondOpinion((ELSEWHERE,), "cost rounds")
    (doubt,) = SecondFix.waited_for(replace(submission_of(), second=lambda: opinion)).doubts()
    assert doubt.feature == "fault_elsewhere"


def test_a_fix_with_which_a_vouching_test_fails_is_none():
    submission = replace(submission_of(), second=lambda: SecondOpinion((OWN,)))
    second, both = SecondFix.waited_for(submission), open_versions(submission)
    (trial,) = second.place(both, ())
    assert second.leave_out(both, ()) == second
    left = second.leave_out(both, (trial.digest,))
    assert (left.fixes, dict(left.measure())[SECOND_WORD]) == ((), "none")
