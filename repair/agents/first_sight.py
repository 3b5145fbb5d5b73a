"""What an agent has changed: the difference between its first sight of a project and now.

At the start of a session its tree is remembered: the commit, and of the files that differ from it what they held. So
what a person had not committed by then is never taken for the agent's work. Where no start was told of, the last
commit is the first sight. Kept is the text of Python files alone; of another file that differed, its digest.
"""

from __future__ import annotations

import base64
import contextlib
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from analysis.errors import UsageError
from repair.records.change import Change
from repair.store.atomic import replace_file, sha256
from repair.store.git import commit_named, content_of, differences_since

MOST_BYTES = 16 << 20
"""Of the texts that are remembered of one session."""

DAYS_KEPT = 14
"""A session that was not heard of for so long is forgotten."""


@dataclass(frozen=True, slots=True)
class FirstSight:
    """The tree as a session found it: the commit, and each file that differed from it.

    ``texts`` has what those files held, ``None`` for one that was gone. ``digests`` has those of the other files.
    ``turns`` counts how often this session was told to go on.
    """

    commit: str
    texts: Mapping[str, bytes | None]
    digests: Mapping[str, str]
    turns: int = 0

    def to_json(self) -> dict[str, Any]:
        """As JSON values."""
        texts = {path: None if text is None else base64.b64encode(text).decode() for path, text in self.texts.items()}
        return {"commit": self.commit, "texts": texts, "digests": dict(self.digests), "turns": self.turns}

    @classmethod
    def from_json(cls, values: Any) -> FirstSight:
        """What the JSON values describe; raises ``ValueError`` where they describe none."""
        try:
            texts = {
                str(path): None if text is None else base64.b64decode(text) for path, text in values["texts"].items()
            }
            digests = {str(path): str(digest) for path, digest in values["digests"].items()}
            return cls(str(values["commit"]), texts, digests, int(values["turns"]))
        except (KeyError, TypeError, AttributeError) as problem:
            raise ValueError(f"no first sight: {problem}") from problem


def see(root: Path) -> FirstSight:
    """The tree as it is now; raises ``UsageError`` where git keeps none, or where it has no commit."""
    change = differences_since(root, "HEAD")
    before, after = dict(change.before), dict(change.after)
    texts: dict[str, bytes | None] = {}
    digests: dict[str, str] = {}
    left = MOST_BYTES
    for path in sorted({*before, *after}):
        content = after.get(path)
        if path.endswith(".py") and len(content or b"") <= left:
            texts[path] = content
            left -= len(content or b"")
        else:
            digests[path] = sha256(content) if content is not None else ""
    return FirstSight(commit_named(root, "HEAD"), texts, digests)


def change_of_session(root: Path, sight: FirstSight) -> Change:
    """Every file that is not as the session found it. Raises ``UsageError`` where git cannot say."""
    try:
        change = differences_since(root, sight.commit)
    except UsageError:  # a commit that was taken back, and is gone
        change = differences_since(root, "HEAD")
    before, after = dict(change.before), dict(change.after)
    for path, text in sight.texts.items():
        try:
            now = content_of(root / path)
        except OSError:  # it cannot be read, so nothing is known of it
            text = now = None
        _keep(before, path, text)
        _keep(after, path, now)
    for path, digest in sight.digests.items():
        if (sha256(after[path]) if path in after else "") == digest:
            _keep(before, path, None)
            _keep(after, path, None)
    for path in [path for path in before if before[path] == after.get(path)]:
        del before[path], after[path]
    return Change(tuple(sorted(before.items())), tuple(sorted(after.items())))


def load_sight(folder: Path, session: str) -> FirstSight | None:
    """What the session saw first; ``None`` where nobody told of its start, or where that cannot be read."""
    with contextlib.suppress(OSError, ValueError):
        return FirstSight.from_json(json.loads(_file_of(folder, session).read_bytes()))
    return None


def save_sight(folder: Path, session: str, sight: FirstSight) -> None:
    """Remember it, and forget sessions that are long over."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    replace_file(_file_of(folder, session), json.dumps(sight.to_json()).encode())
    oldest = time.time() - DAYS_KEPT * 86_400
    for path in folder.glob("session-*.json"):
        with contextlib.suppress(OSError):  # another hook deletes it, too
            if path.stat().st_mtime < oldest:
                path.unlink()


def count_turn(folder: Path, session: str, sight: FirstSight) -> None:
    """The session was told to go on once more."""
    save_sight(folder, session, replace(sight, turns=sight.turns + 1))


def _file_of(folder: Path, session: str) -> Path:
    return folder / f"session-{sha256(session.encode('utf-8', 'surrogatepass'))[:24]}.json"


def _keep(files: dict[str, bytes], path: str, content: bytes | None) -> None:
    """That file with that content, or none."""
    files.pop(path, None)
    if content is not None:
        files[path] = content
