"""Weights of the judge's features, learned from labelled patches, and checked project by project.

A logistic regression (Cox, 1958) by Newton's method. Each weight has a normal prior around what we would say by hand,
so that a feature with few patches keeps nearly that. Patches are weighed so that one in five is wrong. Each way to be
wrong is as frequent as the others, and no project counts more than a bound. What is checked is always learned without
the project's own patches.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from corpora.bench.statistics import rate
from corpora.lab.judging.known_patches import WRITTEN
from repair.checks.catalog import FEATURES
from repair.checks.weights import MOST_RISK, Band, FeatureWeight, Weights, sigmoid

WRONG_SHARE = 0.2
"""How many of the patches that people check are wrong, as far as the weights suppose."""

BANDS = (MOST_RISK, 0.1, 0.3, 1.0)
"""Upper ends of the bands of risk that are counted apart."""

SPREAD, WIDE = 1.5, 1.0
"""The standard deviations of a weight around what is said by hand, and of the intercept."""

OF_THE_PROJECT = frozenset(("failing", "vouching", "reaching", "examples", "answered"))
NARROW = 0.2
"""Features that right and wrong patches of a project share, and the deviation of their weights.

The material cannot tell what they are worth. It tells only that one project came with other patches than the next."""

MOST_OF_A_PROJECT = 12.0
"""A project with more patches counts as much as one with so many."""

INTERCEPT = -5.2
BY_HAND: Mapping[str, float] = {
    "noticed_by_tests": 2.0,
    "unsteady_answer": 5.0,
    "tested_values_alone": 4.0,
    "some_digits_alone": 4.0,
    "single_number_refused": 4.0,
    "named_value_alone": 4.5,
    "spelled_out_calls": 4.5,
    "moved_failure": 3.0,
    "new_crash": 3.5,
    "failure_became_crash": 3.5,
    "contested": 1.5,
    "outvoted": 1.5,
    "tests_alone": 0.9,
    "walks_copy": 2.0,
    "sorted_choice": 2.0,
    "new_hang": 4.0,
    "chance_passes": 4.0,
    "unreached_change": 3.0,
    "half_mended": 2.5,
    "narrower_rival": 2.5,
    "strange_type": 2.5,
    "object_for_plain": 3.0,
    "lost_refusal": 2.5,
    "turned_back": 2.0,
    "other_kind_of_change": 2.5,
    "made_superfluous": 3.0,
    "newly_negative": 2.0,
    "written_argument": 2.5,
    "against_docstring": 3.5,
    "against_annotation": 2.5,
    "unnamed_end": 1.5,
    "said_by_docstring": -1.0,
    "named_end": -1.0,
    "given_back": -2.5,
    "as_beside": -0.8,
    "unlike_beside": 0.8,
    "lost_guard": 1.5,
    "told_by_candidate": 3.5,
    "told_by_part": 3.5,
    "told_by_looser": 2.5,
    "told_by_number": 3.5,
    "told_by_neighbour": 1.0,
    "told_by_mutant": 3.5,
    "told_by_kept": 0.5,
    "told_by_model": 3.5,
    "fault_elsewhere": 1.0,
    "nothing_compared": 2.5,
    "old_unknown": 2.5,
    "rival_unknown": 2.5,
    "few_inputs": 1.5,
    "other_function": 2.5,
    "rivals_unsought": 1.5,
    "unrun_line": 3.0,
    "apart": 6.0,
    "broken_example": 5.0,
    "mutants_not_run": 2.5,
    "mutants_lost": 2.5,
    "no_mutants": 1.0,
    "survivors_uncompared": 2.0,
    "unread_parameter": 3.0,
    "repeated_statement": 3.5,
    "dead_code": 4.0,
    "only_reorders": 3.0,
    "changed_share": 1.0,
    "near_changed": 1.5,
    "reaching": -0.5,
    "rivals_agreeing": -1.0,
    "narrower": 1.0,
    "wider": 0.0,
    "answered": -0.43,
    "examples": -0.5,
    "vouching": -0.25,
    "failing": -0.25,
    "killed": -0.5,
    "swallows": 1.0,
    "antipattern": 1.0,
    "brought_in": 0.7,
    "guard": 0.0,
    "reads_idle": -1.5,
    "leaves_idle": 1.0,
    "size": 0.8,
    "survivors": 1.5,
    "beyond_policy": 1.0,
}
"""What we would say of each feature without having counted: parts of the log-odds that a patch is wrong."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One labelled patch: its features, and what it is counted under."""

    project: str
    bug: str
    wrong: bool
    how: str = ""
    features: Mapping[str, float] = field(default_factory=dict)


def learn(samples: Sequence[Sample], date: str = "") -> Weights:
    """The table of weights, with what was seen of each feature and the bands of risk."""
    names = sorted(FEATURES)
    vector = _fit(samples, names)
    counts = {name: [s.wrong for s in samples if s.features.get(name)] for name in names}
    features = {
        name: FeatureWeight(round(value, 3), sum(counts[name]), len(counts[name]) - sum(counts[name]))
        for name, value in zip(names, vector[1:], strict=True)
    }
    projects = len({sample.project for sample in samples})
    risks = risks_without_own_project(samples) if projects > 1 else []
    bands = bands_of(samples, risks) if risks else ()
    written = [(sample, risk) for sample, risk in zip(samples, risks, strict=False) if sample.how == WRITTEN]
    by_people = bands_of([sample for sample, _ in written], [risk for _, risk in written]) if written else ()
    return Weights(round(vector[0], 3), features, bands, len(samples), projects, date, by_people)


def risks_without_own_project(samples: Sequence[Sample]) -> list[float]:
    """The risk of each patch by weights that its own project had no part in."""
    names = sorted(FEATURES)
    found = {}
    for project in dict.fromkeys(sample.project for sample in samples):
        vector = _fit([sample for sample in samples if sample.project != project], names)
        found[project] = vector
    return [sigmoid(_dot(found[s.project], _row(s, names))) for s in samples]


def bands_of(samples: Sequence[Sample], risks: Sequence[float]) -> tuple[Band, ...]:
    """How many patches lay in each band, and how many of them were wrong; shares as if one in five were wrong."""
    bands: list[Band] = []
    low = -1.0
    weight = _share_weights(samples)
    for until in BANDS:
        inside = [(s, w) for s, w, risk in zip(samples, weight, risks, strict=True) if low < risk <= until]
        wrong = [(s, w) for s, w in inside if s.wrong]
        share = sum(w for _, w in wrong) / (sum(w for _, w in inside) or 1.0)
        count = len(inside)
        upper = rate(round(share * count), count).high if count else 1.0
        projects = len({s.project for s, _ in inside})
        share = max(share, bands[-1].share if bands else 0.0)  # who looks worse is not less often wrong
        bands.append(Band(until, count, projects, len(wrong), round(upper, 4), round(share, 4)))
        low = until
    return tuple(bands)


def told_in_bands(samples: Sequence[Sample], risks: Sequence[float]) -> tuple[float, ...]:
    """The mean risk that was told in each band, to be held against the share that is wrong; 0 for an empty band."""
    known = list(zip(risks, _share_weights(samples), strict=True))
    found = []
    for low, until in pairwise((-1.0, *BANDS)):
        inside = [(risk, weight) for risk, weight in known if low < risk <= until]
        found.append(sum(r * w for r, w in inside) / (sum(w for _, w in inside) or 1.0))
    return tuple(found)


def brier(samples: Sequence[Sample], risks: Sequence[float]) -> tuple[float, float]:
    """The mean squared error of the risks (Brier, 1950), and that of a constant; one in five is wrong in both."""
    weights = _share_weights(samples)
    total = sum(weights) or 1.0
    own = sum(w * (risk - s.wrong) ** 2 for s, w, risk in zip(samples, weights, risks, strict=True)) / total
    return own, WRONG_SHARE * (1 - WRONG_SHARE)


def ranked_right(samples: Sequence[Sample], risks: Sequence[float]) -> float:
    """The area under the ROC curve: how often a wrong patch has a higher risk than a right one."""
    wrong = [risk for s, risk in zip(samples, risks, strict=True) if s.wrong]
    right = [risk for s, risk in zip(samples, risks, strict=True) if not s.wrong]
    pairs = [1.0 if a > b else 0.5 if a == b else 0.0 for a in wrong for b in right]
    return sum(pairs) / len(pairs) if pairs else 0.5


def _share_weights(samples: Sequence[Sample]) -> list[float]:
    """What each sample counts, so that so many are wrong as is supposed, and each way to be wrong is as frequent."""
    kinds = Counter((s.wrong, s.how if s.wrong else "") for s in samples)
    ways = sum(wrong for wrong, _ in kinds)
    shares = {True: WRONG_SHARE / max(1, ways), False: 1 - WRONG_SHARE}
    return [shares[s.wrong] * len(samples) / kinds[s.wrong, s.how if s.wrong else ""] for s in samples]


def _fit(samples: Sequence[Sample], names: Sequence[str]) -> list[float]:
    """The weights that are likeliest after the samples: the intercept first."""
    centre = [INTERCEPT, *(BY_HAND[name] for name in names)]
    spread = [WIDE, *(NARROW if name in OF_THE_PROJECT else SPREAD for name in names)]
    if not samples or len({s.wrong for s in samples}) < 2:
        return centre
    sizes = {p: sum(s.project == p for s in samples) for p in {s.project for s in samples}}
    weights = [
        w * min(1.0, MOST_OF_A_PROJECT / sizes[s.project])
        for s, w in zip(samples, _share_weights(samples), strict=True)
    ]
    rows = [_row(s, names) for s in samples]
    vector = list(centre)
    for _ in range(30):
        gradient = [-(v - c) / sd**2 for v, c, sd in zip(vector, centre, spread, strict=True)]
        curvature = [[(1 / spread[i] ** 2 if i == j else 0.0) for j in range(len(vector))] for i in range(len(vector))]
        for row, sample, weight in zip(rows, samples, weights, strict=True):
            risk = sigmoid(_dot(vector, row))
            slope, bend = weight * (sample.wrong - risk), weight * risk * (1 - risk)
            used = [(n, value) for n, value in enumerate(row) if value]
            for n, value in used:
                gradient[n] += slope * value
                for m, other in used:
                    curvature[n][m] += bend * value * other
        step = _solve(curvature, gradient)
        longest = max(map(abs, step))
        scale = min(1.0, 2.0 / longest) if longest else 1.0
        vector = [v + scale * each for v, each in zip(vector, step, strict=True)]
        if longest < 1e-6:
            break
    return vector


def _row(sample: Sample, names: Sequence[str]) -> list[float]:
    return [1.0, *(sample.features.get(name, 0.0) for name in names)]


def _dot(vector: Sequence[float], row: Sequence[float]) -> float:
    return math.fsum(a * b for a, b in zip(vector, row, strict=True))


def _solve(matrix: list[list[float]], values: list[float]) -> list[float]:
    """The solution of a system of equations by Gauss's elimination; the matrix is positive definite."""
    size = len(values)
    rows = [[*row, value] for row, value in zip(matrix, values, strict=True)]
    for n in range(size):
        pivot = max(range(n, size), key=lambda r: abs(rows[r][n]))
        rows[n], rows[pivot] = rows[pivot], rows[n]
        for r in range(n + 1, size):
            factor = rows[r][n] / rows[n][n]
            if factor:
                rows[r] = [a - factor * b for a, b in zip(rows[r], rows[n], strict=True)]
    found = [0.0] * size
    for n in reversed(range(size)):
        found[n] = (rows[n][size] - sum(rows[n][m] * found[m] for m in range(n + 1, size))) / rows[n][n]
    return found
