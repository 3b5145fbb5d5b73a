"""How the help of a command ends: with examples, and with what its exit statuses mean."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import click


def command(
    short_help: str, codes: str, *examples: str, more: str = "", name: str | None = None
) -> Callable[[Callable[..., Any]], click.Command]:
    """A command whose help ends with these examples, perhaps more on its subject, and its exit statuses."""
    shown = "\n".join(("\b\nExamples:", *(f"  {example}" for example in examples)))
    return click.command(name, short_help=short_help, epilog="\n\n".join(filter(None, (shown, more, codes))))


_USUAL = {
    2: "usage or configuration",
    3: "the target cannot be tested",
    70: "a defect of repair",
    130: "interrupted (143 by SIGTERM)",
}


def _list_codes(own: Mapping[int, str]) -> str:
    """The usual statuses and a command's own, which come first where both say something."""
    lines = [f"  {code:<4} {meaning}\n" for code, meaning in sorted({**_USUAL, **own}.items()) if meaning]
    return f"\b\nExit codes:\n{''.join(lines)}"


_OF_JUDGING = {
    0: "accepted: certified (or plausible with --accept plausible)",
    1: "ran, nothing accepted",
    4: "model backend",
    5: "nothing fails",
}
JUDGING_EXIT_CODES = _list_codes(_OF_JUDGING)

EXPLAIN_EXIT_CODES = _list_codes(
    {**_OF_JUDGING, 0: "diagnosed", 1: "ran, and no function can be at fault: the answer says why"}
)

PLAIN_EXIT_CODES = _list_codes(
    {
        0: "done",
        1: "refused: a file is no longer what the run read",
        2: "usage or configuration, or no such run",
        3: "the project cannot be read or written",
    }
)

TESTS_EXIT_CODES = _list_codes({0: "no finding that counts", 1: "findings that count"})

GROW_EXIT_CODES = _list_codes({0: "tests were grown", 1: "no test was grown, or a fact contradicts the program"})

HEAL_EXIT_CODES = _list_codes({0: "each test is fine, or healed", 1: "a test is not: the answer says why"})

SCAN_EXIT_CODES = _list_codes({0: "facts were read", 1: "nothing is stated"})

SPEC_EXIT_CODES = _list_codes(
    {0: "nothing is open but gaps", 1: "a contradiction, a drift or stale words that nobody has answered"}
)

MAKE_EXIT_CODES = _list_codes(
    {
        0: "all required tests pass, and there are some",
        1: "a required test fails, none is required, or nothing was made",
        4: "model backend",
    }
)

TRACE_EXIT_CODES = _list_codes({0: "each requirement has a proved link", 1: "a requirement has none"})

DOCTOR_EXIT_CODES = _list_codes(
    {0: "the main job can run here", 3: "the main job cannot run here: the answer says what is missing", 130: ""}
)
