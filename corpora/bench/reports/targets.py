"""References as diffs against their trees, for those who publish patches beside them."""

from __future__ import annotations

from collections.abc import Iterator

from analysis.errors import RepairError
from corpora.bug import Bug, Corpus
from corpora.catalog import open_corpus
from repair.api import reader
from repair.store.scratch import scratch_folder
from transforms.patch.diff import unified_diff


def target_diffs(name: str) -> dict[tuple[str, str], str]:
    """The diff of each bug's reference, by corpus and bug; raises ``RepairError`` where the corpus is gone."""
    corpus = open_corpus(name)
    bugs = [bug for bug in corpus.bugs() if isinstance(bug, Bug)]
    return {(name, bug.id): "".join(_diffs(corpus, bug)) for bug in bugs}


def _diffs(corpus: Corpus, bug: Bug) -> Iterator[str]:
    with scratch_folder() as scratch:
        try:
            corpus.write_tree(bug, scratch / "tree")
            read = reader(scratch / "tree")
            for path, after in corpus.oracle(bug).reference:
                yield unified_diff(path, read(path) or b"", after)
        except RepairError:
            return  # its tree cannot be made here: there is nothing to compare with
