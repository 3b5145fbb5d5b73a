"""pytest's options for an observed run: what the project asks for, less what would distort the observation.

The project's ``addopts`` are switched off as a whole and handed back option by option. Those that run in parallel,
randomize, rerun, measure, stop early, print or write are left out. Unknown ones are kept.
"""

from __future__ import annotations

import configparser
import os
import shlex
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from analysis.errors import TargetError
from analysis.facts import TestId

# Left out together with their value, which may be a word of its own.
_WITH_VALUE = """
    -n --numprocesses --maxprocesses --dist --tx --px
    --maxfail --durations --durations-min --tb --show-capture --verbosity --color --capture --code-highlight -r -c
    --config-file --rootdir --basetemp --lfnf --last-failed-no-failures --pdbcls --pastebin --splits --group
    --junitxml --junit-xml --junitprefix --junit-prefix --html --css --json-report-file --report-log --result-log
    --alluredir --log-file --log-file-mode --log-cli-level --durations-path --md --csv
    --cov-report --cov-config --cov-fail-under --cov-context
    --reruns --reruns-delay --only-rerun --rerun-except --count --repeat-scope
    --randomly-seed --random-order-bucket --random-order-seed
"""
# Left out, alone.
_ALONE = """
    -f --looponfail -d -x --exitfirst --lf --last-failed --ff --failed-first --nf --new-first --sw --stepwise --sw-skip
    --stepwise-skip --sw-reset --stepwise-reset --cache-clear --cache-show --co --collect-only --setup-plan --setup-only
    --setup-show --fixtures --funcargs --fixtures-per-test --markers --trace --pdb -s -q --quiet -v --verbose -l
    --showlocals --no-showlocals --no-header --no-summary --full-trace --debug --no-fold-skipped --xfail-tb
    --force-short-summary --self-contained-html --json-report --no-cov --reverse --flake-finder --store-durations
    --instafail --force-sugar --old-summary --testmon --profile --profile-svg --memray --cov
"""
# Left out, whatever follows the prefix.
_PREFIXES = ("--cov-", "--randomly", "--random-order", "--reruns", "--benchmark-", "--picked", "--flake-")
# Kept together with their value, so that it is not taken for a path.
_KEPT = """
    -k -m -W -o -p --pythonwarnings --override-ini --import-mode --ignore --ignore-glob --deselect --confcutdir
    --doctest-glob --doctest-report --doctest-encoding --asyncio-mode --ds --dc --timeout --timeout-method --log-level
    --log-format --log-date-format --assert --hypothesis-profile --hypothesis-seed
"""
_DROPPED_WITH_VALUE = frozenset(_WITH_VALUE.split())
_DROPPED = frozenset(_ALONE.split())
_KEPT_WITH_VALUE = frozenset(_KEPT.split())
_OWN_PLUGINS = frozenset(
    {"randomly", "random_order", "sugar", "reverse", "instafail", "cov", "xdist", "cacheprovider", "repair"}
)

FIXED = (
    *("-p", "no:randomly", "-p", "no:random_order", "-p", "no:sugar", "-p", "no:repair"),
    *("-q", "-rN", "--tb=native", "--show-capture=no"),
    *("--color=no", "--continue-on-collection-errors", "-o", "addopts="),
)
"""Always there. Our own plugin is no part of the target.

A module that cannot be collected is an observation like a failing test, and the others still run.
"""


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class TargetOptions:
    """What is kept of the project's and the user's options. ``paths`` count only where no test is named."""

    config: str = ""
    options: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()


def drop_covered(tests: Sequence[TestId]) -> tuple[TestId, ...]:
    """The tests without those whose file is named as well: pytest would run them twice."""
    files = {test for test in tests if "::" not in test}
    return tuple(test for test in tests if test in files or test.partition("::")[0] not in files)


def read_options(
    root: Path, *, extra: Sequence[str] = (), environment: str = "", pytest_version: tuple[int, ...] = (9,)
) -> TargetOptions:
    """The options of the project at ``root``, of ``PYTEST_ADDOPTS`` and of the user, in pytest's order."""
    config, addopts = _read_configuration(root, pytest_version)
    kept, paths = split_options([*addopts, *_words(environment, "PYTEST_ADDOPTS"), *extra])
    return TargetOptions(config, kept, paths)


def split_options(words: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Options that are kept, and positional arguments."""
    kept: list[str] = []
    paths: list[str] = []
    rest = iter(words)
    unknown = False  # an unknown option came just before: what follows may be its value
    for word in rest:
        if not word.startswith("-") or word == "-":
            (kept if unknown else paths).append(word)
            unknown = False
            continue
        unknown = _option(word, rest, kept)
    return tuple(kept), tuple(paths)


def _option(word: str, rest: Iterator[str], kept: list[str]) -> bool:
    """Deal with one option; whether a value of it may still follow."""
    name, equals, _ = word.partition("=")
    if name in _DROPPED_WITH_VALUE and not equals:
        next(rest, None)
        return False
    if name in _DROPPED_WITH_VALUE | _DROPPED or name.startswith(_PREFIXES) or _is_short_noise(word):
        return False
    value = next(rest, None) if name in _KEPT_WITH_VALUE and not equals else None
    if _is_own_plugin(word, value):
        return False
    kept.extend([word] if value is None else [word, value])
    return value is None and not equals and word.startswith("--")


def _is_short_noise(word: str) -> bool:
    """``-n4``, ``-rA``, ``-vv``, ``-xvs``: joined short options of which all are left out."""
    return not word.startswith("--") and (word[1] in "nrc" or set(word[1:]) <= set("xqvsldf"))


def _is_own_plugin(word: str, value: str | None) -> bool:
    """``-p`` with a plugin that we switch on or off ourselves."""
    if word.startswith("--") or not word.startswith("-p"):
        return False
    name = (value or "") if word == "-p" else word[2:]
    return name.removeprefix("no:").removeprefix("pytest_") in _OWN_PLUGINS


def _words(text: str, where: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError as problem:
        raise TargetError(f"pytest's options cannot be split into words: {problem}", where=where) from problem


def _read_configuration(root: Path, version: tuple[int, ...]) -> tuple[str, list[str]]:
    """The configuration file that pytest takes for ``root``, and its ``addopts``."""
    native = version >= (9,)
    if native:
        for name in ("pytest.toml", ".pytest.toml"):
            if (root / name).is_file():
                return name, _toml_addopts(_parsed(root / name, tomllib.loads).get("pytest", {}), name)
    for name in ("pytest.ini", ".pytest.ini"):
        if (root / name).is_file():
            return name, _words(_ini(root / name, "pytest") or "", name)
    if (root / "pyproject.toml").is_file():
        tool = _parsed(root / "pyproject.toml", tomllib.loads).get("tool", {})
        table = tool.get("pytest", {}) if isinstance(tool, dict) else {}
        if isinstance(table, dict) and ((native and table) or "ini_options" in table):
            return "pyproject.toml", _toml_addopts(table.get("ini_options", table), "pyproject.toml")
    for name, section in (("tox.ini", "pytest"), ("setup.cfg", "tool:pytest")):
        found = _ini(root / name, section) if (root / name).is_file() else None
        if found is not None:
            return name, _words(found, name)
    return "", []


def _parsed(path: Path, parse: Callable[[str], T]) -> T:
    try:
        return parse(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, configparser.Error, UnicodeDecodeError) as problem:
        raise TargetError(f"The project's configuration cannot be read: {problem}", where=path.name) from problem


def _toml_addopts(table: object, where: str) -> list[str]:
    found = table.get("addopts", "") if isinstance(table, dict) else ""
    return [str(word) for word in found] if isinstance(found, list) else _words(str(found), where)


def _ini(path: Path, section: str) -> str | None:
    """``addopts`` of the section, ``None`` where the file has no such section."""
    parser = configparser.RawConfigParser(strict=False, allow_no_value=True)
    _parsed(path, parser.read_string)
    if not parser.has_section(section):
        return None
    return parser.get(section, "addopts", fallback="") or ""


def pytest_arguments(options: TargetOptions, root: str, cache: str, tests: Sequence[str]) -> tuple[str, ...]:
    """All arguments of one run in the copy at ``root``; the cache goes to ``cache``, outside the copy."""
    config = ("-c", os.path.join(root, options.config)) if options.config else ()
    fixed = (*FIXED, "-o", f"cache_dir={cache}", f"--rootdir={root}", *config)
    return (*options.options, *fixed, *(tests or options.paths))
