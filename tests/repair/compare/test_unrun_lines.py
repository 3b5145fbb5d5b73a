"""What a patch brings in and nothing runs."""

import pytest
from fakes.behaviours import comparison, differs
from fakes.sandbox import FakeSession
from fakes.submission import OLD, submission_of

from repair.compare.comparing import open_versions
from repair.compare.patch_parts import find_unrun_line

NEW = OLD.replace(b"    return int(text)", b"    if len(text) > 5000:\n        return -1\n    return int(float(text))")
TOLD = differs("price('5')", "returns 5", "raises NotImplementedError('')")


def line_of(passing: bytes, *, told: bool) -> int | None:
    """What is found where the tests pass with the texts that hold this."""

    def compare(mine, rivals):
        return comparison(9, tuple((rival.digest, TOLD) for rival in rivals if told))

    session = FakeSession(lambda trial: passing in trial.text, compare)
    return find_unrun_line(session, open_versions(submission_of(new=NEW)), seed=0, effort=1)


@pytest.mark.parametrize(
    ("passing", "told", "line"),
    [
        (b"        raise NotImplementedError\n    return int(float", False, 8),
        (b"        raise NotImplementedError\n    return int(float", True, None),
        (b"nothing passes", False, None),
    ],
)
def test_a_statement_that_neither_a_test_nor_an_input_runs_is_told(passing: bytes, told: bool, line: int | None):
    assert line_of(passing, told=told) == line


def test_without_a_new_statement_nothing_is_tried():
    session = FakeSession(lambda trial: True)
    assert (
        find_unrun_line(session, open_versions(submission_of(new=OLD.replace(b"not text", b"text"))), seed=0, effort=1)
        is None
    )
    assert session.seen == []
