"""Material from one bug: right patches, and wrong ones that pass every test that is shown."""

from __future__ import annotations

import ast
import contextlib
import random
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, zip_longest

from analysis.errors import RepairError
from analysis.facts import Files, digest
from analysis.trials import TrialState
from corpora.bench.agreement import Standing
from corpora.bug import Bug, Corpus
from corpora.lab.judging.ground_truth import Known, compare_texts, run_tests, trial
from corpora.lab.judging.hidden_half import Halved
from corpora.lab.judging.records import UPSTREAM, Material, Patch, Place
from corpora.lab.judging.search_survivors import survivors
from corpora.lab.judging.subjects import LIMITS, Subject, Terms, function_alone, open_subject
from corpora.lab.judging.wrong_patches import Likely, fences, mutate_fix, parts, special_cases
from repair.records.functions import edit_scope
from repair.trials.layered import lay_over
from repair.trials.trial_router import Selection, TrialRouter
from sandbox.scratch import scratch_folder
from transforms.mutants.made import changed_old_lines
from transforms.mutants.rewritings import rewrite_function, rewritings
from transforms.patch.apply import place as placed
from transforms.patch.diff import unified_diff

WITHIN = "rewriting of the fix"
BESIDE = "fix and a rewriting beside it"
"""Of which no failing test asks anything: a judge may well withhold it."""

MOST_SCREENED = 120
"""Likely patches of one kind that are tried on the visible tests."""

MOST_COMPARED = 40
"""Those that pass, of which so many are held against the fix."""


def make(bug: Bug, corpus: Corpus, where: Place, terms: Terms) -> Material:
    """All patches of one bug, or why there are none."""
    started = time.monotonic()
    reason = ""
    for shown in (0, 1) if where.shown >= 0 else (-1,):
        place = replace(where, shown=shown)
        try:
            material = _make_material(bug, Halved(corpus, shown) if shown >= 0 else corpus, place, terms)
            return replace(material, seconds=round(time.monotonic() - started, 3))
        except (RepairError, OSError) as problem:
            reason = reason or str(problem)
    return Material(where, reason=reason, seconds=round(time.monotonic() - started, 3))


def _make_material(bug: Bug, corpus: Corpus, place: Place, terms: Terms) -> Material:
    with scratch_folder() as scratch, open_subject(bug, corpus, scratch / "tree", terms) as subject:
        draws = random.Random(digest(str(terms.seed), place.corpus, place.bug))
        dropped: Counter[str] = Counter()
        first, calls = compare_texts(subject, (), terms)
        makers = {
            "search": survivors(subject, terms, scratch),
            "special case": tuple(special_cases(subject.old, first.told)),
            "fenced fix": tuple(fences(subject.old, subject.fixed, calls)),
            "part of the fix": tuple(parts(subject.old, subject.fixed)),
            "mutant": tuple(mutate_fix(subject.fixed)),
        }
        likely = _screen(subject, makers, draws, dropped)
        same = list(_rewritten_patches(subject))
        draws.shuffle(same)
        same.sort(key=lambda each: each.how != WITHIN)
        known, _ = compare_texts(subject, [each.text for each in (*likely, *same)], terms)
        patches = [
            *_right_patches(subject, place, same, known, terms, dropped),
            *_wrong_patches(subject, place, likely, known, terms, dropped),
        ]
        return Material(place, subject.failing, tuple(patches), dict(sorted(dropped.items())))


def _rewritten_patches(subject: Subject) -> Iterator[Likely]:
    """Rewritings of the fix, told apart by whether they touch what the fix leaves alone."""
    fix = changed_old_lines(subject.old, subject.fixed)
    for kind, node in rewritings(subject.fixed.node):
        text = rewrite_function(subject.fixed, node, kind)
        if text is not None and _is_new(text, subject):
            source = ((subject.function.path, placed(subject.fixed, text)),)
            within = changed_old_lines(subject.old, edit_scope(source, subject.function, text)) <= fix
            yield Likely(text, WITHIN if within else BESIDE, kind)


def _is_new(text: bytes, subject: Subject) -> bool:
    """Whether the text is a program, and neither the fix nor the faulty function."""
    with contextlib.suppress(SyntaxError, ValueError, RecursionError):
        trees = [_tree(each) for each in (text, subject.fixed.text, subject.old.text)]
        return trees[0] not in trees[1:]
    return False


def _tree(text: bytes) -> str:
    indented = text[:1] in (b" ", b"\t")
    return ast.dump(ast.parse((b"if 1:\n" if indented else b"") + text))


def _screen(
    subject: Subject, makers: Mapping[str, Sequence[Likely]], draws: random.Random, dropped: Counter[str]
) -> tuple[Likely, ...]:
    """Those that pass the failing tests and some that run the function, the makers in turn."""
    texts: set[bytes] = set()
    rows: list[list[Likely]] = []
    tests = (*subject.failing, *(test for test in subject.covering if test not in subject.failing))
    sources = lay_over(subject.sandbox.sources(), subject.reference)
    asked = Selection(tests, sources, replace(LIMITS, wall_seconds=20, test_seconds=5), LIMITS, True, subject.reference)
    session = TrialRouter(subject.sandbox, asked)
    with contextlib.closing(session):
        for how, made in makers.items():
            distinct = {each.text: each for each in reversed(made) if each.text not in texts}
            fresh = [each for each in distinct.values() if _is_new(each.text, subject)]
            texts.update(distinct)
            chosen = draws.sample(fresh, min(MOST_SCREENED, len(fresh)))
            trials = {trial(subject, each.text).digest: each for each in chosen}
            outcomes = session.trials([trial(subject, each.text) for each in chosen]) if chosen else ()
            passing = [trials[o.digest] for o in outcomes if o.state is TrialState.PASSED]
            dropped[f"{how}: a visible test fails"] += len(chosen) - len(passing)
            rows.append(sorted(passing, key=lambda each: digest(each.text)))
    turns = chain.from_iterable(zip_longest(*rows))
    return tuple(each for each in turns if each is not None)[:MOST_COMPARED]


def _right_patches(
    subject: Subject, place: Place, same: Sequence[Likely], known: Known, terms: Terms, dropped: Counter[str]
) -> Iterator[Patch]:
    """The fix, other known fixes, and rewritings of it that nothing tells apart from it."""
    yield _patch(subject, place, subject.reference, UPSTREAM, "", "reference", right=True)
    left = terms.most - 1
    for number, whole in enumerate(subject.oracle.alternatives[:1], 1):
        files = _function_first(subject, whole)
        if files is not None:
            yield _patch(subject, place, files, "alternative", str(number), "reference", right=True)
            left -= 1
    for each in same:
        standing = known.of(each.text)
        files = _files(subject, each)
        if standing is not Standing.AGREES or left <= 0:
            dropped[f"rewriting: {standing if left > 0 else 'one too many'}"] += 1
            continue
        if not run_tests(subject, files).all_pass:
            dropped["rewriting: a test fails"] += 1
            continue
        left -= 1
        made = _patch(subject, place, files, each.how, each.label, "inputs", right=True)
        yield replace(made, inputs=known.inputs)


def _function_first(subject: Subject, whole: Files) -> Files | None:
    """Another known fix: its function alone where that passes all tests, else all of it, else ``None``."""
    with contextlib.suppress(RepairError):
        alone = function_alone(subject.old, whole, subject.function)
        if run_tests(subject, alone).all_pass:
            return alone
    return whole if run_tests(subject, whole).all_pass else None


def _wrong_patches(
    subject: Subject, place: Place, likely: Sequence[Likely], known: Known, terms: Terms, dropped: Counter[str]
) -> Iterator[Patch]:
    """Those that pass all visible tests, and that hidden tests or an input tell apart from the fix."""
    left = terms.most
    for each in likely:
        standing, witness = known.of(each.text), known.witness(each.text)
        files = _files(subject, each)
        hidden = bool(subject.hidden_required)
        if left <= 0 or not (standing is Standing.DIFFERS or hidden):
            dropped[f"{each.how}: {standing if left > 0 else 'one too many'}"] += 1
            continue
        said = run_tests(subject, files)
        if not said.visible:
            dropped[f"{each.how}: a visible test fails"] += 1
            continue
        failed = said.failed
        if not failed and standing is not Standing.DIFFERS:
            dropped[f"{each.how}: {standing}"] += 1
            continue
        left -= 1
        basis = "held-out tests" if failed else "inputs"
        made = _patch(subject, place, files, each.how, each.label, basis, right=False)
        yield replace(made, witness=failed or witness)


def _files(subject: Subject, each: Likely) -> Files:
    """The fix's files with that text for its function."""
    return lay_over(subject.reference, ((subject.function.path, placed(subject.fixed, each.text)),))


def _patch(subject: Subject, place: Place, files: Files, how: str, label: str, basis: str, *, right: bool) -> Patch:
    before = dict(subject.before)
    diff = "".join(unified_diff(path, before.get(path), text) for path, text in files)
    return Patch(place, right, how, label, diff, basis)
