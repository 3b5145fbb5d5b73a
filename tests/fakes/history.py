"""A small git repository with commits that mend, extend and rearrange a module."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

from corpora.loaders.mined import COMMITS, SOURCE, ExaminedCandidate, Source
from corpora.mining.history import candidates
from corpora.mining.repository import Repository
from repair.records.json_records import to_plain

FIRST = {
    "lib.py": "def half(n):\n    return n // 3\n\n\ndef twice(n):\n    return n * 2\n",
    "test_lib.py": "from lib import twice\n\ndef test_twice(): assert twice(2) == 4\n",
}
MENDED = FIRST["lib.py"].replace("n // 3", "n // 2")
HALF_TEST = (
    "from lib import half, twice\n\ndef test_twice(): assert twice(2) == 4\n\ndef test_half(): assert half(4) == 2\n"
)
STEPS: tuple[tuple[str, dict[str, str]], ...] = (
    ("first", FIRST),
    ("Fix half", {"lib.py": MENDED, "test_lib.py": HALF_TEST}),
    (
        "document twice",
        {"lib.py": MENDED.replace("(n):\n    return n * 2", '(n):\n    """Doubled."""\n    return n * 2')},
    ),
    ("add thrice", {"lib.py": MENDED + "\n\ndef thrice(n):\n    return n * 3\n", "test_lib.py": HALF_TEST + "\n"}),
    (
        "Support a factor",
        {
            "lib.py": MENDED.replace(
                "def twice(n):\n    return n * 2", "def twice(n, factor=2):\n    return n * factor"
            )
            + "\n\ndef thrice(n):\n    return n * 3\n",
            "test_lib.py": HALF_TEST + "\ndef test_factor(): assert twice(2, 5) == 10\n",
        },
    ),
)


SECOND = (
    "Fix thrice for texts",
    {
        "lib.py": STEPS[-1][1]["lib.py"].replace("n * 3", "n + n + n"),
        "test_lib.py": HALF_TEST + "\nfrom lib import thrice\ndef test_thrice(): assert thrice('a') == 'aaa'\n",
    },
)


def make_history(root: Path, steps: tuple[tuple[str, dict[str, str]], ...] = STEPS) -> Path:
    """The repository, with a commit a day from 2024-01-01 on."""
    root.mkdir(parents=True)
    git(root, "init", "--quiet", "--initial-branch=main")
    git(root, "config", "remote.origin.url", "https://somebody:secret@example.org/lib.git")
    for day, (subject, files) in enumerate(steps, 1):
        for path, text in files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text)
        git(root, "add", "--all")
        git(root, "commit", "--quiet", "--message", subject, date=f"2024-01-{day:02}T12:00:00+0000")
    return root


def mined(folder: Path) -> Path:
    """A mined corpus of that history, whose clone lies beside it: two bugs, and a candidate that is none."""
    root = make_history(folder.with_name(folder.name + ".git"), (*STEPS, SECOND))
    with Repository(root) as repository:
        second, feature, mend = candidates(repository, repository.commits("HEAD", None, ""))
    folder.mkdir()
    source = Source(str(root), "lib", "https://example.org/lib.git", "MIT")
    (folder / SOURCE).write_text(json.dumps(to_plain(source)))
    failing = ("test_lib.py::test_half",), ("test_lib.py::test_thrice",)
    lines = (
        ExaminedCandidate(feature, reason="nothing fails"),
        ExaminedCandidate(mend, failing[0]),
        ExaminedCandidate(second, failing[1]),
    )
    (folder / COMMITS).write_text("".join(json.dumps(line.to_json()) + "\n" for line in lines))
    return folder


def git(root: Path, *words: str, date: str = "2024-01-01T12:00:00+0000") -> str:
    """Run git with an author of its own and no configuration of the user."""
    who = {f"GIT_{role}_{what}": value for role in ("AUTHOR", "COMMITTER") for what, value in _WHO}
    dates = {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
    env = {"PATH": os.environ["PATH"], "HOME": str(root), "GIT_CONFIG_NOSYSTEM": "1", **who, **dates}
    return subprocess.run(["git", "-C", str(root), *words], env=env, check=True, capture_output=True, text=True).stdout


_WHO = (("NAME", "A. Maintainer"), ("EMAIL", "a@example.org"))
