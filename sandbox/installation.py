"""What a jail shows of a Python that a stranger may have put there: found by reading, never by running it.

The links and files that lead to it, and whatever it says of itself, may all be written to open something else. So only
folders that look like an installation of Python, an environment or packages are shown. Never shown are the home folder
and what lies round it, the project itself, and what is kept private.
"""

from __future__ import annotations

import contextlib
import os
import pwd
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from sandbox.visible_paths import SYSTEM, is_within

CONFIGURATION = "pyvenv.cfg"
"""What makes a folder an environment."""

_PARTS = ("bin", "lib", "lib64", "include", CONFIGURATION)
_LIBRARY = re.compile(r"(python|pypy)3(\.\d+)?t?")
_SITES = ("site-packages", "dist-packages")
_INSTALLED = (".dist-info", ".egg-info")
_CODE = (".py", ".so")
_OF_THE_MACHINE = ("/etc", "/proc", "/sys", "/dev", "/run", "/boot")
_MOST_LINKS, _MOST_CHILDREN, _MOST_BYTES = 40, 500, 1 << 16


@dataclass(frozen=True, slots=True)
class Hidden:
    """What no answer of a stranger's interpreter opens: the project at ``root``, the user's ``homes``, and ``private``
    folders, which a larger folder may hold. All are without links."""

    root: str
    homes: tuple[str, ...]
    private: tuple[str, ...] = ()

    def forbids(self, real: str) -> bool:
        """Whether nothing of that folder may be shown: it is a home or lies round one."""
        return any(is_within(home, real) for home in (*self.homes, "/"))

    def reaches(self, real: str) -> bool:
        """Whether the folder as a whole would show what is hidden."""
        return any(is_within(place, real) or is_within(real, place) for place in self.private) or is_within(
            self.root, real
        )


def hidden_from(root: str, private: Iterable[str] = ()) -> Hidden:
    """What is hidden from a project's interpreter, for the user that we run as."""
    return Hidden(os.path.realpath(root), _homes(), tuple(sorted(map(os.path.realpath, private))))


def is_private(real: str) -> bool:
    """Whether a file lies where people keep what is for them alone: at the top of the home or in a dotted folder of it.

    What belongs to the machine counts too.
    """
    homes = _homes()
    return os.path.dirname(real) in homes or _is_secluded(real, homes)


def installation(python: str, hidden: Hidden) -> tuple[str, ...]:
    """The folders and files that this interpreter needs, each under every name by which it is reached."""
    steps = tuple(_steps(python))
    shown = dict.fromkeys(path for folder in _prefixes(steps) for path in _as_installation(folder, hidden))
    programs = [step for step in steps if _lies_in(os.path.realpath(step), (*shown, *SYSTEM))]
    if not shown and steps:  # a program of another kind; whether it is a Python is for its answer to say
        programs += [step for step in steps if os.path.isfile(step) and _lies_in(os.path.realpath(step), [hidden.root])]
    return (*shown, *(step for step in dict.fromkeys(programs) if not _lies_in(step, (*shown, *SYSTEM))))


def environment_folder(python: str) -> str:
    """The environment whose interpreter this is, as it is spelled; ``""`` where it is none's."""
    folder = os.path.dirname(os.path.dirname(os.path.abspath(python)))
    return folder if os.path.isfile(os.path.join(folder, CONFIGURATION)) else ""


def starts_code_in(python: str, root: str) -> bool:
    """Whether this interpreter may run code below the root before it runs anything that it is asked to.

    So it is where a path file of its packages, or a finder of an editable install, names a folder in there. Python then
    imports whatever is called ``sitecustomize``.
    """
    real = os.path.realpath(root)
    folders = dict.fromkeys((*_prefixes(tuple(_steps(python))), *(f"{home}/.local" for home in _homes())))
    libraries = [f"{folder}/{library}" for folder in folders for library in ("lib", "lib64")]
    versions = [f"{library}/{name}" for library in libraries for name in filter(_LIBRARY.match, _names(library))]
    return any(_names_folder(f"{version}/{site}", real) for version in versions for site in _SITES)


def _prefixes(steps: Sequence[str]) -> tuple[str, ...]:
    """The folders that these places of an interpreter belong to, then those of the Python behind an environment."""
    folders = [os.path.dirname(os.path.dirname(step)) for step in steps]
    bases = [os.path.dirname(home) for folder in folders if (home := _home_named(folder))]
    return (*folders, *bases)


def _names_folder(site: str, real: str) -> bool:
    """Whether a path file or finder in there speaks of the folder or of what lies in it."""
    for name in _names(site):
        if name.endswith(".pth") or name.startswith("__editable__"):
            text = _beginning_of(os.path.join(site, name))
            paths = (
                os.path.realpath(os.path.join(site, line.strip())) for line in text.splitlines() if "\0" not in line
            )
            if real in text or any(is_within(path, real) for path in paths):
                return True
    return False


def _beginning_of(path: str) -> str:
    if not os.path.isfile(path):  # a pipe would never end
        return ""
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return file.read(_MOST_BYTES)
    except OSError:
        return ""


def packages(folder: str, shown: Sequence[str], hidden: Hidden) -> tuple[str, ...] | None:
    """What a jail shows of a folder elsewhere: its modules and packages; ``None`` where it is to stay hidden.

    Files of other kinds that lie beside them (settings, keys, a repository's own) are not shown.
    """
    real = os.path.realpath(folder)
    names = {os.path.normpath(folder), real}
    if _lies_in(real, (*map(os.path.realpath, shown), *SYSTEM)):
        return tuple(sorted(names))
    if hidden.forbids(real) or hidden.reaches(real):
        return None
    if os.path.basename(real) in _SITES and _is_installation(os.path.dirname(os.path.dirname(os.path.dirname(real)))):
        return tuple(sorted(names))
    found = [] if _is_secluded(real, hidden.homes) else sorted(_importable_names(real))
    if not found or len(found) > _MOST_CHILDREN:
        return None
    return tuple(os.path.join(name, child) for name in sorted(names) for child in found)


def _homes() -> tuple[str, ...]:
    """The user's homes, by the environment and by the machine's own list, without links."""
    found = [os.path.expanduser("~")]
    with contextlib.suppress(KeyError):  # a user whom the machine has no name for
        found.append(pwd.getpwuid(os.geteuid()).pw_dir)
    return tuple(sorted({os.path.realpath(home) for home in found} - {"/"}))


def _steps(python: str) -> Iterator[str]:
    """The interpreter and each place that its link leads to, absolute."""
    path = os.path.abspath(python)
    for _ in range(_MOST_LINKS):
        yield path
        if not os.path.islink(path):
            return
        path = os.path.join(os.path.dirname(path), os.readlink(path))
        path = os.path.normpath(path) if os.path.realpath(os.path.normpath(path)) == os.path.realpath(path) else path


def _home_named(folder: str) -> str:
    """Where the environment says that its Python lies."""
    words = (line.partition("=") for line in _beginning_of(os.path.join(folder, CONFIGURATION)).splitlines())
    found = next((value.strip() for name, _, value in words if name.strip().lower() == "home"), "")
    return os.path.abspath(found) if os.path.isabs(found) and "\0" not in found else ""


def _as_installation(folder: str, hidden: Hidden) -> Iterator[str]:
    """The folder, with and without its links; its parts alone where the whole would show too much."""
    real = os.path.realpath(folder)
    if hidden.forbids(real) or not _is_installation(real):
        return
    for name in {os.path.normpath(folder), real}:
        if not hidden.reaches(real):
            yield name
            continue
        for part in _PARTS:
            if _lies_in(os.path.realpath(f"{name}/{part}"), [f"{real}/{each}" for each in _PARTS]):
                yield f"{name}/{part}"


def _is_installation(real: str) -> bool:
    """Whether the folder holds a standard library, or is an environment with packages."""
    environment = os.path.isfile(f"{real}/{CONFIGURATION}") and os.path.isdir(f"{real}/bin")
    for library in ("lib", "lib64"):
        for name in _names(f"{real}/{library}"):
            inside = f"{real}/{library}/{name}"
            if _LIBRARY.fullmatch(name) and (
                os.path.isfile(f"{inside}/os.py") or (environment and os.path.isdir(f"{inside}/site-packages"))
            ):
                return True
    return False


def _is_secluded(real: str, homes: Sequence[str]) -> bool:
    """Whether it lies where no code of one's own does: in a dotted folder of the home, among the machine's."""
    if _lies_in(real, _OF_THE_MACHINE):
        return True
    inside = (os.path.relpath(real, home) for home in homes if is_within(real, home))
    return any(part.startswith(".") for path in inside for part in path.split(os.sep))


def _importable_names(real: str) -> Iterator[str]:
    """Names of the modules, packages and their descriptions in the folder; no links that lead out of it."""
    for name in _names(real):
        path = os.path.join(real, name)
        if name.startswith(".") or not is_within(os.path.realpath(path), real):
            continue
        if os.path.isdir(path):
            if name.endswith(_INSTALLED) or (name.isidentifier() and _holds_code(path)):
                yield name
        elif name.endswith(_CODE) and os.path.isfile(path):
            yield name


def _holds_code(folder: str, *, deeper: bool = True) -> bool:
    """Whether modules lie in it, or one folder below, as in a namespace."""
    names = _names(folder)
    return any(name.endswith(_CODE) for name in names) or (
        deeper and any(_holds_code(f"{folder}/{name}", deeper=False) for name in names if name.isidentifier())
    )


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def _lies_in(path: str, folders: Iterable[str]) -> bool:
    return any(is_within(path, folder) for folder in folders)
