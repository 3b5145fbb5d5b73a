"""A repository of a stranger who wants your files: everything that was ever tried on us, planted at once.

Whoever clones it and types a command must lose nothing. ``Hostile`` knows what each plant would do where it works.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sqlite3
import struct
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

OLD = b"def total(prices):\n    return sum(prices) + 1\n"
EVIL = b"import os\nos.system('true')\n\n\ndef total(prices):\n    return sum(prices)\n"
TEST = b"from shop import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n"
RUN = "29991231-235959-zzz"
ESCAPE = "\x1b]0;PWNED\x07\x1b[2J\x9b31m"

ENDLESS = "select (with recursive c(n) as (select 1 union all select n+1 from c) select count(*) from c)"
TABLE = (
    "create table runs (id TEXT PRIMARY KEY, started TEXT, status TEXT, function TEXT, test TEXT, seconds REAL,"
    " applied INTEGER)"
)


@dataclass(frozen=True)
class Hostile:
    """A clone of the stranger's repository. ``precious`` is a file of the user, ``canary`` shows that code ran."""

    root: Path
    precious: Path
    canary: Path

    def unharmed(self) -> None:
        """Raises where anything of it had an effect."""
        assert self.precious.read_text() == "precious", "a file of the user is gone"
        assert not self.canary.exists(), "code of the repository ran with the user's rights"
        assert (self.root / "shop.py").read_bytes() == OLD, "a file of the project was changed"
        assert not list(self.precious.parent.glob("escaped*")), "something was written outside"


def sha(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def hostile_clone(folder: Path, config: str = "") -> Hostile:
    """The repository with all plants, and these settings of ours, cloned."""
    origin, found = folder / "origin", Hostile(folder / "clone", folder / "precious", folder / "canary")
    found.precious.write_text("precious")
    for name, content in (("shop.py", OLD), ("test_shop.py", TEST), ("sub/.keep", b"")):
        (origin / name).parent.mkdir(parents=True, exist_ok=True)
        (origin / name).write_bytes(content)
    (origin / "pyproject.toml").write_text(f"[tool.repair]\n{config}\n" if config else "")
    state = origin / ".repair"
    state.mkdir()
    plant_databases(state, found.precious)
    plant_run(state / "runs" / RUN)
    plant_journal(state)
    (state / "apply.lock").symlink_to(found.precious)
    (origin / "link").symlink_to(folder)
    plant_environment(origin / ".venv", found.canary)
    plant_coverage(origin / ".coverage")
    (origin / "sitecustomize.py").write_text(f"import os\nos.system('touch {found.canary}')\n")
    (origin / "evil.sh").write_text(f"#!/bin/sh\ntouch {found.canary}\n")
    (origin / "evil.sh").chmod(0o755)
    for words in (
        ["init", "-q"],
        ["add", "-f", "."],
        ["-c", "user.name=x", "-c", "user.email=x", "commit", "-qm", "x"],
    ):
        subprocess.run(["git", "-C", str(origin), *words], check=True)
    subprocess.run(["git", "clone", "-q", str(origin), str(found.root)], check=True)
    return found


def plant_databases(state: Path, victim: Path) -> None:
    """An index with an endless trigger, and journals beside both databases that name a file of the user."""
    for name in ("index.sqlite", "trials.sqlite"):
        with contextlib.closing(sqlite3.connect(state / name)) as found, found:
            found.execute(TABLE)
            found.execute("pragma user_version = 1")
            found.execute("insert into runs values (?, ?, ?, '', '', 0, 0)", (RUN, ESCAPE, f"certified{ESCAPE}"))
            found.execute(f"create trigger t after insert on runs begin {ENDLESS}; end")
        plant_super_journal(state / name, victim)


def plant_super_journal(database: Path, victim: Path) -> None:
    """A hot rollback journal with ``victim`` as its super-journal (the format: sqlite.org/fileformat2.html)."""
    page, data = 4096, database.read_bytes()
    magic, nonce, name = bytes([0xD9, 0xD5, 5, 0xF9, 0x20, 0xA1, 0x63, 0xD7]), 12345, str(victim).encode()
    header = (magic + struct.pack(">IIIII", 1, nonce, len(data) // page, 512, page)).ljust(512, b"\0")
    check, at = nonce, page - 200
    while at > 0:
        check, at = (check + data[at]) & 0xFFFFFFFF, at - 200
    record = struct.pack(">I", 1) + data[:page] + struct.pack(">I", check)
    end = struct.pack(">I", 0x40000000 // page + 1) + name + struct.pack(">II", len(name), sum(name)) + magic
    database.with_name(f"{database.name}-journal").write_bytes(header + record + end)


def plant_run(run: Path) -> None:
    """A run that says ``certified`` and holds other bytes for a file of the project."""
    (run / "files").mkdir(parents=True)
    for content in (OLD, EVIL):
        (run / "files" / sha(content)).write_bytes(content)
    change = {"path": "shop.py", "before": sha(OLD), "after": sha(EVIL)}
    patch = {
        "rank": 1,
        "status": "certified",
        "file": "shop.py",
        "function": f"total{ESCAPE}",
        "edit_kind": "update",
        "proposer": "search",
        "operator": "x",
        "diff": f"--- a/shop.py{ESCAPE}\n",
        "digest": "d",
        "files": [change],
    }
    result = {"schema": "repair.result/1", "run": RUN, "status": "certified", "patches": [patch]}
    (run / "result.json").write_text(json.dumps(result))
    (run / "applied.json").write_text(json.dumps({"run": RUN, "rank": 1, "undo": False, "moves": [change]}))


def plant_journal(state: Path) -> None:
    """A journal that takes ``shop.py`` back to what it never was, and a hook below a nested repository."""
    moves = [
        {"path": "shop.py", "before": sha(EVIL), "after": sha(OLD)},
        {"path": "sub/.git/hooks/post-checkout", "before": sha(EVIL), "after": "00"},
        {"path": f"x{ESCAPE}.py", "before": sha(EVIL), "after": "00"},
    ]
    (state / "journal.json").write_text(json.dumps({"run": RUN, "rank": 1, "undo": False, "moves": moves}))


def plant_coverage(path: Path) -> None:
    """Coverage data whose list of files never ends."""
    with contextlib.closing(sqlite3.connect(path)) as found, found:
        found.execute("create table coverage_schema (version integer)")
        found.execute("insert into coverage_schema values (7)")
        found.execute("create table meta (key text, value text)")
        found.execute(f"create view file as select 1 as id, ({ENDLESS}) as path")


def plant_environment(venv: Path, canary: Path) -> None:
    """An environment of text files and one link whose start-up runs a line of the stranger's."""
    packages = venv / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"
    packages.mkdir(parents=True)
    (venv / "bin").mkdir()
    (venv / "bin/python").symlink_to(os.path.realpath(sys.executable))
    (venv / "pyvenv.cfg").write_text(f"home = {os.path.dirname(os.path.realpath(sys.executable))}\n")
    (packages / "evil.pth").write_text(f"import os; os.system('touch {canary}')\n")
