"""How a run looks: a table on a terminal, plain lines elsewhere, and how long it will take."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from fakes.bench import record

from corpora.bench.live import Board, duration, time_left
from repair.records.result import Result, Status

DONE = replace(record("a"), result=Result(Status.CERTIFIED), engine_seconds=2.0)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("TERM", "xterm")


def shown(stream: io.StringIO, **given: bool) -> str:
    clock = iter(range(0, 1000, 30))
    board = Board(stream, [("search", 3)], [record("z")], lambda: next(clock), **given)
    board.take_in(DONE, False)
    board.take_in(replace(record("b", "infrastructure"), error="\x1b[2Jodd"), True)
    board.close()
    return stream.getvalue()


def test_without_a_terminal_each_cell_is_a_line():
    assert shown(io.StringIO()).splitlines() == [
        "1/2  a  search: certified  1.0 s",
        "1/2  b  search: infrastructure  1.0 s  \\x1b[2Jodd  (will be run again)",
    ]


def test_on_a_terminal_there_is_a_table_with_the_time_left():
    said = shown(Terminal())
    assert "certified  infrastructure" in said
    assert "1 of 2 cells, about 60 s left" in said
    assert "b  search: infrastructure" in said  # what the machine fails stays visible
    assert "a  search: certified" not in said


@pytest.mark.parametrize(("given", "lines"), [({"quiet": True}, 0), ({"progress": False}, 2)])
def test_who_wants_less_gets_less(given: dict[str, bool], lines: int):
    assert len(shown(Terminal(), **given).splitlines()) == lines


def test_time_left_is_a_guess_from_what_was_seen():
    assert time_left(0, 5, 10.0) == ""
    assert time_left(1, 3, 10.0) == ", about 20 s left"
    assert (duration(89), duration(150)) == ("89 s", "2 min")
