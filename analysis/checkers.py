"""What linters and type checkers say of one file, and which of it a change brought along.

Lines move when a function changes, so findings are told apart by what they say. One that was there before excuses all
that say the same. A name that some start-up code defines is undefined to a linter wherever it stands.
"""

from __future__ import annotations

import configparser
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass

_LINE = re.compile(
    r"""^\s*(?P<path>.+?):(?P<line>\d+):(?:\d+:?)?
        (?:\s*-)?\s*(?:(?P<kind>error|warning|note|information)\b:?\s*)?(?P<message>\S.*)$""",
    re.VERBOSE,
)

SETTINGS = ("mypy.ini", ".mypy.ini", "pyproject.toml", "setup.cfg", "pyrightconfig.json")
"""Files in which a project says that it uses a type checker."""


@dataclass(frozen=True, slots=True)
class Remark:
    """One finding of a tool in one file."""

    line: int
    message: str


def remarks_in(output: str, path: str) -> tuple[Remark, ...]:
    """The errors that the output names for that file; notes and warnings are none."""
    found = (_LINE.match(line) for line in output.splitlines())
    return tuple(
        Remark(int(each["line"]), each["message"].strip())
        for each in found
        if each is not None
        and (each["path"] == path or each["path"].endswith(f"/{path}"))
        and each["kind"] in (None, "error")
    )


def new_remarks(before: tuple[Remark, ...], after: tuple[Remark, ...]) -> tuple[Remark, ...]:
    """The remarks that are new."""
    known = {remark.message for remark in before}
    return tuple(remark for remark in after if remark.message not in known)


def type_checker(settings: Mapping[str, bytes]) -> str:
    """The module of the type checker that the files configure, ``""`` for none."""
    if "mypy.ini" in settings or ".mypy.ini" in settings or _section(settings.get("setup.cfg", b""), "mypy"):
        return "mypy"
    tools = _tools(settings.get("pyproject.toml", b""))
    if "mypy" in tools:
        return "mypy"
    return "pyright" if "pyright" in tools or "pyrightconfig.json" in settings else ""


def _tools(content: bytes) -> Mapping[str, object]:
    try:
        tools = tomllib.loads(content.decode("utf-8")).get("tool", {})
    except (tomllib.TOMLDecodeError, UnicodeDecodeError):
        return {}
    return tools if isinstance(tools, dict) else {}


def _section(content: bytes, name: str) -> bool:
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        parser.read_string(content.decode("utf-8"))
    except (configparser.Error, UnicodeDecodeError):
        return False
    return parser.has_section(name)
