"""Lines of text for people: what each is made of, and how they become one text."""

from __future__ import annotations

import ast
import io
import math
import re
import shlex
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TextIO

from rich.console import Console
from rich.text import Text

from repair.records.change import PROGRAM
from repair.records.result import STILL_FAILING, Result, RiskView, Status
from repair.records.wording import count_noun
from repair.show.terminal import make_visible

STYLES = {
    Status.CERTIFIED: "bold green",
    Status.DIAGNOSED: "bold",
    Status.UNCHANGED: "bold",
    Status.PLAUSIBLE: "bold yellow",
    Status.OUT_OF_SCOPE: "bold yellow",
}
DECISIONS = {"accept": ("yes", "green"), "reject": ("no", "red"), "unknown": ("unknown", "yellow")}

HEADLINES = {
    Status.CERTIFIED: "The failing tests pass, nothing else broke, and every gate accepts.",
    Status.PLAUSIBLE: "The failing tests pass and nothing else broke, but a doubt is left.",
    Status.REJECTED: "A gate said no.",
    Status.UNREPAIRED: "No plausible patch was found.",
    Status.OUT_OF_SCOPE: "The fault cannot lie in one function.",
    Status.NOT_REPRODUCED: "The tests pass here: there is nothing to mend.",
    Status.FLAKY: "The tests do not give the same outcome twice.",
    Status.ENVIRONMENT: "The tests cannot be run here.",
    Status.TEST_DEFECT: "The test itself is at fault.",
    Status.UNPARSEABLE: "A file cannot be parsed, so there is nothing to patch.",
    Status.NOTHING_FAILS: "No test fails.",
    Status.UNCHANGED: "There is no change to judge, and no test was run.",
    Status.DIAGNOSED: "What fails, why, and where a fix may go.",
    Status.FOREIGN: "Your repair did not record this run: nothing that it says is known to be true.",
}

MOST_SHOWN = 140
"""Characters of a call, or of what it gives, in a list of what changes."""

OTHERS = "Checks of third parties, which weigh nothing"
"""Stands over what they say."""

MOST_STATE = 4_000
"""Characters of an instance that are taken apart."""

Line = Text | str


def clean(values: Any) -> Any:
    """JSON values whose texts may be shown on a terminal."""
    if isinstance(values, str):
        return make_visible(values.replace("\r\n", "\n"))
    if isinstance(values, dict):
        return {name: clean(value) for name, value in values.items()}
    return [clean(value) for value in values] if isinstance(values, list) else values


def plain_console(stream: TextIO, width: int, *, colour: bool, terminal: bool) -> Console:
    """A console that takes texts as they are: nothing in them is read as markup."""
    return Console(
        file=stream,
        width=width,
        color_system="standard" if colour else None,
        force_terminal=terminal,
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
    )


def print_lines(lines: Iterable[Line], *, colour: bool, width: int) -> str:
    """The lines as one text. A wrapped line of a diff could not be copied, so nothing is wrapped."""
    stream = io.StringIO()
    console = plain_console(stream, width, colour=colour, terminal=colour)
    for line in lines:
        console.print(line if isinstance(line, Text) else Text(line), soft_wrap=True)
    return stream.getvalue()


def shorten(text: str, most: int = MOST_SHOWN) -> str:
    """The text as far as it fits into a list, cut behind a word, a comma or a bracket where one is near."""
    if len(text) <= most:
        return text
    ends = [found.end() for found in _BOUNDARY.finditer(text[:most])]
    end = ends[-1] if ends and ends[-1] > most // 2 else most
    return f"{text[:end].rstrip()}…"


_BOUNDARY = re.compile(r"[\s,;]+|[)\]}]+")


def brief_call(call: str, most: int, diff: str, others: Sequence[str] = ()) -> str:
    """The call as far as it fits; of a long instance those attributes stay that tell something.

    These are the ones that the ``diff`` names, and those that are not the same in the ``others``. Example: of a change
    that reads ``self._rows``, ``draw() on Table(_rows=[], …)``.
    """
    head, _, state = call.partition(" on ")
    named = _attributes(state)
    if len(call) <= most or not named:
        return shorten(call, most)
    beside = [_attributes(other.partition(" on ")[2]) for other in others]
    words = frozenset(re.findall(r"\w+", diff))
    telling = {name for name, value in named.items() if any(each.get(name, value) != value for each in beside)}
    kept = [f"{name}={value}" for name, value in named.items() if name in words | telling]
    shown = ", ".join((*kept, *(["…"] if len(kept) < len(named) else [])))
    return shorten(f"{head} on {state.partition('(')[0]}({shown})", most)


def _attributes(state: str) -> dict[str, str]:
    """The attributes of ``Table(_rows=[], _width=80)`` as text; none of what is no such text."""
    if not state or len(state) > MOST_STATE:
        return {}
    try:
        made = ast.parse(state, mode="eval").body
        if not isinstance(made, ast.Call) or made.args:
            return {}
        return {each.arg: ast.unparse(each.value) for each in made.keywords if each.arg is not None}
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}


def shorten_both(one: str, other: str, most: int) -> tuple[str, str]:
    """Two texts as far as they fit, cut so that it is seen where they differ: ``…aab`` and ``…aac``."""
    alike = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    if max(len(one), len(other)) <= most or one[:most] != other[:most]:
        return _cut(one, most), _cut(other, most)
    start = max(0, alike - most // 2)
    return f"…{_cut(one[start:], most - 1)}", f"…{_cut(other[start:], most - 1)}"


def _cut(text: str, most: int) -> str:
    """The text up to that very letter: what follows a boundary may be all that differs."""
    return text if len(text) <= most else f"{text[:most]}…"


def rated_like(risk: RiskView) -> str:
    """What was counted: ``at most 19 of 100 rated like it were wrong, by 64 judged ones``; ``""`` where nothing was."""
    if not risk.like:
        return ""
    return f"at most {math.ceil(100 * risk.like_upper)} of 100 rated like it were wrong, by {risk.like} judged ones"


def counted_unseen(risk: RiskView) -> str:
    """``8 of 36 certificates for programs that no rule knew were wrong``; ``""`` where that says nothing of it."""
    if not risk.unseen:
        return ""
    return f"{risk.unseen_wrong} of {risk.unseen} certificates for programs that no rule knew were wrong"


def risk_in_words(risk: RiskView) -> str:
    """What the number means, on how many patches it rests, and what it cannot say."""
    number, limit = (f"{100 * each:.1f} %" for each in (risk.value, risk.limit))
    rests = f"{count_noun(risk.patches, 'patch', 'patches')} of {count_noun(risk.projects, 'project')}"
    counted = f" Counted is this: {rated_like(risk)}, where one patch in five is." if risk.like else ""
    new = f" {counted_unseen(risk)}." if risk.unseen else ""
    return (
        f"Risk {number}: what all doubts and measures come to, as the chance that the patch is not what was meant. "
        f"It rests on {rests} that were known to be right or wrong.{counted} A certificate takes {limit} at most.{new} "
        "Which patches are the wrong ones the number cannot say: the calls that change and the question can."
    )


def headline(result: Result) -> str:
    """What a run came to, in one sentence."""
    if result.status is Status.REJECTED and not result.patches:
        broken = any(finding.kind in PROGRAM for finding in result.findings)
        return "A test that passed fails with it." if broken else "There is no fix to judge."
    if result.status is Status.ENVIRONMENT and result.patches:
        return "The patch could not be written."
    if result.status is Status.OUT_OF_SCOPE and result.findings:
        return "There is no changed function to judge."
    if result.status is Status.UNREPAIRED and not result.counts.candidates:
        return "Nothing could be shown in the time that there was."
    if result.status is Status.UNREPAIRED and result.counts.plausible and not result.patches:
        return "Nothing that passes the failing tests was judged in the time that there was."
    if result.status is Status.PLAUSIBLE and any(finding.kind == STILL_FAILING for finding in result.findings):
        mended = "Some failing tests are mended" if result.failures else "No failing test is mended"
        return f"{mended}, and tests that run what it changes fail still."
    if result.status is Status.PLAUSIBLE and not result.failures:
        return "Nothing broke, and no failing test asked for it."
    return HEADLINES.get(result.status, "")


def diff_lines(diff: str) -> Iterator[Line]:
    """A unified diff, coloured."""
    styles = {"+": "green", "-": "red", "@": "cyan"}
    for line in diff.removesuffix("\n").split("\n") if diff else []:
        bold = line.startswith(("+++", "---"))
        yield Text(line, "bold" if bold else styles.get(line[:1], ""))


def list_lines(heading: str, entries: Iterable[str]) -> Iterator[Line]:
    """A heading with its list; nothing where the list is empty."""
    found = list(entries)
    if found:
        yield from ("", Text(heading, "bold"))
        yield from (f"  - {entry}" for entry in found)


def place(file: str, line: int) -> str:
    """What a line about a file begins with: ``a.py:3: ``."""
    return f"{file}:{line}: " if file and line else f"{file}: " if file else ""


def wrap(text: str, width: int, first: str = "  ", rest: str = "  ", most: int = 0) -> list[str]:
    """The text in lines of that width, ``most`` of them at most: what does not fit ends in ``…``."""
    return textwrap.wrap(
        " ".join(text.split()),
        max(width, 20),
        initial_indent=first,
        subsequent_indent=rest,
        max_lines=most or None,
        placeholder=" …",
        break_on_hyphens=False,
    )


def quote(text: str) -> str:
    """The text as one word of a shell, in double quotes where it has single ones: ``"f('a') == 1"``."""
    plain = "'" in text and not re.search(r'["$`\\!\n]', text)
    return f'"{text}"' if plain else shlex.quote(text)
