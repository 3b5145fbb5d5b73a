"""Seeded faults: noticed each time, one function each, the same for the same seed."""

from __future__ import annotations

from pathlib import Path

import pytest
from fakes.toy import ToySandbox

from analysis.errors import TargetError, UsageError
from analysis.facts import Files, Limits, TestRun
from corpora.bug import Bug, Fault
from corpora.inject import Injection, Wish, inject, refuse_taken, write_injected
from corpora.loaders.flat import FlatCorpus
from corpora.verify import Terms, Verified, observe_bug

PROGRAM = b'''\
def price(count, each, limit=10):
    """What some things cost."""
    if count > limit:
        return count * each - 1
    return count * each


def unused(value):
    return value + 1


def idle(value):
    value += 0
    return value
'''
TESTS = b"""\
from shop import idle, price


def test_few():
    assert price(3, 2) == 6


def test_many():
    assert price(11, 2) == 21


def test_idle():
    idle(1)
"""
FILES: Files = (("shop.py", PROGRAM), ("test_shop.py", TESTS))


def made(wish: Wish, files: Files = FILES, jobs: int = 1) -> Injection:
    return inject(ToySandbox(files), wish, Limits(), jobs, lambda line: None)


def test_faults_are_noticed_and_others_dropped():
    found = made(Wish(count=100))
    assert {bug.function.qualname for bug in found.bugs} == {"price"}
    assert all(bug.failing for bug in found.bugs)
    assert dict(found.dropped)["not noticed"] >= 2
    assert found.tried_count == len(found.bugs) + sum(count for _, count in found.dropped)


@pytest.mark.parametrize("depth", [1, 2])
def test_the_same_seed_gives_the_same_faults_however_many_run_at_once(depth: int):
    one, other = made(Wish(4, depth=depth, seed=3)), made(Wish(4, depth=depth, seed=3), jobs=3)
    assert one == other
    assert made(Wish(4, depth=depth, seed=4)).bugs != one.bugs


def test_a_fault_of_two_edits_is_mended_by_neither_alone():
    found = made(Wish(5, depth=2, function="price"))
    assert found.bugs
    assert dict(found.dropped)["one edit is enough"]
    for bug in found.bugs:
        assert len(bug.kinds) == 2
        assert bug.content.split(b"def unused")[1] == PROGRAM.split(b"def unused")[1]
        for part in bug.parts:
            run = ToySandbox((("shop.py", part), FILES[1])).run(())
            assert isinstance(run, TestRun)
            assert run.exit_status == 1


def test_only_the_kinds_and_functions_that_are_wanted():
    found = made(Wish(10, kind="swap_*", function="shop.py:pr*"))
    assert {bug.kinds for bug in found.bugs} == {("swap_op",)}


def test_what_is_flaky_is_dropped():
    program = b"calls = []\n\n\ndef price(a, b):\n    calls.append(a)\n    return a * b + len(calls) * 0\n"
    tests = b"from shop import price\n\ndef test_a():\n    price(1, 1)\n\ndef test_b():\n    assert price(2, 0) < 2\n"
    found = made(Wish(kind="number"), (("shop.py", program), ("test_shop.py", tests)))
    assert found == Injection((), (("unsteady", 1),))


@pytest.mark.parametrize(
    ("wish", "files", "error", "said"),
    [
        (Wish(kind="typo"), FILES, UsageError, "No kind of fault is like 'typo'"),
        (Wish(function="unused"), FILES, UsageError, "No passing test runs a function like 'unused'"),
        (Wish(), (("shop.py", b""), ("test_shop.py", b"def test():\n    assert 0\n")), TargetError, "No test passes"),
        (Wish(), (("shop.py", b""),), TargetError, "No test passes"),
    ],
)
def test_bad_input(wish: Wish, files: Files, error: type[Exception], said: str):
    with pytest.raises(error, match=said):
        made(wish, files)


def test_the_corpus_is_verified_as_any_other(tmp_path: Path):
    source, out = tmp_path / "shop", tmp_path / "out"
    source.mkdir()
    for path, text in FILES:
        (source / path).write_bytes(text)
    found = made(Wish(3, seed=1))
    names = write_injected(out, source, found.bugs, ("test_shop.py",))
    corpus = FlatCorpus(out)
    bugs = [bug for bug in corpus.bugs() if isinstance(bug, Bug)]
    assert sorted(names) == [bug.id for bug in bugs]
    for bug in bugs:
        assert (bug.fault, bug.provenance.kind, bug.provenance.project) == (
            Fault("shop.py", "price"),
            "injected",
            "shop",
        )
        assert bug.environment.tests == ("test_shop.py",)
        corpus.write_tree(bug, tmp_path / "trees" / bug.id)
        tree = tuple((path, (tmp_path / "trees" / bug.id / path).read_bytes()) for path, _ in FILES)
        terms = Terms("", Limits(), 0, tmp_path)
        assert isinstance(observe_bug(ToySandbox(tree), bug, corpus.oracle(bug), terms), Verified)
    again = tmp_path / "again"
    write_injected(again, source, made(Wish(3, seed=1)).bugs, ("test_shop.py",))
    texts = [{p.relative_to(r): p.read_bytes() for p in r.rglob("*") if p.is_file()} for r in (out, again)]
    assert texts[0] == texts[1]


def test_a_corpus_does_not_lie_in_the_project_or_among_other_files(tmp_path: Path):
    with pytest.raises(UsageError, match="would lie in the project"):
        refuse_taken(tmp_path / "faults", tmp_path)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").touch()
    with pytest.raises(UsageError, match="There is something already"):
        refuse_taken(tmp_path / "full", tmp_path / "elsewhere")
