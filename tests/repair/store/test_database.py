"""SQLite files from elsewhere: each attack works on a plain connection, and none on ours."""

import contextlib
import os
import signal
import sqlite3
import struct
import threading
import time

import pytest

from repair.store import database
from repair.store.run_index import LAYOUT, IndexEntry, RunIndex, RunRow

ROW = RunRow("20250102-120000-aa", "", "certified", "f", "t", 1.0, 0)

ENDLESS = "with recursive c(n) as (select 1 union all select n+1 from c) select count(*) from c"


def made(path, *statements):
    with contextlib.closing(sqlite3.connect(path)) as found, found:
        for statement in (*LAYOUT.tables, "PRAGMA user_version = 1", *statements):
            found.execute(statement)


def plant_journal(path, victim):
    """A hot rollback journal that names ``victim`` as its super-journal (the format: sqlite.org/fileformat.html)."""
    page, data = 4096, path.read_bytes()
    magic, nonce, name = bytes([0xD9, 0xD5, 5, 0xF9, 0x20, 0xA1, 0x63, 0xD7]), 12345, str(victim).encode()
    header = (magic + struct.pack(">IIIII", 1, nonce, len(data) // page, 512, page)).ljust(512, b"\0")
    check, at = nonce, page - 200
    while at > 0:
        check, at = (check + data[at]) & 0xFFFFFFFF, at - 200
    record = struct.pack(">I", 1) + data[:page] + struct.pack(">I", check)
    end = struct.pack(">I", 0x40000000 // page + 1) + name + struct.pack(">II", len(name), sum(name)) + magic
    path.with_name(f"{path.name}-journal").write_bytes(header + record + end)


def test_a_journal_that_names_a_file_deletes_it_where_nobody_looks_first(tmp_path):
    (tmp_path / "precious").write_text("precious")
    made(tmp_path / "index.sqlite")
    plant_journal(tmp_path / "index.sqlite", tmp_path / "precious")
    with contextlib.closing(sqlite3.connect(tmp_path / "index.sqlite")) as found:
        found.execute("select * from runs").fetchall()
    assert not (tmp_path / "precious").exists()


@pytest.mark.parametrize("whole", [True, False])
def test_a_journal_that_names_a_file_is_put_aside(tmp_path, whole):
    (tmp_path / "precious").write_text("precious")
    made(tmp_path / "index.sqlite")
    plant_journal(tmp_path / "index.sqlite", tmp_path / "precious")
    if not whole:
        (tmp_path / "index.sqlite").unlink()
    index = RunIndex(tmp_path / "index.sqlite")
    index.update((IndexEntry(ROW, 1, 1),))
    assert index.rows() == (ROW,)
    assert (tmp_path / "precious").read_text() == "precious"
    assert not (tmp_path / "index.sqlite-journal").exists()


PLANTED = {
    "a trigger": f"create trigger t after insert on runs begin {ENDLESS.replace('with', 'select (with', 1)}); end",
    "a view": f"create view more as {ENDLESS}",
    "a table": "create table more (x)",
    "an index": "create index more on runs (status)",
    "an index over a computed value": "create index more on runs (abs(seconds))",
}


@pytest.mark.parametrize("name", PLANTED)
def test_what_is_not_exactly_ours_is_put_aside(tmp_path, name):
    made(tmp_path / "index.sqlite", PLANTED[name])
    index = RunIndex(tmp_path / "index.sqlite")
    index.update((IndexEntry(ROW, 1, 1),))
    assert index.rows() == (ROW,)
    assert (tmp_path / "index.sqlite.corrupt-1").exists()


def test_a_view_in_place_of_our_table_is_put_aside(tmp_path):
    with contextlib.closing(sqlite3.connect(tmp_path / "index.sqlite")) as found, found:
        found.execute(f"create view runs as {ENDLESS}")
        found.execute("PRAGMA user_version = 1")
    assert RunIndex(tmp_path / "index.sqlite").rows() == ()


def test_what_takes_too_long_is_ended(tmp_path, monkeypatch):
    monkeypatch.setattr(database, "LONGEST_SECONDS", 0.2)
    began = time.monotonic()
    with (
        pytest.raises(sqlite3.OperationalError, match="interrupted"),
        database.transaction(tmp_path / "index.sqlite", LAYOUT) as found,
    ):
        found.execute(ENDLESS)
    assert time.monotonic() - began < 10


class Ended(BaseException):
    """What a handler of ours raises."""


@contextlib.contextmanager
def sent_soon(number):
    """The signal comes while the body is at work: no sooner, however slow the machine is."""

    def send():
        time.sleep(0.3)
        os.kill(os.getpid(), number)

    sender = threading.Thread(target=send)
    sender.start()
    try:
        yield
    finally:
        sender.join()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGALRM])
def test_a_signal_ends_what_takes_long_with_what_its_handler_raises(tmp_path, number):
    def raising(*_):
        raise Ended(number)

    before = signal.signal(number, raising)
    try:
        with (
            pytest.raises(Ended),
            database.transaction(tmp_path / "index.sqlite", LAYOUT) as found,
            sent_soon(number),
        ):
            found.execute(ENDLESS)
    finally:
        signal.signal(number, before)


@pytest.mark.parametrize("make", [os.mkdir, os.mkfifo, lambda path: os.symlink("victim", path)])
@pytest.mark.parametrize("end", ["", "-journal", "-wal", "-shm"])
def test_only_plain_files_are_opened(tmp_path, end, make):
    (tmp_path / "victim").write_bytes(b"x")
    make(tmp_path / f"index.sqlite{end}")
    with pytest.raises(sqlite3.OperationalError, match="no plain file"):
        RunIndex(tmp_path / "index.sqlite").rows()
    assert (tmp_path / "victim").read_bytes() == b"x"


def test_values_of_other_types_are_damage_and_no_defect(tmp_path):
    made(tmp_path / "index.sqlite", "insert into runs values ('a', x'00', 'b', 'c', 'd', 'no number', 0)")
    index = RunIndex(tmp_path / "index.sqlite")
    with pytest.raises(sqlite3.DatabaseError, match="not ours"):
        index.rows()
    assert (tmp_path / "index.sqlite.corrupt-1").exists()
    assert index.rows() == ()
