"""A machine on which no isolation holds: strangers' code is refused, one's own goes on with a warning."""

from __future__ import annotations

import subprocess
import sys

import pytest

from analysis.errors import TargetError
from repair import api
from repair.records.config import Options
from repair.records.outcome import RunOutcome
from repair.records.result import Status
from repair.store.store import open_store
from sandbox.jail_protocol import no_jail

MODULE = "def half(number):\n    return number // 3\n"
TESTS = """\
from m import half


def test_half():
    assert half(4) == 2
    assert half(11) == 5
    assert half(0) == 0
"""
PATCH = b"""\
--- a/m.py
+++ b/m.py
@@ -1,2 +1,2 @@
 def half(number):
-    return number // 3
+    return number // 2
"""


@pytest.fixture(autouse=True)
def nothing_holds(monkeypatch):
    """As on a machine without bubblewrap, Landlock and user namespaces."""
    monkeypatch.setattr("repair.front.opening.choose", lambda *_: no_jail("bubblewrap: it is not installed"))


@pytest.fixture
def project(tmp_path):
    root = tmp_path / "project"
    root.mkdir()
    (root / "m.py").write_text(MODULE)
    (root / "test_m.py").write_text(TESTS)
    return root


def options(root, isolation="auto", **given):
    return Options(str(root), python=sys.executable, isolation=isolation, max_seconds=120, jobs=1, **given)


def commit(root):
    git = ["git", "-c", "user.name=n", "-c", "user.email=e", "-C", str(root)]
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "before"]):
        subprocess.run([*git, *words], check=True, capture_output=True)


def quiet(_event):
    """Listens to nothing."""


@pytest.fixture
def judged(monkeypatch):
    """Changes that came as far as the judge, who says no to all."""
    seen = []

    def check(checker, _wanted, _seed):
        seen.append(checker.change)
        return RunOutcome(Status.REJECTED, messages=("as the test wants it",))

    monkeypatch.setattr("repair.engine.checking.Checker.check", check)
    return seen


def test_a_patch_from_elsewhere_is_refused_unless_the_risk_is_accepted(project, judged):
    with pytest.raises(TargetError, match="A patch from elsewhere is not run") as caught:
        api.check(PATCH, None, (), options(project), quiet, {})
    assert caught.value.exit_code == 3
    assert not judged
    api.check(PATCH, None, (), options(project, "none"), quiet, {})
    assert len(judged) == 1
    commit(project)
    (project / "m.py").write_text(MODULE.replace("3", "2"))
    api.check(PATCH, None, (), options(project), quiet, {})
    assert len(judged) == 2, "a patch that the tree holds already is the user's own"


@pytest.mark.parametrize("committed", [True, False])
def test_what_a_stranger_s_patch_takes_away_is_not_run_either(project, judged, committed):
    """The tree is as it is after the patch; the program before it, which would run, is the stranger's."""
    (project / "m.py").write_text(MODULE.replace("3", "2"))
    if committed:
        commit(project)
    with pytest.raises(TargetError, match="A patch from elsewhere is not run"):
        api.check(PATCH.replace(b"number // 3", b"evil()"), None, (), options(project), quiet, {})
    assert not judged


def test_one_s_own_tree_is_judged_with_a_warning(project, judged):
    commit(project)
    (project / "m.py").write_text(MODULE.replace("3", "2"))
    result = api.check(None, "HEAD", (), options(project), quiet, {})
    assert len(judged) == 1
    assert any("isolation is limited" in said and "it is not installed" in said for said in result.warnings)


def test_both_suites_run_one_after_the_other_where_they_could_meet(project, tmp_path):
    """Two runs that use one file outside of their copies, as two that use one port, would each see the other."""
    log = tmp_path / "outside.log"
    slow = f"""
def test_alone():
    import os, time
    for word in ("begins", "ends"):
        with open({str(log)!r}, "a") as log:
            log.write(f"{{os.getpid()}} {{word}}\\n")
        time.sleep(0.7)
"""
    (project / "test_m.py").write_text(TESTS + slow)
    given = Options(str(project), python=sys.executable, isolation="none", max_seconds=120, jobs=2)
    result = api.check(PATCH, None, (), given, quiet, {})
    (first, _), (second, word), *_ = (line.split() for line in log.read_text().splitlines())
    assert (first, "ends") == (second, word)
    assert any("so suites run one after the other" in said for said in result.warnings)


def test_the_program_of_another_s_branch_is_not_run(project, judged):
    commit(project)
    git = ["git", "-c", "user.name=n", "-c", "user.email=e", "-C", str(project)]
    for words in (["checkout", "-qb", "theirs"], ["commit", "-qm", "x", "--allow-empty"], ["checkout", "-q", "-"]):
        subprocess.run([*git, *words], check=True, capture_output=True)
    (project / "m.py").write_text(MODULE.replace("3", "2"))
    with pytest.raises(TargetError, match="The program of theirs, which is no ancestor"):
        api.check(None, "theirs", (), options(project), quiet, {})
    assert not judged
    api.check(None, "theirs", (), options(project, "none"), quiet, {})
    assert len(judged) == 1


def test_search_goes_on_alone_and_its_record_is_marked(project, monkeypatch, request):
    asked = options(project, proposers=("search", "model"), model="m", base_url="http://127.0.0.1:9/v1")
    result = api.fix((), asked, quiet, {})
    assert result.status in (Status.CERTIFIED, Status.PLAUSIBLE)
    assert {patch.proposer for patch in result.patches} == {"search"}
    assert any("left out: model" in said for said in result.warnings)
    stored = open_store(project).load_run(result.run)
    assert (result.isolation, stored.certificate()["isolation"]) == ("none", "none")
    judged = request.getfixturevalue("judged")
    api.replay(stored, options(project), quiet, {})
    assert len(judged) == 1
    monkeypatch.setattr("repair.front.trust.is_ours", lambda _: False)
    with pytest.raises(TargetError, match="A recorded patch"):
        api.replay(stored, options(project), quiet, {})
    api.replay(stored, options(project, "none"), quiet, {})
    assert len(judged) == 2


def test_a_model_alone_is_refused_before_it_is_asked(project):
    with pytest.raises(TargetError, match="What the proposer model writes"):
        api.fix((), options(project, proposers=("model",), model="m", base_url="http://127.0.0.1:9/v1"), quiet, {})
    with pytest.raises(TargetError, match="What the proposer scripted writes"):
        api.fix((), options(project, proposers=("scripted",), script="/no/script"), quiet, {})
