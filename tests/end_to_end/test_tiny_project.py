"""One small project through the whole engine, with real processes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from difflib import unified_diff
from pathlib import Path

import pytest
from fakes.bare import BARE

from analysis.errors import ConflictError, TargetError, UsageError
from repair import api
from repair.records.config import Options
from repair.records.result import Status
from repair.store.store import open_store

SHOP = '''\
"""A shop."""


class Cart:
    """Things and how many of each."""

    def __init__(self):
        self.counts = {}

    def add(self, name, count=1):
        """Put some more of a thing into the cart."""
        if count < 1:
            raise ValueError("nothing to add")
        self.counts[name] = self.counts.get(name, 0) + count

    def total(self, prices):
        """What everything costs."""
        return sum(prices[name] for name, count in self.counts.items())


def shipping(weight):
    """What sending costs: 5, and 1 for each kilogram above two."""
    if weight <= 0:
        raise ValueError("no weight")
    if weight < 2:
        return 5
    return 5 + (weight - 1)
'''
GOOD = SHOP.replace("weight - 1", "weight - 2")
TESTS = """\
import pytest
from shop import Cart, shipping


@pytest.mark.parametrize(("weight", "expected"), [(3, 6), (7, 10), (2.5, 5.5)])
def test_heavy_things_cost_more(weight, expected):
    assert shipping(weight) == expected


@pytest.mark.parametrize("weight", [0.5, 1, 1.9])
def test_light_things_cost_five(weight):
    assert shipping(weight) == 5


def test_two_kilograms_are_still_light():
    assert shipping(2) == 5


@pytest.mark.parametrize("weight", [0, -1])
def test_without_weight_there_is_no_shipping(weight):
    with pytest.raises(ValueError, match="no weight"):
        shipping(weight)


def test_things_add_up():
    cart = Cart()
    cart.add("tea")
    cart.add("tea", 2)
    assert cart.counts == {"tea": 3}
"""
HEAVY = "test_shop.py::test_heavy_things_cost_more"


@pytest.fixture(autouse=True)
def own_temporary_folder(tmp_path, monkeypatch):
    """Whatever the engine leaves behind would be found here, and its processes below this one."""
    folder = tmp_path / "t"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    known = children()
    yield
    assert list(folder.iterdir()) == []
    assert children() <= known


def children():
    path = Path(f"/proc/self/task/{os.getpid()}/children")
    return set(path.read_text().split()) if path.exists() else set()


@pytest.fixture
def project(tmp_path):
    root = tmp_path / "project"
    root.mkdir()
    (root / "shop.py").write_text(SHOP)
    (root / "test_shop.py").write_text(TESTS)
    return root


def options(root, **given):
    kept = {"python": sys.executable, "isolation": "none", "max_seconds": 120, "jobs": 2, "pass_env": tuple(BARE)}
    return Options(str(root), **kept, **given)


def bytes_of(root):
    return {
        str(p.relative_to(root)): p.read_bytes() for p in root.rglob("*") if p.is_file() and ".repair" not in p.parts
    }


def diff_of(*files):
    """A patch that makes each file's first text its second; ``""`` where there is none."""
    text = ""
    for name, old, new in files:
        sides = ("a/" + name if old else "/dev/null", "b/" + name if new else "/dev/null")
        text += "".join(unified_diff(old.splitlines(keepends=True), new.splitlines(keepends=True), *sides))
    return text.encode()


def checked(project, *files, tests=(), **given):
    before = bytes_of(project)
    result = api.check(diff_of(*files), None, tests, options(project, **given), lambda event: None, BARE)
    assert bytes_of(project) == before
    return result


def decisions(result, place=0):
    return {e.gate: e.decision for e in result.patches[place].evidence}


def replayed(project, run):
    return api.replay(open_store(project).load_run(run), options(project), lambda event: None, BARE)


def test_explain_names_the_function_and_changes_nothing(project):
    before = bytes_of(project)
    result = api.explain([HEAVY], options(project), lambda event: None, BARE)
    assert result.status is Status.DIAGNOSED
    assert result.suspects[0].function == "shipping"
    assert [f.failure_class for f in result.failures] == ["logic"] * 3
    assert result.plan is not None
    assert bytes_of(project) == before


def test_fix_finds_a_certified_patch_that_can_be_applied_and_proved_again(project):
    before, events = bytes_of(project), []
    result = api.fix([], options(project), events.append, {})
    assert result.status is Status.CERTIFIED, result.to_json()
    (patch,) = (p for p in result.patches if p.rank == 1)
    assert (patch.file, patch.function, patch.status) == ("shop.py", "shipping", Status.CERTIFIED)
    assert bytes_of(project) == before
    assert result.isolation == "none"
    assert [e.type for e in events][-1] == "finished"
    if shutil.which("git"):
        applied = subprocess.run(
            ["git", "apply", "--check", "-"], input=patch.diff.encode(), cwd=project, check=False, capture_output=True
        )
        assert applied.returncode == 0, applied.stderr
    again = replayed(project, result.run)
    assert again.status is Status.CERTIFIED, again.messages
    assert again.messages[0].endswith("is certified as before")


def assert_right_as_far_as_a_change_by_people_can_be(result):
    """Every gate accepts; only that people's changes which look as good are too often wrong withholds a certificate."""
    assert result.status is Status.PLAUSIBLE, result.to_json()
    (told,) = (e for e in result.patches[0].evidence if e.decision != "accept")
    assert (told.gate, "by people that looked as good" in told.claim) == ("behaviour", True), result.to_json()


def test_the_right_patch_is_plausible_and_proved_again_after_it_was_applied(project):
    more = TESTS + "\n\ndef test_ten_kilograms():\n    assert shipping(10) == 13\n"
    change = (("shop.py", SHOP, GOOD), ("test_shop.py", TESTS, more), ("NEWS.md", "", "Shipping costs one less.\n"))
    result = checked(project, *change)
    assert_right_as_far_as_a_change_by_people_can_be(result)
    assert decisions(result)["changed_tests"] == "accept"
    for name, _, new in change:
        (project / name).write_text(new)
    assert replayed(project, result.run).status is Status.PLAUSIBLE
    (project / "shop.py").write_text(GOOD + "\n# edited\n")
    with pytest.raises(ConflictError, match=r"shop\.py is no longer"):
        replayed(project, result.run)


@pytest.mark.parametrize("tests", [(), (HEAVY,), ("test_shop.py",)])
def test_a_check_starts_four_processes_that_import_pytest(project, tests):
    result = checked(project, ("shop.py", SHOP, GOOD), tests=tests)
    assert_right_as_far_as_a_change_by_people_can_be(result)
    assert dict(result.cold_starts) == {"suite": 1, "patched suite": 1, "patched server": 1, "twins": 1}
    numbers = {e.gate: dict(e.measurements) for e in result.patches[0].evidence}
    assert (numbers["controls"]["runs"], numbers["controls"]["forks"]) == (1, 3)


@pytest.mark.parametrize(
    "body",
    [
        "    return {3: 6, 7: 10, 2.5: 5.5, 2: 5}.get(weight, 5 + (weight - 1))\n",
        "    if weight > 2.4 or weight == 2:\n        weight = weight - 1\n    return 5 + (weight - 1)\n",
        "    import sys\n    return sys._getframe(1).f_locals.get('expected', 5)\n",
        "    import os\n    os._exit(0)\n",
    ],
)
def test_a_patch_that_answers_the_tests_is_never_certified(project, body):
    cheat = SHOP.replace("    return 5 + (weight - 1)\n", body)
    result = checked(project, ("shop.py", SHOP, cheat))
    assert result.status in (Status.REJECTED, Status.PLAUSIBLE), result.to_json()


def test_named_tests_that_pytest_does_not_collect_by_itself_are_judged_with_the_suite(project):
    (project / "pytest.ini").write_text("[pytest]\npython_files = check_*.py\n")
    (project / "check_all.py").write_text("from test_shop import *\n")
    (fixed, broken) = (GOOD, GOOD.replace("return 5\n", "return 6\n"))
    result = checked(project, ("shop.py", SHOP, fixed), tests=[HEAVY])
    assert_right_as_far_as_a_change_by_people_can_be(result)
    result = checked(project, ("shop.py", SHOP, broken), tests=[HEAVY])
    assert (result.status, decisions(result)["regressions"]) == (Status.REJECTED, "reject")


def test_a_certificate_says_the_word_for_the_whole_change(project):
    result = checked(project, ("shop.py", SHOP, GOOD + "\n\nCOUNTRIES = ()\n"))
    assert result.status is Status.PLAUSIBLE
    assert "module_level" in {finding.kind for finding in result.findings}
    written = json.loads((open_store(project).load_run(result.run).path / "certificate.json").read_text())
    assert (written["status"], written["functions"][0]["status"]) == ("plausible", "plausible")


def test_the_working_tree_is_judged_since_a_revision(project):
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    own = ["git", "-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false", "-C", project]
    for arguments in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "one"]):
        subprocess.run([*own, *arguments], check=True, capture_output=True)
    (project / "shop.py").write_text(GOOD)
    (project / "__pycache__").mkdir()
    (project / "__pycache__" / "shop.pyc").write_bytes(b"\0")
    before = bytes_of(project)
    result = api.check(None, "HEAD", (), options(project), lambda event: None, BARE)
    assert_right_as_far_as_a_change_by_people_can_be(result)
    assert bytes_of(project) == before


@pytest.mark.parametrize("moment", ["progress", "evidence"])
def test_an_interruption_leaves_nothing_behind(project, moment):
    before = bytes_of(project)

    def listen(event):
        if event.type == moment:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        api.fix([HEAVY], options(project), listen, BARE)
    assert bytes_of(project) == before


def test_what_cannot_be_tested_is_one_clear_error(project, tmp_path):
    with pytest.raises(UsageError, match="no such test"):
        api.fix(["test_shop.py::test_nowhere"], options(project), lambda event: None, BARE)
    with pytest.raises((UsageError, TargetError)):
        api.fix([], options(tmp_path / "nowhere"), lambda event: None, BARE)


def test_what_an_earlier_run_tried_is_not_run_again(project, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (project / "test_shop.py").write_text(TESTS.replace("(3, 6)", "(3, 'six')"))

    def counts(**given):
        wanted = ["test_shop.py::test_heavy_things_cost_more[3-six]"]
        result = api.fix(wanted, options(project, max_candidates=30, **given), lambda event: None, BARE)
        assert result.status is Status.UNREPAIRED, result.to_json()
        assert "30 candidates were tried" in result.messages[0]
        return (result.counts.executed, result.counts.remembered)

    assert counts() == (30, 0)
    executed, remembered = counts()
    assert executed <= 1, "one in fifty is run all the same"
    assert executed + remembered == 30
    assert counts(cache=False) == (30, 0)
