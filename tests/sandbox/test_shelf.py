"""The server that tests share is as it was after each of them, or the test fails."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from fakes.shelf import Shelf


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Shelf]:
    """A library of this test's own."""
    (tmp_path / "library").mkdir()
    shelf = Shelf(tmp_path / "library")
    yield shelf
    shelf.close()


def test_what_a_question_sets_is_set_back(own: Shelf) -> None:
    server = own.server()
    server.bound(1.0)
    own.returned()
    assert own.server() is server


def test_a_test_that_ends_the_server_fails_and_the_next_has_another(own: Shelf) -> None:
    ended = own.server()
    os.kill(ended.pid, signal.SIGKILL)
    with pytest.raises(pytest.fail.Exception, match="otherwise than it was"):
        own.returned()
    assert own.server() is not ended
    own.returned()


def test_a_test_that_leaves_a_file_in_the_server_s_copy_fails(own: Shelf) -> None:
    server = own.server()
    copy = Path(os.readlink(f"/proc/{server.pid}/cwd"))
    (copy / "left.txt").write_text("x")
    with pytest.raises(pytest.fail.Exception, match="otherwise than it was"):
        own.returned()
