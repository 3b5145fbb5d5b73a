"""Whether anything hangs on the memory unasked: the same bug while the memory is in one of five states.

*Streams*: the first edits of the search, as texts. Nothing is run. Who judges imports nothing of the memory (an import
contract says so), so that equal streams are judged alike.

*Verdicts*: the candidates of a bug are written down beforehand, a mutant of the reference first, so that nothing is
searched. `fix` takes them as a script and opens the memory as any run does. Of each state are compared the status, the
patches in their order, the word on each, and what each gate decided.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, Literal
from unittest import mock

from analysis.facts import Suspect
from analysis.functions import find_function, functions_of
from analysis.trials import Trial
from corpora.bug import Bug
from corpora.lab.benchmarks.recorded_verdicts import OWN
from corpora.lab.benchmarks.setup import say
from corpora.lab.benchmarks.unrelated import DIAGNOSIS
from corpora.loaders.flat import FlatCorpus
from repair.front.run_inputs import LEARNED, REMEMBERED, order_named
from repair.front.run_memories import open_memory, project_ledger, shared_ledger
from repair.memory.ledger import LedgerEntry, RunLedger
from repair.proposers.search import SearchProposer
from repair.records.config import Options
from repair.records.functions import edit_scope
from repair.records.ports import Context
from repair.records.task import PatchPlan
from repair.store.store import RunStore, open_store
from transforms.mutants.made import mutants
from transforms.patch.printer import Printer
from transforms.tree.proposal import Proposal

SECONDS, CUT_SECONDS = 600, 300
"""A bound only. A run that took longer than the second of them was cut short by a busy machine: it tells nothing."""

MOST_EDITS = 300
"""Edits of a stream that are compared."""

STRANGER = b"somebody else's key" * 2

Draw = Callable[[int], Sequence[LedgerEntry]]
"""So many attempts."""

Scope = Literal["off", "project", "all"]
"""The values of ``--memory``."""


@dataclass(frozen=True, slots=True)
class KnownCandidates:
    """A bug with the texts of its function that are judged, the first one first."""

    bug: Bug
    function: str
    texts: tuple[str, ...]


def known_candidates(corpus: FlatCorpus) -> Iterator[KnownCandidates]:
    """Of each bug in one function a mutant of its reference, and the reference."""
    for bug in corpus.bugs():
        if not isinstance(bug, Bug) or bug.fault is None:
            continue
        fixed = dict(corpus.oracle(bug).reference)
        text = fixed.get(bug.fault.path)
        span = find_function(functions_of(bug.fault.path, text), bug.fault.qualname) if text is not None else None
        if text is None or span is None or len(fixed) > 1:
            continue
        scope = edit_scope(((bug.fault.path, text),), span.function)
        made = [mutant.text for mutant in islice(mutants(scope, scope), 1)]
        texts = tuple(each.decode("utf-8") for each in (*made, scope.text))
        yield KnownCandidates(bug, f"{bug.fault.path}:{bug.fault.qualname}", texts)


def states(draw: Draw) -> dict[str, tuple[Scope, Callable[[RunStore], None]]]:
    """Each state by its name: the value of ``--memory``, and what is laid into the memory beforehand.

    The poisoned one says of all families but one that they never mend, and lies under a stranger's key beside that.
    """
    poison = [
        replace(each, outcome="certified" if each.family == "call" else "unrepaired", signature=each.signature)
        for each in draw(400)
    ]

    def poisoned(store: RunStore) -> None:
        project_ledger(store).add(poison)
        RunLedger(project_ledger(store).path, STRANGER, str(store.root)).add(poison)

    def others(store: RunStore) -> None:
        ledger = shared_ledger(store)
        RunLedger(ledger.path, store.key, "/another/project").add(draw(400))

    return {
        "off": ("off", lambda store: None),
        "empty": ("project", lambda store: None),
        "own": ("project", lambda store: project_ledger(store).add(draw(400))),
        "others": ("all", others),
        "poisoned": ("project", poisoned),
    }


def stream_figures(most: int, draw: Draw) -> dict[str, Any]:
    """Of how many bugs the first edits are the same in all states; and are others where the order is asked for."""
    corpus, compared, unlike, moved = FlatCorpus(OWN), 0, [], 0
    for known in islice(known_candidates(corpus), most):
        found = {name: stream_in(corpus, known, *state) for name, state in states(draw).items()}
        asked = stream_in(corpus, known, *states(draw)["own"], order=REMEMBERED)
        compared, moved = compared + 1, moved + (asked != found["off"])
        unlike += [known.bug.id] if len(set(found.values())) > 1 else []
    return {"bugs": compared, "same": compared - len(unlike), "unlike": unlike, "moved_by_the_order_asked_for": moved}


def stream_in(
    corpus: FlatCorpus, known: KnownCandidates, memory: Scope, prepare: Callable[[RunStore], None], order: str = LEARNED
) -> tuple[bytes, ...]:
    """The texts of the first edits of the faulty function in that state of the memory."""
    assert known.bug.fault is not None, "those without one are left out"
    path, name = known.bug.fault.path, known.bug.fault.qualname
    with tempfile.TemporaryDirectory(prefix="states-") as folder:
        root = Path(folder, "project")
        corpus.write_tree(known.bug, root)
        module = (root / path).read_bytes()
        with mock.patch.dict(os.environ, {"XDG_STATE_HOME": str(Path(folder, "state"))}):
            store = open_store(root)
            prepare(store)
            options = Options(root=str(root), memory=memory, order=order)
            remembered = open_memory(options, store, lambda event: None, is_asked=True)
            span = find_function(functions_of(path, module), name)
            assert span is not None, "its reference was found"
            scope = edit_scope(((path, module),), span.function)
            plan = PatchPlan(Suspect(span.function, 1.0, ("it is at fault",)), (DIAGNOSIS,), (), "")
            context = Context(scope, module, (), "", 0, tuple, lambda: 60.0)
            made = SearchProposer(order_named(LEARNED, root), remembered.reorder).propose(plan, context)
            texts = map(Printer(scope).render, (each for each in made if isinstance(each, Proposal)))
            return tuple(each.text for each in islice(texts, MOST_EDITS) if isinstance(each, Trial))


def verdict_figures(most: int, draw: Draw, keep: Path | None = None) -> dict[str, Any]:
    """Of how many bugs, the smallest programs first, all five states say the same; the names of the others.

    What was said of a bug is kept in the file ``keep``, a line each, and not asked again. Those of which a run was cut
    short are counted apart.
    """
    corpus = FlatCorpus(OWN)
    smallest = sorted(known_candidates(corpus), key=lambda known: _bytes_of(corpus, known.bug))[:most]
    said = _read_kept(keep)
    for known in smallest:
        if known.bug.id in said:
            continue
        found, took = {}, {}
        for name, state in states(draw).items():
            began = time.monotonic()
            found[name] = judged_in(corpus, known, *state)
            took[name] = round(time.monotonic() - began, 1)
        same = all(each == found["off"] for each in found.values())
        cut = max(took.values()) > CUT_SECONDS
        kept = {"bug": known.bug.id, "same": same, "cut": cut, "said": found, "seconds": took}
        said[known.bug.id] = kept
        if keep is not None:
            with keep.open("a") as file:
                file.write(json.dumps(kept) + "\n")
        word = "cut short" if cut else "the same" if same else "NOT the same"
        say(f"{known.bug.id}: {found['off']['status']}, {word} in all states; seconds: {[*took.values()]}")
    told = [said[known.bug.id] for known in smallest if not said[known.bug.id]["cut"]]
    unlike = [each["bug"] for each in told if not each["same"]]
    return {
        "bugs": len(told),
        "same": len(told) - len(unlike),
        "unlike": unlike,
        "statuses": dict(Counter(str(each["said"]["off"]["status"]) for each in told)),
        "cut": len(smallest) - len(told),
    }


def _read_kept(keep: Path | None) -> dict[str, dict[str, Any]]:
    lines = keep.read_text().splitlines() if keep is not None and keep.exists() else []
    return {each["bug"]: each for each in map(json.loads, lines)}


def _bytes_of(corpus: FlatCorpus, bug: Bug) -> int:
    with tempfile.TemporaryDirectory(prefix="states-") as folder:
        corpus.write_tree(bug, Path(folder, "project"))
        return sum(each.stat().st_size for each in Path(folder).rglob("*") if each.is_file())


def judged_in(
    corpus: FlatCorpus, known: KnownCandidates, memory: str, prepare: Callable[[RunStore], None]
) -> dict[str, Any]:
    """What `fix` says of the candidates in that state of the memory."""
    with tempfile.TemporaryDirectory(prefix="states-") as folder:
        root, script = Path(folder, "project"), Path(folder, "script.json")
        corpus.write_tree(known.bug, root)
        script.write_text(json.dumps([["rewrite", "", text] for text in known.texts]))
        env = {**os.environ, "XDG_STATE_HOME": str(Path(folder, "state")), "REPAIR_SCRIPT": str(script)}
        with mock.patch.dict(os.environ, env):
            prepare(open_store(root))
        words = [sys.executable, "-E", "-P", "-m", "repair", "fix", *known.bug.failing, "--root", str(root)]
        words += ["--python", sys.executable, "--proposer", "scripted", "--function", known.function]
        words += ["--memory", memory, "--max-seconds", str(SECONDS), "--alternatives", "3", "--json"]
        told = json.loads(subprocess.run(words, env=env, capture_output=True, check=False).stdout)
    patches = [
        (each["diff"], each["status"], [(e["gate"], e["decision"]) for e in each["evidence"]])
        for each in told["patches"]
    ]
    return {"status": told["status"], "patches": patches}
