"""Patches of earlier runs are tried first where a person answers a question about one."""

from __future__ import annotations

import contextlib
import datetime
from dataclasses import replace

import pytest

from repair.front.earlier_finds import found_before
from repair.records.config import Options
from repair.records.result import PatchView, Result, Status
from repair.store.store import open_store

SOURCE = b"def postage(total):\n    return 5\n"
DIFF = """\
--- a/post.py
+++ b/post.py
@@ -1,2 +1,2 @@
 def postage(total):
-    return 5
+    return 0 if total > 49 else 5
"""


@pytest.mark.parametrize(
    ("told", "source", "change", "count"),
    [
        (("post.postage(49) == 5",), SOURCE, {}, 1),
        ((), SOURCE, {}, 0),  # nobody was asked
        (("post.postage(49) == 5",), SOURCE.replace(b"5", b"6"), {}, 0),  # another text by now
        (("post.postage(49) == 5",), None, {}, 0),
        (("post.postage(49) == 5",), SOURCE, {"proposer": "foreign"}, 0),
        (("post.postage(49) == 5",), SOURCE, {"function": "other"}, 0),
        (("post.postage(49) == 5",), SOURCE, {"diff": "no diff"}, 0),
        (("post.postage(49) == 5",), SOURCE, {"proposer": "model"}, 0),
        (("post.postage(49) == 5",), SOURCE, {"status": Status.REJECTED}, 0),
        (("post.postage(49) == 5",), SOURCE + b"\n\ndef broken(:\n", {}, 0),
        (("post.postage(49) == 5",), SOURCE + b"\n\ndef more():\n    pass\n", {}, 1),
    ],
)
def test_patches_of_earlier_runs_are_found_again_where_somebody_answers(tmp_path, told, source, change, count):
    (tmp_path / "project").mkdir()
    options = Options(root=str(tmp_path / "project"), state_dir=str(tmp_path / "state"))
    store = open_store(options.root, options.state_dir)
    with contextlib.closing(store.new_run(datetime.datetime(2026, 1, 2), "ab", lambda: 0.0)) as record:
        patch = PatchView(1, Status.PLAUSIBLE, "post.py", "postage", DIFF, "d1", proposer="search", operator="value_if")
        gone = replace(patch, diff=DIFF.replace("return 5", "return 7"), digest="d0")
        patches = (gone, replace(patch, **change), replace(patch, **change, rank=2))
        record.save_result(Result(Status.PLAUSIBLE, run=record.id, patches=patches))
    asked = replace(options, answers=told)
    found = found_before(asked, store, lambda path: source if path == "post.py" else None)
    assert len(found) == count
    for each in found:
        assert b"if total > 49" in each.after
        assert (each.origin.proposer, each.origin.operator) == ("search", "value_if")
        assert each.function.qualname == "postage"
    assert not found_before(replace(asked, memory="off"), store, lambda path: source)
    assert not found_before(replace(asked, proposers=("model",)), store, lambda path: source)
    assert not found_before(asked, store, lambda path: source, {"d1"})
