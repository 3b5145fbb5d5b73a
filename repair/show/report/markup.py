"""How texts come into a page: through one guard, into jinja templates that hold all markup.

What a reader could not see is spelled out, what is too long is cut with a note, and jinja escapes the rest.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from repair.records.result import Status
from repair.records.tests_report import TestsStatus
from repair.show.help_words import explain_word
from repair.show.lines import OTHERS, risk_in_words, shorten
from repair.show.patch_lines import WHO
from repair.show.terminal import make_visible

TEMPLATES = Path(__file__).parent / "templates"

FIRST_LINE = "<!doctype html><!-- repair report -->"
"""How a page of ours begins."""

MOST_BYTES = 2_000_000
MOST_OF_TEXT = (12_000, 2_000, 200)
"""Characters of one text that are shown: fewer where the page would be larger than ``MOST_BYTES``."""

MOST_LISTED = 40
"""Entries of a list that are shown; how many are left out is said."""

TONES = {
    Status.CERTIFIED: "good",
    TestsStatus.CLEAN: "good",
    Status.PLAUSIBLE: "doubt",
    Status.OUT_OF_SCOPE: "doubt",
    Status.DIAGNOSED: "plain",
    Status.UNCHANGED: "plain",
    Status.NOTHING_FAILS: "plain",
    Status.NOT_REPRODUCED: "plain",
}
"""The colour of a word; all others are ``bad``."""

DECISIONS = {"accept": ("yes", "good"), "reject": ("no", "bad"), "unknown": ("unknown", "doubt")}


def make_within_bounds(make: Callable[[int], str]) -> str:
    """The page that ``make`` writes with texts of so many characters, shorter ones where it would be too large."""
    page = ""
    for most in MOST_OF_TEXT:
        page = make(most)
        if len(page.encode()) <= MOST_BYTES:
            break
    return page


def render(template: str, most: int, **values: Any) -> str:
    """The template with these values; texts longer than ``most`` are cut."""
    return _environment(most).get_template(template).render(**values)


@functools.cache
def _environment(most: int) -> Environment:
    """The templates, with what they may use; texts longer than ``most`` are cut."""
    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_Shown(most).finalize,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["tone"] = lambda status: TONES.get(status, "bad")
    made.filters["word"] = lambda decision: DECISIONS.get(decision, (decision, "doubt"))
    made.filters["meaning"] = explain_word  # of one of the kinds that it is given
    made.filters["brief"] = shorten
    made.filters["in_words"] = risk_in_words
    made.filters["listed"] = lambda each: tuple(each)[:MOST_LISTED]
    made.filters["left"] = lambda each: max(0, len(each) - MOST_LISTED)
    made.globals["who"] = WHO
    made.globals["others"] = OTHERS
    made.globals["first_line"] = Markup(FIRST_LINE)
    made.globals["css"] = Markup((TEMPLATES / "report.css").read_text("utf-8"))
    return made


class _Shown:
    """The one way of texts into the page."""

    def __init__(self, most: int) -> None:
        self._most = most

    def finalize(self, value: Any) -> Any:
        """The value as a text that can be seen, cut where it is too long; markup of the templates stays as it is."""
        return value if isinstance(value, Markup) else make_visible(self.cut(str(value)))

    def cut(self, text: str) -> str:
        """The text as far as it is shown, with a note of what is left out."""
        left = len(text) - self._most
        return text if left <= 0 else f"{text[: self._most]} … [{left} more characters stand in the record]"


def embed(values: Mapping[str, Any], least: Mapping[str, Any]) -> Markup:
    """Values as JSON that may stand in a ``script``: none of ``<``, ``>`` and ``&`` is in it.

    Where it is too large, texts are cut as in the page. Where that does not help, it holds the ``least``.
    """
    text = json.dumps(values)
    if MOST_BYTES // 3 < len(text) < 20 * MOST_BYTES:
        text = next(filter(_fits, (json.dumps(_cut(values, most)) for most in MOST_OF_TEXT)), text)
    if not _fits(text):
        text = json.dumps(least)
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)


def _fits(text: str) -> bool:
    return len(text) <= MOST_BYTES // 3


def _cut(value: Any, most: int) -> Any:
    """JSON values with their texts cut."""
    if isinstance(value, str):
        return _Shown(most).cut(value)
    if isinstance(value, Mapping):
        return {name: _cut(each, most) for name, each in value.items()}
    return [_cut(each, most) for each in value] if isinstance(value, Sequence) else value
