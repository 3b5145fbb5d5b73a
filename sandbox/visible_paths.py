"""What every kind of walls shows of the machine: the system's programs and libraries, and a few files of ``/etc``."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

_TMP_BYTES, _SHM_BYTES = 256 << 20, 64 << 20
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
ETC = (
    *("ld.so.cache", "alternatives", "passwd", "group", "nsswitch.conf", "localtime", "timezone", "mime.types"),
    *("ssl/certs", "ssl/openssl.cnf", "pki/tls/certs", "pki/ca-trust/extracted"),  # not the keys beside them
)


def system_paths() -> tuple[str, ...]:
    """The system's folders that are folders of their own, and what of ``ETC`` is there."""
    folders = (folder for folder in SYSTEM if os.path.isdir(folder) and not os.path.islink(folder))
    return (*folders, *(path for path in (f"/etc/{name}" for name in ETC) if os.path.exists(path)))


def system_links() -> tuple[tuple[str, str], ...]:
    """The system's folders that are links (``/bin`` into ``/usr``), with where they point."""
    return tuple((folder, os.readlink(folder)) for folder in SYSTEM if os.path.islink(folder))


def memory_sizes(disk_bytes: int) -> tuple[int, int]:
    """What ``/tmp`` and ``/dev/shm`` may take beside a writable folder of ``disk_bytes``, 0 for one without a bound."""
    most = disk_bytes or _TMP_BYTES
    return min(_TMP_BYTES, most), min(_SHM_BYTES, most)


def copy_command(source: str, to: str, cwd: str) -> tuple[str, ...]:
    """The words before a command that first copies a folder and then runs it in ``cwd``.

    Ownership is left out: not every owner outside has a name within.
    """
    script = (
        'command -p cp -dR --preserve=mode,timestamps "$1/." "$2" && cd "$3" && unset OLDPWD && shift 3 && exec "$@"'
    )
    return ("/bin/sh", "-c", script, "sh", source, to, cwd)


def outermost_paths(readable: Sequence[str], known: Sequence[str] = SYSTEM) -> Iterator[str]:
    """Those of the paths that exist and lie in no known folder nor in one another, parents first."""
    shown: list[str] = []
    for path in sorted(set(readable)):
        if os.path.exists(path) and not any(is_within(path, other) for other in (*known, *shown)):
            shown.append(path)
            yield path


def is_within(path: str, folder: str) -> bool:
    """Whether the path is the folder or lies below it, as they are spelled."""
    return path == folder or path.startswith(folder.rstrip("/") + "/")
