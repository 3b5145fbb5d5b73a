"""Files of a memory that hold text of the project: JSON under a seal of the user's key, with one writer at a time.

They lie beside the project's runs, and never in the project. What somebody else has written, or edited, holds nothing.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from filelock import FileLock

from repair.store.atomic import read_plain, replace_file

LOCK_SECONDS = 10.0
"""How long one engine waits for another that writes the same file."""

MOST_BYTES = 64 << 20
"""A larger file is not one of ours."""


def read_sealed(path: Path, key: bytes, kind: bytes) -> Any:
    """What the file holds; ``None`` where it is missing, damaged, no plain file, or not sealed as this ``kind``."""
    with contextlib.suppress(OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        held: Any = json.loads(read_plain(path, MOST_BYTES) or b"")
        if hmac.compare_digest(str(held["seal"]), _seal(held["held"], key, kind)):
            return held["held"]
    return None


def write_sealed(path: Path, key: bytes, kind: bytes, values: Any) -> None:
    """Replace the file; one that does not hold under the key is set aside. Raises ``OSError`` where it cannot be."""
    if os.path.lexists(path) and read_sealed(path, key, kind) is None:
        os.replace(path, path.with_name(f"{path.stem}.set-aside{path.suffix}"))
    replace_file(path, json.dumps({"seal": _seal(values, key, kind), "held": values}, indent=1).encode() + b"\n")


@contextlib.contextmanager
def hold_file(path: Path) -> Iterator[None]:
    """No other engine writes the file meanwhile; raises ``OSError`` where another one does for too long."""
    with FileLock(path.with_name(f"{path.name}.lock"), timeout=LOCK_SECONDS):
        yield


def _seal(values: Any, key: bytes, kind: bytes) -> str:
    plain = json.dumps(values, sort_keys=True).encode()
    return hashlib.blake2b(plain, key=key, digest_size=32, person=kind).hexdigest()
