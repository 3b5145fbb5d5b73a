"""Changes as coding agents make them, in three real libraries: right ones, wrong ones that pass, harmless ones.

One folder a library, below it one a kind, in it one file a change::

    LIBRARY/KIND/NAME.toml
      asked      what the agent was asked
      start      diff from the published source to the tree that the session begins with; empty where it is the same
      change     diff of what the agent wrote
      input      of a wrong change: Python statements, the last one an expression
      wanted     what that expression should give (its repr, or ``raises NAME``), by documentation or published code

A right change mends a fault that was put in (often by undoing a fix of upstream), or adds what a new test asks for. A
wrong one passes the whole suite, and its input shows that it is wrong. A harmless one changes no behaviour. They were
written before their author had read how our judge decides; ``frozen.txt`` holds the digest of each library's files
since then. The sources come from the package index by their hash, and are not part of this repository.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import tomllib
from dataclasses import dataclass
from pathlib import Path

from analysis.errors import TargetError
from corpora.environment import environment
from corpora.lab.cases import PYTEST
from corpora.lab.pinned import SourcePackage, fetch
from corpora.source_package import unpack

FOLDER = Path(__file__).with_name("agents_wrote")
FROZEN = FOLDER / "frozen.txt"
KINDS = ("right", "wrong", "harmless")


@dataclass(frozen=True, slots=True)
class AgentLibrary:
    """A library that agents worked on. ``files`` are settings that its own repository has and its archive lacks."""

    name: str
    package: SourcePackage
    requirements: tuple[str, ...]
    files: tuple[tuple[str, str], ...] = ()
    held_out: bool = False
    """Whether our rules may not be tuned by its changes."""


LIBRARIES = (
    AgentLibrary(
        "funcy",
        SourcePackage("funcy", "2.1", "8979feb3de7120afd1d00e5a8eae810c1942e4bfbc91697151e9ee1e49f79284"),
        (*PYTEST, "whatever==0.7"),
    ),
    AgentLibrary(
        "geojson",
        SourcePackage("geojson", "3.3.0", "92e83b9cb378a450b42f1207bb9b2a031f9fc89185f335153c44369b8b8b71fd"),
        PYTEST,
    ),
    AgentLibrary(
        "texttable",
        SourcePackage("texttable", "1.7.2", "dc16ea6b35fbf5291ba6ef79d79e37d9b3ca6acd7bae3ca3450488d7c2e19c99"),
        PYTEST,
        (("pytest.ini", "[pytest]\npython_files = tests.py\n"),),
        held_out=True,
    ),
)


@dataclass(frozen=True, slots=True)
class AgentDiff:
    """One change, with the tree in which its session began."""

    library: str
    kind: str
    name: str
    asked: str
    start: str
    change: str
    input: str = ""
    wanted: str = ""

    def __str__(self) -> str:
        return f"{self.library}/{self.kind}/{self.name}"


def agent_diffs(library: str, folder: Path = FOLDER) -> tuple[AgentDiff, ...]:
    """All changes of a library, kinds and names in their order. Raises ``TargetError`` where there is none."""
    found = tuple(_read(path) for kind in KINDS for path in sorted((folder / library / kind).glob("*.toml")))
    if not found:
        raise TargetError("No change is there", where=str(folder / library), remedy="Name a library of this folder.")
    return found


def _read(path: Path) -> AgentDiff:
    values = tomllib.loads(path.read_text(encoding="utf-8"))
    try:
        return AgentDiff(path.parent.parent.name, path.parent.name, path.stem, **values)
    except TypeError as problem:
        raise TargetError(
            f"This is no change of an agent: {problem}",
            where=str(path),
            remedy="Write asked, start and change into it.",
        ) from problem


def digest_of(library: str, folder: Path = FOLDER) -> str:
    """SHA-256 over the names and the contents of a library's changes."""
    state = hashlib.sha256()
    for path in sorted((folder / library).glob("*/*.toml")):
        content = path.read_bytes()
        state.update(f"{path.relative_to(folder).as_posix()}\0{len(content)}\0".encode() + content)
    return state.hexdigest()


def lay_session(library: AgentLibrary, diff: AgentDiff, root: Path, cache: Path) -> str:
    """A repository at ``root``, which must not exist, as the agent's session finds it; the path of its interpreter.

    Raises ``IndexUnreachableError`` where a package is neither in the cache nor to be had.
    """
    unpack(fetch(library.package, cache), root)
    for path, text in library.files:
        (root / path).write_text(text, encoding="utf-8")
    python = environment(library.requirements, cache)
    (root / ".gitignore").write_text(".venv\n__pycache__/\n.pytest_cache/\n", encoding="utf-8")
    (root / ".venv").symlink_to(Path(python).parent.parent)
    git(root, "init", "--quiet", "--initial-branch=main")
    apply_diff(root, diff.start)
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", "As the session finds it")
    return python


def apply_diff(root: Path, diff: str) -> None:
    """Write what the diff says into the tree; raises ``TargetError`` where it does not fit."""
    if diff:
        git(root, "apply", "-", given=diff)


def git(root: Path, *words: str, given: str = "") -> None:
    """Run git in the repository, by no settings but its own."""
    person = ("-c", "user.name=person", "-c", "user.email=person@example.org")
    env = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    done = subprocess.run(
        ["git", *person, *words], cwd=root, input=given.encode(), env=env, capture_output=True, check=False
    )
    if done.returncode != 0:
        raise TargetError(f"git {words[0]} failed: {done.stderr.decode(errors='replace').strip()}", where=str(root))
