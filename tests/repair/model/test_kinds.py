"""Which kind of edit is asked for, and that a larger one is enforced where a place was not found."""

from __future__ import annotations

from dataclasses import replace
from textwrap import dedent

import pytest
from fakes.failing_function import context_of, plan_of, scope_of

from repair.model.kinds import first_kind, next_kind, refuse_smaller, say_kind, say_scope
from repair.model.numbered import number_function
from repair.model.reply import Reply, ReplyEdit, Unusable, UnusableKind
from repair.model.take_reply import ReplyRules, take_reply
from repair.records.task import PatchPlan
from transforms.tree.proposal import EditKind, Origin
from transforms.tree.scope import EditScope

MODULE = dedent("""\
    # a line
    def f(a, b):
        x = a + b
        if a:
            y = a + b
            z = 1
        else:
            z = 1
        while z:
            z -= y
        return x
    """)
"""Lines of the file: 3 s1, 4 s2, 5 s3, 6 s4, 8 s5, 9 s6, 10 s7, 11 s8."""

UPDATE, PATCH, REWRITE = EditKind


def scoped() -> EditScope:
    return scope_of("f", MODULE.encode())


def planned(*suspicious: int, raising: int = 0, subclass: str = "none") -> PatchPlan:
    """The plan of a failure whose traceback ends at a line of the file, with these suspicious lines."""
    plan = plan_of(scoped())
    (diagnosis,) = plan.diagnoses
    raised = diagnosis.failure.exceptions[-1]
    frames = (*raised.frames[:-1], replace(raised.frames[-1], line=raising or 1))
    failure = replace(diagnosis.failure, exceptions=(replace(raised, frames=frames),))
    lines = (*((line, 1.0) for line in suspicious), (2, 0.1))
    suspect = replace(plan.suspect, line_scores=tuple(sorted(lines)))
    return replace(plan, suspect=suspect, diagnoses=(replace(diagnosis, failure=failure, subclass=subclass),))


@pytest.mark.parametrize(
    ("plan", "kind"),
    [
        (planned(raising=3), UPDATE),
        (planned(raising=11), UPDATE),
        (planned(raising=9), UPDATE),
        (planned(raising=6), PATCH),
        (planned(raising=3, subclass="missing_raise"), PATCH),
        (planned(raising=3, subclass="unbound"), PATCH),
        (planned(3, 4, 5), PATCH),
        (planned(3, 11), REWRITE),
        (planned(), REWRITE),
    ],
)
def test_the_failure_suggests_a_kind(plan, kind):
    assert first_kind(plan, scoped(), patch_lines=9) is kind


def test_how_much_is_a_patch_is_configuration():
    plan = planned(3, 11)
    assert first_kind(plan, scoped(), patch_lines=10) is PATCH


@pytest.mark.parametrize(
    ("worked", "kind"),
    [
        ((), UPDATE),
        ((PATCH, PATCH), UPDATE),
        ((PATCH, PATCH, PATCH), PATCH),
        ((PATCH, REWRITE, REWRITE, REWRITE), REWRITE),
        ((PATCH, REWRITE, PATCH, REWRITE, PATCH, REWRITE), UPDATE),
    ],
)
def test_what_worked_before_comes_next(worked, kind):
    assert first_kind(planned(raising=3), scoped(), 10, worked) is kind


def take(edit: ReplyEdit, least: EditKind) -> object:
    scope = scoped()
    context = context_of(scope)
    reply = Reply("", (edit,))
    origin = Origin("model", "x")
    numbered = number_function(scope)
    return take_reply(reply, planned(), context, numbered, origin, lambda texts: True, ReplyRules(), least)


def test_a_place_that_is_not_found_is_followed_by_a_larger_kind_until_it_is_a_rewrite():
    least = UPDATE
    for edit, due in (
        (ReplyEdit("update", "", "a + b", "a - b"), PATCH),
        (ReplyEdit("update", "", "a - b", "a * b"), PATCH),
        (ReplyEdit("insert after", "s40", "", "y = 1"), REWRITE),
        (ReplyEdit("patch", "s1", "", "x = a - b"), REWRITE),
    ):
        refused = take(edit, least)
        assert isinstance(refused, Unusable)
        least = next_kind(least, refused)
        assert least is due
    assert not isinstance(take(ReplyEdit("rewrite", "", "", "def f(a, b):\n    return a - b"), least), Unusable)


def test_a_reply_that_is_refused_for_something_else_may_be_as_small_as_before():
    refused = take(ReplyEdit("update", "s1.value", "", "a +"), UPDATE)
    assert isinstance(refused, Unusable)
    assert next_kind(UPDATE, refused) is UPDATE
    assert next_kind(PATCH, refused) is PATCH


def test_the_kind_that_is_due_is_said():
    refused = refuse_smaller(Reply("", (ReplyEdit("update", "s1", "", "1"),)), PATCH)
    assert refused is not None
    assert refused.kind is UnusableKind.SMALLER_KIND
    assert "send a patch" in refused.reason
    assert refuse_smaller(Reply("", (ReplyEdit("insert after", "s1", "", "1"),)), PATCH) is None


def test_the_scope_and_the_kind_are_told():
    assert say_scope(frozenset()) == ""
    assert "only s2, s3, s10 may change" in say_scope(frozenset(("s10", "s3", "s2")))
    assert say_kind(PATCH, UPDATE).startswith("By its place the failure suggests a patch")
    assert say_kind(UPDATE, REWRITE).startswith("Answer with a rewrite")
