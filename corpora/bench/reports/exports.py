"""Results in the forms of others: predictions for SWE-bench, and the tree of patches that RepairBench publishes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from analysis.errors import RepairError
from corpora.bench.score import answer, left_patch
from corpora.bench.statistics import at_k
from corpora.bench.summary import ScoredCell, first_seeds, sides
from corpora.bug import Bug, Corpus
from corpora.catalog import open_corpus
from repair.front.changes import reader
from sandbox.scratch import scratch_folder
from transforms.patch.diff import as_bytes, unified_diff

UNFIT = re.compile(r"[^A-Za-z0-9._+-]")


def predictions(every: Sequence[ScoredCell]) -> str:
    """JSON lines of ``instance_id``, ``model_name_or_path`` and ``model_patch``: the answers of the first seeds."""
    lines = (
        {
            "instance_id": row.cell.bug,
            "model_name_or_path": row.cell.configuration,
            "model_patch": answer(row.record).decode("utf-8", "surrogateescape"),
        }
        for rows in sides(every).values()
        for row in first_seeds([row for row in rows if not row.failed])
        if row.answered
    )
    return "".join(json.dumps(line) + "\n" for line in lines)


def write_repairbench(every: Sequence[ScoredCell], targets: Mapping[tuple[str, str], str], directory: Path) -> None:
    """Write ``CONFIGURATION/CORPUS/…`` below the directory, as RepairBench lays its results out.

    Each patch lies in the strictest folder that it earns: exact_match, ast_match, plausible, compilable or
    non_compilable, named by its seed. ``targets`` are the references by corpus and bug, as diffs.
    """
    groups: dict[tuple[str, str], list[ScoredCell]] = {}
    for row in every:
        groups.setdefault((row.cell.configuration, row.cell.corpus), []).append(row)
    for group, rows in groups.items():
        name, corpus = map(_fit, group)
        place = directory / name / corpus
        for row in rows:
            patch, home = left_patch(row.record), place / "patches" / _fit(row.cell.bug)
            target = targets.get((row.cell.corpus, row.cell.bug), "")
            if patch:
                _write(home / _folder(row) / f"{row.cell.seed}.diff", patch)
            if patch and target:
                _write(home / "target.diff", as_bytes(target))
        answered = sorted({row.cell.bug for row in rows if row.answered})
        _write(place / "bugs_with_candidates.txt", "\n".join(answered).encode())
        _write(place / f"statistics_{corpus}_{name}.json", json.dumps(statistics(rows), indent=4).encode())
        _write(place / f"costs_{corpus}_{name}.json", json.dumps(costs(rows), indent=4).encode())


def reference_diffs(every: Sequence[ScoredCell], listen: Callable[[str], None]) -> dict[tuple[str, str], str]:
    """The references as diffs, by corpus and bug, of the corpora that are still there."""
    found: dict[tuple[str, str], str] = {}
    for name in dict.fromkeys(row.cell.corpus for row in every):
        try:
            corpus = open_corpus(name)
            bugs = [bug for bug in corpus.bugs() if isinstance(bug, Bug)]
        except RepairError as problem:
            listen(f"no target.diff for {name}: {problem}")
            continue
        found |= {(name, bug.id): "".join(_diffs(corpus, bug)) for bug in bugs}
    return found


def _diffs(corpus: Corpus, bug: Bug) -> Iterator[str]:
    with scratch_folder() as scratch:
        try:
            corpus.write_tree(bug, scratch / "tree")
            read = reader(scratch / "tree")
            for path, after in corpus.oracle(bug).reference:
                yield unified_diff(path, read(path) or b"", after)
        except RepairError:
            return  # its tree cannot be made here: there is nothing to compare with


FOLDERS = ("exact_match", "ast_match", "plausible", "compilable", "non_compilable")


def _folder(row: ScoredCell) -> str:
    """The strictest folder that the answer earns; a patch that counts in one counts in all looser ones."""
    agreement = row.agreement
    if agreement is not None and agreement.exact:
        return "exact_match"
    if agreement is not None and agreement.tree:
        return "ast_match"
    if row.answered:
        return "plausible"
    return "compilable" if row.score is not None and row.score.compiled else "non_compilable"


def statistics(rows: Sequence[ScoredCell]) -> dict[str, Any]:
    """The counts that RepairBench prints, under its names."""
    done = [row for row in rows if not row.failed]
    patched = [row for row in done if left_patch(row.record)]
    found: dict[str, Any] = {
        "num_bugs": len({row.cell.bug for row in done}),
        "num_bugs_with_patches": len({row.cell.bug for row in patched}),
        "num_patches": len(patched),
    }
    for number, folder in enumerate(FOLDERS[:4]):
        hits = [row for row in patched if FOLDERS.index(_folder(row)) <= number]
        bugs = sorted({row.cell.bug for row in hits})
        found[f"num_{folder}_patches"] = len(hits)
        found[f"num_bugs_with_{folder}_candidates"] = len(bugs)
        found[f"bugs_with_{folder}_candidates"] = bugs
        if done:
            found[f"{folder}@1"] = round(at_k(len(done), len(hits), 1), 3)
    return found


def costs(rows: Sequence[ScoredCell]) -> dict[str, Any]:
    """What the model cost."""
    spent = [row.record.result.cost for row in rows if row.record.result is not None]
    return {
        "prompt_tokens": sum(cost.input_tokens for cost in spent),
        "completion_tokens": sum(cost.output_tokens for cost in spent),
        "total_cost": round(sum(cost.usd for cost in spent), 6),
    }


def _fit(name: str) -> str:
    """The name as one part of a path."""
    return UNFIT.sub("_", name).lstrip(".") or "_"


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
