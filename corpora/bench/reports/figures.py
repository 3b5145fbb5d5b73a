"""``repair.bench/1``: all that a bench found, as JSON values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from corpora.bench.statistics import Paired, Rate
from corpora.bench.summary import ArmComparison, ScoredCell, Summary, by_corpus, by_group, comparisons, summaries

SCHEMA = "repair.bench/1"


def figures(every: Sequence[ScoredCell]) -> dict[str, Any]:
    """Configurations, corpora where there are several, groups, pairs of configurations, and a row for each cell."""
    return {
        "schema": SCHEMA,
        "configurations": [summary_values(summary) for summary in summaries(every)],
        "corpora": [summary_values(summary) for summary in by_corpus(every)],
        "groups": [summary_values(summary) for summary in by_group(every)],
        "comparisons": [comparison_values(pair) for pair in comparisons(every)],
        "bugs": [row_values(row) for row in every],
    }


def summary_values(summary: Summary) -> dict[str, Any]:
    """One configuration: counts by their plain names, shares with their intervals under ``rates``."""
    rates = {
        "compiled": summary.compiled,
        "plausible": summary.plausible,
        "certified": summary.certified,
        "agrees_with_reference": summary.agrees,
        "exact_match": summary.exact,
        "tree_match": summary.tree,
        "overfitting": summary.overfitting,
        "false_certified": summary.false_certified,
        **{f"fault_in_top_{top}": share for top, share in summary.tops},
    }
    return {
        "name": summary.name,
        "sample": summary.sample,
        "bugs": summary.bugs,
        "cells": summary.cells,
        **{name: share.count for name, share in rates.items()},
        "abstained": summary.abstained,
        "undecidable": summary.undecidable,
        "not_scored": summary.unscored,
        "infrastructure": summary.infrastructure,
        "median_seconds": round(summary.median_seconds, 3),
        "seconds": round(summary.seconds, 3),
        "cpu_seconds": round(summary.cpu_seconds, 3),
        "candidates": summary.candidates,
        "executed": summary.executed,
        "tokens": summary.tokens,
        "usd": round(summary.usd, 6),
        "rates": {name: rate_values(share) for name, share in rates.items()},
        "at_k": [{"k": at.k, "plausible": at.plausible, "agrees_with_reference": at.agrees} for at in summary.at_k],
    }


def rate_values(share: Rate) -> dict[str, Any]:
    """A share with its 95 % Wilson interval; ``small_sample`` says that it is too small for a claim."""
    return {
        "count": share.count,
        "of": share.total,
        "share": round(share.share, 4),
        "low": round(share.low, 4),
        "high": round(share.high, 4),
        "small_sample": share.small,
    }


def comparison_values(comparison: ArmComparison) -> dict[str, Any]:
    """Two configurations by McNemar's exact test."""
    return {
        "first": comparison.first,
        "second": comparison.second,
        "agrees_with_reference": _paired_values(comparison.agrees),
        "certified": _paired_values(comparison.certified),
        "won_by_second": list(comparison.won),
        "lost_by_second": list(comparison.lost),
    }


def _paired_values(found: Paired) -> dict[str, Any]:
    return {
        "only_first": found.only_first,
        "only_second": found.only_second,
        "both": found.both,
        "neither": found.neither,
        "p": found.p,
        "small_sample": found.small,
    }


def row_values(row: ScoredCell) -> dict[str, Any]:
    """One cell, flat: what a table of all bugs shows."""
    result, agreement, score = row.record.result, row.agreement, row.score
    counts = result.counts if result is not None else None
    cost = result.cost if result is not None else None
    return {
        "corpus": row.cell.corpus,
        "bug": row.cell.bug,
        "configuration": row.cell.configuration,
        "seed": row.cell.seed,
        "sample": row.sample,
        "status": row.status,
        "agreement": str(row.standing) if row.standing is not None else "",
        "agreement_by": agreement.by if agreement is not None else "",
        "witness": agreement.witness or agreement.detail if agreement is not None else "",
        "exact_match": agreement.exact if agreement is not None else False,
        "tree_match": agreement.tree if agreement is not None else False,
        "compiled": score.compiled if score is not None else False,
        "patch": score.patch if score is not None else "",
        "group": score.group if score is not None else "",
        "fault_rank": score.fault_rank if score is not None else None,
        "seconds": row.record.seconds,
        "cpu_seconds": row.record.cpu_seconds,
        "candidates": counts.candidates if counts else 0,
        "executed": counts.executed if counts else 0,
        "origin": row.origin,
        "requests": cost.requests if cost else 0,
        "wasted_requests": row.wasted_requests,
        "tokens": cost.input_tokens + cost.output_tokens if cost else 0,
        "usd": cost.usd if cost else 0.0,
        "attempt": row.record.attempt,
        "error": row.record.error or (score.failed if score is not None else ""),
    }
