"""Where a project's records lie: in the user's own state directory, never in the project.

Whoever wrote a project may have put anything into its folder, so nothing in there is read back to decide. The records
of one project have a folder of their own, named after its path. The user's key seals them (see ``Seals``): a record
that came from elsewhere has no seal.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shutil
import time
from pathlib import Path

import platformdirs

from analysis.errors import TargetError, UsageError
from repair.store.atomic import remove_stale, replace_file, sha256

KEY_BYTES = 32
POINTER = ".repair"
ROOT_FILE = "project.json"
KEY_FILE = "memory.key"
LONGEST_NAME = 60

DAYS_WITHOUT_PROJECT = 30
"""Records of a project that is gone are deleted after so many days."""


def user_folder() -> Path:
    """The user's state directory for all projects."""
    return platformdirs.user_state_path("repair").absolute()


def state_folder(root: Path, named: str = "") -> Path:
    """The folder of one project's records, made and proven writable.

    It is named after the project's path, below ``named``, the user's own choice (relative to the root), or below his
    state directory. Raises ``UsageError`` where the folder lies in the project or cannot be written as named,
    ``TargetError`` where the default one cannot be written.
    """
    base = Path(os.path.abspath(Path(root, named))) if named else user_folder() / "projects"
    real = os.path.realpath(root)
    folder = base / f"{os.path.basename(real)[:LONGEST_NAME] or 'root'}-{sha256(os.fsencode(real))[:16]}"
    for each in (folder, user_folder()):
        place = os.path.realpath(each)
        if place == real or place.startswith(real.rstrip("/") + "/"):
            raise UsageError(
                "The state directory lies in the project, and what lies there may come from others",
                where=str(each),
                remedy="Name one outside of it with --state-dir.",
            )
    try:
        _prepare(folder)
        if not (folder / ROOT_FILE).exists():
            replace_file(folder / ROOT_FILE, json.dumps({"root": real}).encode() + b"\n")
    except OSError as problem:
        said = f"The state directory cannot be written: {problem.strerror}"
        if named:
            raise UsageError(said, where=str(folder), remedy="Name another.") from problem
        raise TargetError(said, where=str(folder), remedy="Name another with --state-dir.") from problem
    return folder


def user_key() -> tuple[bytes, bool]:
    """The user's own secret, made on first use, that all seals and digests are made with; and whether it is kept.

    It lies outside every project, so that what came with a project matches nothing. Where the user's state directory
    cannot be written it lasts for this process alone, and later commands take its records for foreign.
    """
    try:
        return _read_key(user_folder() / KEY_FILE), True
    except OSError:
        return secrets.token_bytes(KEY_BYTES), False


def leave_pointer(root: Path, folder: Path) -> None:
    """Say in the project where its records lie, where that can be written. What is there already stays."""
    said = (
        f"The runs of repair in this project are recorded in\n\n    {folder}\n\n"
        "`repair runs` lists them. Nothing in this folder is read back; it may be deleted.\n"
    )
    with contextlib.suppress(OSError):  # a project that may not be written has no pointer
        (root / POINTER).mkdir(exist_ok=True)
        within = os.open(root / POINTER, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            for name, text in ((".gitignore", "*\n"), ("README.txt", said)):
                with contextlib.suppress(FileExistsError):
                    created = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o644, dir_fd=within)
                    with open(created, "w", encoding="utf-8", errors="surrogateescape") as file:
                        file.write(text)
        finally:
            os.close(within)


def sweep(now: float | None = None) -> None:
    """Delete the records of projects that are gone, some time after they were used last."""
    oldest = (time.time() if now is None else now) - DAYS_WITHOUT_PROJECT * 86_400
    with contextlib.suppress(OSError):  # what cannot be deleted now is tried again later
        for folder in (user_folder() / "projects").iterdir():
            if not folder.is_symlink() and folder.stat().st_mtime < oldest and _is_gone(folder):
                shutil.rmtree(folder, ignore_errors=True)


def _is_gone(folder: Path) -> bool:
    """Whether the project of these records was deleted; one that is merely out of reach was not."""
    try:
        root = Path(json.loads((folder / ROOT_FILE).read_bytes())["root"]) if (folder / ROOT_FILE).is_file() else None
        if root is None or not root.parent.is_dir():
            return False
        with contextlib.suppress(FileNotFoundError):
            root.lstat()
            return False
    except (OSError, ValueError, KeyError, TypeError):
        return False
    return True


def _prepare(folder: Path) -> None:
    """The folder, made for the user alone and proven writable. Links in it are refused."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    for path in (folder, folder / "runs"):
        if path.is_symlink():
            raise OSError(0, "it is a symbolic link", str(path))
    (folder / "runs").mkdir(exist_ok=True)
    for path in (folder, folder / "hooks"):
        remove_stale(path, time.time())
    if not os.access(folder / "runs", os.W_OK | os.X_OK) or not os.access(folder, os.W_OK | os.X_OK):
        raise PermissionError(13, "Permission denied", str(folder / "runs"))


def _read_key(path: Path) -> bytes:
    """The key in that file, which is made where it is missing; ``OSError`` where there can be none."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    if not path.exists():
        fresh = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        with open(descriptor, "wb") as file:
            file.write(secrets.token_bytes(KEY_BYTES))
        with contextlib.suppress(FileExistsError):
            os.link(fresh, path)  # of several that come at once the first one counts
        fresh.unlink()
    key = path.read_bytes() if path.is_file() else b""
    if len(key) != KEY_BYTES:
        raise OSError(0, "it holds no key", str(path))
    return key
