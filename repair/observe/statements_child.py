"""The child that reads sources and settings of coverage.py for ``statements.py``, and may die of them.

Its folder holds the settings alone. It answers line by line: what the settings say, then each source, as JSON.
"""

from __future__ import annotations

import base64
import json
import posixpath
import resource
import sys
from collections.abc import Sequence
from typing import Any

from coverage import Coverage
from coverage.exceptions import CoverageException
from coverage.files import GlobMatcher, abs_file, prep_patterns
from coverage.parser import PythonParser
from coverage.phystokens import source_encoding

from analysis.public_names import module_name

_MEMORY = 2 << 30
_MOST_SPANS = 200_000


def _main() -> None:
    """The child: what the settings say on the first line, then a line for each source, written one by one."""
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    paths, sources, ran = json.load(sys.stdin)
    said: list[str] = []
    try:
        measured = Coverage(data_file=None, config_file=True)
    except CoverageException as problem:
        said.append(f"the project's coverage settings were not used: {problem}")
        measured = Coverage(data_file=None, config_file=False)
    plugins = list(measured.get_option("run:plugins") or ())  # type: ignore[arg-type]
    if plugins:
        said.append(f"plugins of coverage.py are never loaded: {', '.join(map(str, plugins))}"[:200])
    omitted, more = _omitted(paths, measured)
    settings = posixpath.basename(str(measured.config.config_file or ""))
    branch = measured.get_option("run:branch") is True
    _tell({"settings": settings, "omitted": omitted, "said": [*said, *more], "branch": branch})
    exclude = _joined(_listed(measured, "report:exclude_lines"))
    partial = [*_listed(measured, "report:partial_branches"), *measured.config.partial_always_list]
    for source, arcs in zip(sources, ran, strict=True):
        _tell(examine(base64.b64decode(source), exclude, _joined(partial), arcs if branch else None))


def _tell(values: Any) -> None:
    sys.stdout.write(json.dumps(values) + "\n")
    sys.stdout.flush()


def _joined(patterns: Sequence[str]) -> str:
    return "|".join(f"(?:{each})" for each in patterns)


def examine(
    source: bytes, exclude: str, partial: str = "", arcs: Sequence[Sequence[int]] | None = None
) -> list[Any] | str:
    """Spans of statements, excluded lines and branches of one source, as JSON values; or why there are none.

    A branch has its two lines, and whether it is among the ``arcs`` that ran. Minus the first line of a function is the
    way out of it. Without arcs no branches are told; lines that match ``partial`` have none.
    """

    plain = source.replace(b"\r\n", b"\n").replace(b"\r", b"\n").replace(b"\f", b" ")
    try:
        text = plain.decode(source_encoding(plain), "replace")
        if not text.strip():
            return [[], [], []]
        parser = PythonParser(text=text if text.endswith("\n") else text + "\n", filename="<file>", exclude=exclude)
        parser.parse_source()
        lasts: dict[int, int] = {}
        for line, first in parser.multiline_map.items():
            lasts[first] = max(line, lasts.get(first, first))
        spans = [[line, lasts.get(line, line)] for line in sorted(parser.statements)]
        branches = [] if arcs is None else _branches(parser, partial, arcs)
        excluded = {line for first in parser.excluded for line in range(first, lasts.get(first, first) + 1)}
    except (CoverageException, SyntaxError, LookupError, UnicodeError, ValueError) as problem:
        return f"coverage's parser refuses it: {problem}"[:300]
    except RecursionError:
        return "it is nested too deeply"
    except MemoryError:
        return "it takes too much memory to parse"
    return [spans[:_MOST_SPANS], sorted(excluded), branches[:_MOST_SPANS]]


def _branches(parser: PythonParser, partial: str, arcs: Sequence[Sequence[int]]) -> list[tuple[int, int, bool]]:
    """As coverage.py counts them: each way out of a line that has several, and whether it was taken."""
    ways = parser.exit_counts()
    taken = parser.translate_arcs((start, end) for start, end in arcs)
    plain = parser.lines_matching(partial) if partial else set()
    possible = (arc for arc in parser.arcs() if ways.get(arc[0], 0) > 1 and arc[0] not in plain)
    return [(*arc, arc in taken) for arc in sorted(possible) if arc[1] not in parser.excluded]


def _omitted(paths: Sequence[str], measured: Coverage) -> tuple[list[str], list[str]]:
    """The files that the settings leave out, and what of these is not used."""

    def matches(option: str) -> set[str]:
        matcher = GlobMatcher(prep_patterns(_listed(measured, option)))
        return {path for path in paths if matcher.match(abs_file(path))}

    left_out = matches("run:omit") | matches("report:omit")
    said = []
    places = [*_listed(measured, "run:source"), *_listed(measured, "run:source_dirs")]
    packages = [*_listed(measured, "run:source_pkgs"), *places]
    if places or packages:
        within = {path for path in paths if any(_lies_in(path, place) for place in places)}
        within |= {path for path in paths if any(_belongs_to(path, package) for package in packages)}
        if within:
            left_out |= {*paths} - within
        else:
            said.append(f"source of the coverage settings names no file of the program: {', '.join(packages)}"[:200])
    elif _listed(measured, "run:include"):
        left_out |= {*paths} - matches("run:include")
    if _listed(measured, "report:include"):
        left_out |= {*paths} - matches("report:include")
    return sorted(left_out), said


def _listed(measured: Coverage, option: str) -> list[str]:
    value = measured.get_option(option)
    return [str(each) for each in value] if isinstance(value, list) else []


def _lies_in(path: str, place: str) -> bool:
    folder = posixpath.normpath(place)
    return folder == "." or path == folder or path.startswith(f"{folder}/")


def _belongs_to(path: str, package: str) -> bool:
    return f"{module_name(path)}.".startswith(f"{package}.")


if __name__ == "__main__":
    _main()
