"""Where nothing confines it, only the user's own code runs, and small edits of it."""

from __future__ import annotations

import pytest

from analysis.errors import TargetError
from repair.front.trust import (
    HELD,
    admit_proposers,
    is_ours,
    is_unconfined,
    is_weak,
    refuse_stranger,
    runs_at_once,
    was_searched,
)
from repair.records.config import Options
from repair.records.result import PatchView, Result, Status
from sandbox.cgroups import Cgroups
from sandbox.host_capabilities import Means
from sandbox.jail_protocol import NO_JAIL
from sandbox.jails.bwrap import bwrap
from sandbox.jails.containers import Container
from sandbox.jails.landlock import landlock
from sandbox.jails.landlock_alone import landlock_alone


class Walled:
    kind, stops = "bwrap", HELD


class Weak:
    kind, stops = "landlock-only", tuple(name for name in HELD if name != "change-mode")


def options(isolation="auto", *proposers, model=""):
    return Options("/p", isolation=isolation, proposers=proposers, model=model)


def test_nothing_is_refused_behind_walls_or_by_choice():
    everyone = ("search", "model", "scripted")
    for given, jail in ((options("auto", *everyone), Walled()), (options("none", *everyone), NO_JAIL)):
        assert not is_unconfined(given, jail)
        assert admit_proposers(given, jail) == (everyone, "")
        refuse_stranger(given, jail, "A patch from elsewhere")


@pytest.mark.parametrize(
    ("jail", "jobs", "runs"), [(Walled(), 4, 4), (Walled(), 1, 1), (Weak(), 4, 1), (NO_JAIL, 2, 1)]
)
def test_behind_weak_walls_what_a_verdict_rests_on_runs_one_after_the_other(jail, jobs, runs):
    assert runs_at_once(jail, jobs) == runs


def test_search_goes_on_alone_and_says_so():
    assert admit_proposers(options(), NO_JAIL) == (("search",), "")
    kept, said = admit_proposers(options("auto", "search", "model"), NO_JAIL)
    assert kept == ("search",)
    assert "left out: model" in said
    assert "--isolation none" in said
    assert admit_proposers(options(model="some-model"), NO_JAIL) == (kept, said)


@pytest.mark.parametrize("proposer", ["model", "scripted"])
def test_a_stranger_s_code_is_refused(proposer):
    with pytest.raises(TargetError, match=f"What the proposer {proposer} writes is not run") as caught:
        admit_proposers(options("auto", proposer), NO_JAIL)
    assert "Install bubblewrap" in caught.value.remedy
    assert "--isolation none" in caught.value.remedy
    with pytest.raises(TargetError, match="A patch from elsewhere is not run"):
        refuse_stranger(options(), NO_JAIL, "A patch from elsewhere")


def test_walls_that_let_one_act_through_are_too_weak_for_strangers():
    assert is_weak(Weak())
    assert is_weak(NO_JAIL)
    assert not is_weak(Walled())
    assert admit_proposers(options("auto", "search", "model"), Weak())[0] == ("search",)
    with pytest.raises(TargetError, match="without full isolation") as caught:
        refuse_stranger(options(), Weak(), "A patch from elsewhere")
    assert "--isolation landlock-only" in caught.value.remedy
    refuse_stranger(options("landlock-only"), Weak(), "A patch from elsewhere")


@pytest.mark.parametrize(
    ("jail", "weak"),
    [
        (bwrap("bwrap", Means(b"", "none here", exempt=True)), False),
        (landlock(1, Means(b"", "none here", exempt=True)), False),
        (Container("podman", "podman", "root", bounded=False).jail, False),
        (landlock_alone(6, b"x", Cgroups(("/x",), 2, 1)), True),
    ],
    ids=lambda found: getattr(found, "kind", ""),
)
def test_of_the_kinds_only_landlock_alone_is_weak_even_with_the_least_means(jail, weak):
    assert is_weak(jail) == weak


def test_a_record_is_ours_where_all_of_it_is():
    def recorded(*proposers):
        patches = [PatchView(1, Status.CERTIFIED, "m.py", "f", "", "", proposer=name) for name in proposers]
        return Result(Status.CERTIFIED, patches=tuple(patches))

    assert is_ours(recorded("search", "search"))
    assert not is_ours(recorded("search", "model"))
    assert not is_ours(recorded("foreign"))
    assert not is_ours(None)
    assert not is_ours(Result(Status.INTERRUPTED))


def test_the_patch_that_our_search_found_is_ours_whatever_stands_beside_it():
    named = (("a", "search"), ("b", "model"), ("c", "model+search"), ("d", "synthesis"))
    patches = [PatchView(1, Status.CERTIFIED, "m.py", "f", "", digest, proposer=name) for digest, name in named]
    recorded = Result(Status.CERTIFIED, patches=tuple(patches))
    assert [was_searched(recorded, digest) for digest in ("a", "b", "c", "d", "e", "")] == [
        True,
        False,
        False,
        True,
        False,
        False,
    ]
    assert not was_searched(None, "a")
