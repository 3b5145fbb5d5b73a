"""Texts to show, without what is random in the paths of one run.

A path that a test makes up lies in another folder each time. What is shown names that folder by a word, so that one and
the same input has one text.
"""

from __future__ import annotations

import os
import re
import tempfile

from _repair_probe.ground.words import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from _repair_probe.ground.words import Send

TMP, HOME, PROJECT = "<tmp>", "<home>", "<project>"
_FORKS = "(?:/fork-[a-z0-9_]{8})*"
_OF_TEST = r"(?:/pytest-of-[^/]+/pytest-[0-9]+|/pytest)/([^/'\"]*?)([0-9]+)"
_END = r"(?![\w.-])"
_RANDOM = re.compile(r"(?<=/)(tmp|like-)([a-z0-9_]{8})(?![a-z0-9_])")


class Legible:
    """Puts words for the folders of a run: the copy of the project, the home, and the temporary one.

    What is random below the last is numbered in the order in which it is seen. So are the folders that pytest gives to
    tests: they are numbered on from run to run.
    """

    def __init__(self, root: str) -> None:
        temporary = re.escape(re.sub(_FORKS + "$", "", tempfile.gettempdir())) + _FORKS
        self._test_folder = re.compile(temporary + _OF_TEST + _END)
        named = [(re.escape(root), PROJECT), (temporary, TMP), (re.escape(os.path.expanduser("~")), HOME)]
        self._words = [(re.compile(folder + _END), word) for folder, word in named]
        self._seen: dict[str, dict[str, int]] = {}

    def __call__(self, text: str) -> str:
        """The text with these words."""
        text = self._test_folder.sub(lambda found: "%s/%s" % (TMP, self._numbered(found, 0)), text)
        for pattern, word in self._words:
            text = pattern.sub(word, text)
        return _RANDOM.sub(lambda found: self._numbered(found, 1), text) if TMP in text else text

    def _numbered(self, found: re.Match[str], first: int) -> str:
        """The first part of what was found, and a number for the second."""
        names = self._seen.setdefault(found.group(1), {})
        return "%s%d" % (found.group(1), names.setdefault(found.group(2), len(names) + first))

    def wrap_send(self, send: Send) -> Send:
        """A ``send`` that makes the texts of its fields legible, and leaves values in lists alone: they are used."""

        def sent(**fields: Any) -> None:
            send(**{name: self(value) if type(value) is str else value for name, value in fields.items()})

        return sent
