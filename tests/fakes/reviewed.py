"""Runs to be reviewed, with as many patches as are wanted, and an engine whose next run is known."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from pathlib import Path
from typing import Any

from repair.agents.jobs import RunRequest
from repair.records.events import Event, phase
from repair.records.result import (
    AskedView,
    Counts,
    EvidenceView,
    FailureView,
    FileChange,
    PatchView,
    Result,
    RiskView,
    Seconds,
    Status,
)
from repair.store.atomic import sha256
from repair.store.store import open_store
from repair.store.stored_run import StoredRun

OLD = b"def price(n):\n    return n * 5 if n > 10 else n * 4\n"

ASKED = AskedView("Should price(10) return 50 (this patch) or return 40?", "price(10)", "returns 50", "returns 40")
DOUBT = EvidenceView(
    "behaviour",
    "unknown",
    "another patch passes too",
    answer="shop.price(10) == 50",
    otherwise="shop.price(10) == 40",
    asked=ASKED,
)


def text_of(number: int) -> bytes:
    """The program with the patch of that number."""
    return OLD.replace(b"> 10", b">= %d" % (9 + number))


def diff_of(number: int) -> str:
    return (
        "--- a/shop.py\n+++ b/shop.py\n@@ -1,2 +1,2 @@\n def price(n):\n"
        f"-    return n * 5 if n > 10 else n * 4\n+    return n * 5 if n >= {9 + number} else n * 4\n"
    )


def run_to_review(root: Path, suffix: str = "aa", count: int = 1, first: int = 1, **given: Any) -> StoredRun:
    """A recorded run of ``fix`` in the project, with so many plausible patches from the number ``first`` on."""
    (root / "shop.py").write_bytes(OLD)
    record = open_store(root).new_run(datetime.datetime(2025, 1, 2), suffix, lambda: 0.0)
    patches = []
    for rank in range(1, count + 1):
        number = first + rank - 1
        record.save_candidate(f"d{number}", diff_of(number), (("shop.py", text_of(number)),))
        change = FileChange("shop.py", sha256(OLD), sha256(text_of(number)))
        patches.append(
            PatchView(
                rank,
                Status.PLAUSIBLE,
                "shop.py",
                "price",
                diff_of(number),
                f"d{number}",
                line=1,
                proposer="search",
                explanation="compares otherwise",
                evidence=(DOUBT,),
                questions=(ASKED.question,),
                files=(change,),
                risk=RiskView(0.1, 0.2, 9, 9, 0.02),
            )
        )
    usual: dict[str, Any] = {
        "run": record.id,
        "root": str(root),
        "patches": tuple(patches),
        "failures": (FailureView("test_shop.py::test_bulk", "logic", exception="AssertionError", message="40 != 50"),),
        "seconds": Seconds(total=12.0),
        "counts": Counts(candidates=count, executed=count),
    }
    record.save_result(Result(Status.PLAUSIBLE, **{**usual, **given}))
    record.close()
    return record.run


class NextRun:
    """Stands in for ``run_to_end``: remembers what it was asked, and gives the result of a run that is made then."""

    def __init__(self, make: Callable[[], StoredRun]) -> None:
        self.asked: list[RunRequest] = []
        self._make = make

    def __call__(self, asked: RunRequest, env: Any, listen: Callable[[Event], None], cancelled: Any = None) -> Result:
        self.asked.append(asked)
        listen(phase("gates", "gathering evidence"))
        return self._make().ended_result()
