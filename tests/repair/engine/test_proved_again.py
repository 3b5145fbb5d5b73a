"""Patches that are proved again on a layer: only the program that was judged can be applied."""

from dataclasses import replace

import pytest
from fakes.submission import submission_of

from repair.engine.combining import combine_causes, stack_proved
from repair.records.change import Change
from repair.records.outcome import Cause, Judged, RunOutcome
from repair.records.result import Status
from repair.records.verdict import Verdict

BARE = {"a.py": b"a", "b.py": b"b", "c.py": b"c"}
FIRST, SECOND = {**BARE, "a.py": b"A"}, {**BARE, "a.py": b"A", "b.py": b"B"}


def ending(path, word=Status.CERTIFIED):
    change = Change(((path, BARE[path]),), ((path, BARE[path].upper()),))
    return RunOutcome(word, judged=(Judged(submission_of(), Verdict(())),), change=change)


def proved(under=Status.CERTIFIED):
    """The second patch stands on the first."""
    return (
        Cause(1, (), ending("a.py", under), base=tuple(BARE.items())),
        Cause(2, (), ending("b.py"), (1,), base=tuple(FIRST.items())),
    )


def stacks_on(project, causes):
    return {stack.causes: stack for stack in stack_proved(causes, project.get)[0]}


def test_a_patch_takes_along_what_it_stands_on():
    stacks = stacks_on(BARE, proved())
    assert stacks[1,].change == Change((("a.py", b"a"),), (("a.py", b"A"),))
    assert stacks[1, 2].change == Change((("a.py", b"a"), ("b.py", b"b")), (("a.py", b"A"), ("b.py", b"B")))


def test_what_is_there_already_stays():
    assert stacks_on(FIRST, proved())[1, 2].change == Change((("b.py", b"b"),), (("b.py", b"B"),))


def test_patches_of_one_file_lie_on_each_other():
    below, above = b"1 patched", b"1 and 2 patched"
    first, second = Change((("a.py", b"a"),), (("a.py", below),)), Change((("a.py", below),), (("a.py", above),))
    causes = (
        Cause(1, (), replace(ending("a.py"), change=first), base=tuple(BARE.items())),
        Cause(2, (), replace(ending("a.py"), change=second), (1,), base=tuple({**BARE, "a.py": below}.items())),
    )
    for now in (b"a", below):
        change = stacks_on({**BARE, "a.py": now}, causes)[1, 2].change
        assert change == Change((("a.py", now),), (("a.py", above),))


@pytest.mark.parametrize("project", [{**BARE, "c.py": b"C"}, SECOND, {"a.py": b"a", "b.py": b"b"}])
def test_a_program_that_cannot_be_made_of_these_files_changes_none(project):
    assert stacks_on(project, proved())[1, 2].change == Change((), ())


def test_its_word_is_the_weakest_and_none_lies_on_a_rejected_patch():
    assert stacks_on(BARE, proved(Status.PLAUSIBLE))[1, 2].status is Status.PLAUSIBLE
    assert not stacks_on(BARE, proved(Status.REJECTED))


def test_one_of_several_causes_keeps_its_program():
    stacks, said = stack_proved(proved()[:1], BARE.get)
    assert combine_causes(proved()[:1], stacks, said=said).stacks == stacks
    assert stacks


def test_without_those_under_it_there_is_no_program():
    assert stack_proved(proved()[1:], BARE.get) == ((), ())


def test_patches_that_were_not_tried_together_are_told():
    apart = (*proved(), Cause(3, (), ending("c.py"), base=tuple(BARE.items())))
    assert "causes 3 were not tried" in stack_proved(apart, BARE.get)[1][0]


def test_without_a_layer_there_is_no_program():
    assert stack_proved((Cause(1, (), ending("a.py")),), BARE.get) == ((), ())
