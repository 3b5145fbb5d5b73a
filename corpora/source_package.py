"""Source packages by name and version: fetched with the user's own pip, unpacked with care.

pip is asked because it alone knows the index, proxy, certificates and credentials that the user configured.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zlib
from pathlib import Path, PurePosixPath

from platformdirs import user_cache_path

from analysis.errors import TargetError

MOST_MEMBERS = 20_000
MOST_BYTES = 256 << 20


class IndexUnreachableError(TargetError):
    """The package index does not answer; what needs it can only be left out, and counted as left out."""


def case_cache() -> Path:
    """The user's cache directory for packages and environments; ``build/cache`` where the home cannot be written."""
    chosen = user_cache_path("repair-engine")
    with contextlib.suppress(OSError):
        chosen.mkdir(parents=True, exist_ok=True)
    return chosen if os.access(chosen, os.W_OK) else Path("build/cache").absolute()


def download(name: str, version: str, kept: Path) -> None:
    """Get the source archive of a release that nobody has pinned, as ``kept``.

    pip builds its metadata, so the package's own build code runs, as it does for any ``pip install`` of it.
    """
    kept.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=kept.parent) as scratch:
        archive = download_archive(name, (f"{name}=={version}",), Path(scratch))
        if archive is None:
            raise TargetError(f"The index holds no source archive (.tar.gz) of {name} {version}")
        os.replace(archive, kept)


def unpack(archive: Path, target: Path) -> None:
    """Unpack the archive's one top directory as ``target``, which must not exist yet.

    Takes plain files and directories only. Refuses links, devices, paths that lead outside, and archives
    beyond bounds. (The standard library's own filter is missing from some Pythons that we run on.)
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as scratch:
        try:
            with tarfile.open(archive, "r:gz") as tar:
                _extract(tar, Path(scratch), archive)
        except (tarfile.TarError, OSError, EOFError, zlib.error) as problem:
            raise TargetError(f"The archive cannot be unpacked: {problem}", where=archive.name) from problem
        tops = sorted(Path(scratch).iterdir())
        if len(tops) != 1 or not tops[0].is_dir():
            raise TargetError("The archive does not hold exactly one directory", where=archive.name)
        tops[0].rename(target)


def run_pip(*arguments: str, python: str = sys.executable) -> None:
    """Run pip. Raises ``IndexUnreachableError`` or ``TargetError`` with its own last words."""
    command = [python, "-m", "pip", *arguments, "--quiet", "--disable-pip-version-check", "--no-input"]
    run = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", check=False
    )
    if run.returncode == 0:
        return
    lines = [line.strip() for line in (run.stderr or run.stdout).splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("ERROR:")]
    words = (errors or lines or ["no message"])[-1].removeprefix("ERROR:").strip()
    if _UNREACHABLE.search(run.stderr):
        raise IndexUnreachableError(
            f"The package index cannot be reached: {words}",
            remedy="Check the network, or pip's index-url, and run again.",
        )
    raise TargetError(f"pip failed: {words}", remedy="Run it by hand: " + " ".join(command[1:]))


_UNREACHABLE = re.compile(
    r"\(from versions: none\)|NewConnectionError|NameResolutionError|ConnectTimeout|ReadTimeout|Max retries exceeded"
    r"|Connection (?:refused|reset|aborted|broken)|ProxyError|Temporary failure in name resolution"
    r"|Network is unreachable"
)


def download_archive(name: str, wanted: tuple[str, ...], directory: Path) -> Path | None:
    """The one source archive that pip puts into the directory for these words, if it is one."""
    run_pip("download", "--no-deps", "--no-binary", name, "--retries", "2", "--dest", str(directory), *wanted)
    archives = tuple(directory.glob("*.tar.gz"))
    return archives[0] if len(archives) == 1 else None


def _extract(tar: tarfile.TarFile, directory: Path, archive: Path) -> None:
    total = 0
    for count, member in enumerate(tar, start=1):
        total += member.size
        if count > MOST_MEMBERS or total > MOST_BYTES:
            raise TargetError("The archive unpacks to more than a source package should hold", where=archive.name)
        parts = PurePosixPath(member.name).parts
        plain = member.isfile() or member.isdir()
        if not plain or not parts or ".." in parts or member.name.startswith("/"):
            raise TargetError(f"The archive holds more than plain files: {member.name!r}", where=archive.name)
        path = directory.joinpath(*parts)
        (path if member.isdir() else path.parent).mkdir(parents=True, exist_ok=True)
        content = tar.extractfile(member)
        if content is not None:
            with content, path.open("xb") as file:
                shutil.copyfileobj(content, file)
            path.chmod(0o755 if member.mode & 0o100 else 0o644)
