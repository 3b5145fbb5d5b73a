"""What a child that is forked in the middle of a test has of the outside: each case in a process of its own."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from sandbox.request import PROBE


def said(folder: Path, body: str) -> str:
    """What a program prints that begins with the room's names."""
    names = (
        "from _repair_probe.fork.outside import Confinement, OwnFiles, Surroundings, reachable, streams_among, within"
    )
    program = f"import os, sys\n{names}\nbefore = Surroundings()\n{textwrap.dedent(body)}"
    environ = {"PATH": os.environ["PATH"], "PYTHONPATH": str(PROBE)}
    done = subprocess.run([sys.executable, "-c", program], cwd=folder, env=environ, capture_output=True, check=False)
    assert not done.stderr, done.stderr.decode()
    return done.stdout.decode().strip()


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("things = []", ""),
        ("things = [open('a', 'w+'), open('/dev/urandom', 'rb'), os.open('.', os.O_RDONLY)]", ""),
        ("things = os.pipe()", "a pipe is open"),
        ("import socket; things = socket.socketpair()", "a socket is open"),
        ("import socket; pair = socket.socketpair(); things = []", "a socket is open"),
        ("import select; things = [select.epoll()]", "an event loop is open"),
        ("import threading as t; t.Thread(target=t.Event().wait, daemon=True, name='w').start(); things = []",
         "another thread is alive: w"),
        ("import sqlite3; things = [{'held': [sqlite3.connect(':memory:')]}]", "an SQLite connection is open"),
        ("import sqlite3; one = sqlite3.connect('db'); one.execute('create table t (a)'); one.commit(); things = []",
         "an SQLite database is open"),
        ("import mmap; things = [mmap.mmap(-1, 4096)]", "memory is shared with other processes"),
        ("import subprocess; things = [subprocess.Popen(['true'])]", "another process is open"),
        ("things = open('large', 'w+b'); things.truncate(5 << 20); things = []", ""),
        ("kept = open('large', 'w+b'); kept.truncate(5 << 20); things = []", "a large file is open for writing"),
    ],
)  # fmt: skip
def test_what_is_no_copy_in_a_fork_is_named(tmp_path: Path, body: str, why: str) -> None:
    assert said(tmp_path, f"{body}\nprint(before.obstacle(reachable(list(things))), flush=True)\nos._exit(0)") == why


def test_what_was_open_before_is_none_of_the_tests(tmp_path: Path) -> None:
    body = "pipe = os.pipe()\nprint(Surroundings().obstacle([]))"
    assert said(tmp_path, body) == ""


def test_a_child_reads_on_where_it_was_and_what_it_writes_is_its_own(tmp_path: Path) -> None:
    (tmp_path / "read").write_text("one\ntwo\nthree\n")
    (tmp_path / "gone").write_text("x" * 30)
    body = """
    read, gone = os.open("read", os.O_RDONLY), os.open("gone", os.O_RDONLY)
    both, end = open("both", "w+"), os.open("end", os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.unlink("gone")
    os.read(read, 4), os.read(gone, 10), both.write("ab"), both.flush(), os.write(end, b"c")
    if os.fork() == 0:
        own = OwnFiles(before)
        both.write("CHILD"), both.flush(), both.close(), os.write(end, b"CHILD")
        print(os.read(read, 4), len(os.read(gone, 99)), own.changed(), flush=True)
        os._exit(0)
    os.wait()
    both.write("cd"), both.flush()
    print(os.read(read, 3), os.lseek(gone, 0, 1), open("both").read(), open("end").read(), flush=True)
    """
    assert said(tmp_path, body) == "b'two' 10 abcd c", "what the child prints leads nowhere"


def test_what_a_child_changes_in_open_files_is_told(tmp_path: Path) -> None:
    body = """
    both, same = open("both", "w+"), open("same", "w+")
    both.write("ab"), both.flush(), same.write("ef"), same.flush()
    ends = os.pipe()
    if os.fork() == 0:
        own = OwnFiles(before)
        both.write("CHILD"), both.close()
        os.write(ends[1], repr(own.changed()).encode())
        os._exit(0)
    os.wait()
    print(os.read(ends[0], 999).decode())
    """
    assert said(tmp_path, body) == "[b'abCHILD']"


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("open('own/a', 'w'); os.mkdir('own/b'); os.rename('own/a', 'own/c'); os.remove('own/c')", "kept on"),
        ("open('allowed', 'w').write('x')", "kept on"),
        ("open('allowed').read(); os.listdir('.'); os.kill(os.getpid(), 0)", "kept on"),
        ("open(os.devnull, 'w').write('x')", "kept on"),
        ("open('other', 'w')", "it writes a file"),
        ("open('own/../other', 'a')", "it writes a file"),
        ("os.symlink('..', 'own/up'); open('own/up/other', 'w')", "it writes a file"),
        ("os.open('other', os.O_CREAT)", "it writes a file"),
        ("os.rename('own', 'other')", "it changes files"),
        ("os.chmod('allowed2', 0)", "it changes files"),
        ("os.utime('.')", "it changes files"),
        ("import shutil; shutil.rmtree('full')", "it changes files"),
        ("import subprocess; subprocess.run(['true'])", "it starts a process"),
        ("os.fork()", "it starts a process"),
        ("os.killpg(os.getppid(), 0)", "it signals to another process"),
        ("import socket; socket.socket(type=socket.SOCK_DGRAM).sendto(b'', ('127.0.0.1', 9))", "it talks to a socket"),
    ],
)  # fmt: skip
def test_what_would_last_ends_the_child_before_it_happens(tmp_path: Path, body: str, why: str) -> None:
    for folder in ("own", "full/inner"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "allowed").write_text("y")
    names = sorted(each.name for each in tmp_path.iterdir())
    allowed = str(tmp_path / "allowed")
    begun = f"Confinement(within('own'), [{allowed!r}], lambda said: os.write(1, said.encode()))"
    assert said(tmp_path, f"{begun}\n{body}\nprint('kept on')") == why
    assert sorted(each.name for each in tmp_path.iterdir()) == names


def test_streams_are_found_below_arguments_and_nothing_of_the_target_is_run(tmp_path: Path) -> None:
    body = """
    class Odd:
        def __init__(self): self.held = {"a": [open("a", "w")]}
        def __getattribute__(self, name): raise SystemExit(name)
    def outer(stream): return lambda: stream
    held = [Odd.__new__(Odd), outer(open("b", "w"))]
    object.__getattribute__(held[0], "__dict__")["held"] = {"a": [open("a", "w")]}
    print(sorted(stream.name for stream in streams_among(reachable(held))))
    """
    assert said(tmp_path, body) == "['a', 'b']"
