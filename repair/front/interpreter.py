"""Which interpreter runs the tests, and whether it may: a project's files are its author's, who may be a stranger."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from analysis.errors import TargetError, UsageError
from repair.records.config import Options
from repair.store.git import list_tracked, work_tree
from sandbox.installation import environment_folder, starts_code_in
from sandbox.interpreter import find_python, lies_within
from sandbox.visible_paths import is_within

_NAME_IT = "If you trust it, name it yourself: --python {}; else name another interpreter."


@dataclass(frozen=True, slots=True)
class Chosen:
    """``foreign`` where the project had a say in it: it is asked behind walls, and not all that it says is believed."""

    python: str
    foreign: bool


def choose_python(options: Options, env: Mapping[str, str], *, walled: bool) -> Chosen:
    """The target's interpreter. Nothing is run to find it, but git.

    Raises ``UsageError`` where the project's file names a program of the project. Raises ``TargetError`` where the
    project brings the environment along, or where the file's choice would run without walls. What the user names is
    taken.
    """
    top = work_tree(options.root)
    by_file, named = "python" in options.from_file, options.python
    if by_file and os.sep in named:
        named = os.path.join(options.root, named)  # a path in the file starts at the root
    python = find_python(options.root, named, env)
    inside, name_it = lies_within(python, top), _NAME_IT.format(python)
    if named and not by_file:
        return Chosen(python, inside or starts_code_in(python, top))
    if inside:
        _refuse_shipped(python, top, by_file=by_file, walled=walled)
    if by_file and not walled and python != find_python(options.root, "", env):
        raise TargetError(
            "The interpreter that the project names is not run without isolation", where=python, remedy=name_it
        )
    return Chosen(python, inside or by_file or starts_code_in(python, top))


def _refuse_shipped(python: str, top: str, *, by_file: bool, walled: bool) -> None:
    """Raise where the interpreter came with the project, as far as can be told."""
    folder, name_it = environment_folder(python), _NAME_IT.format(python)
    if by_file and not folder:
        raise UsageError(
            "The project's file names a program of the project as its interpreter", where=python, remedy=name_it
        )
    found = list_tracked(top, tuple(dict.fromkeys(_places(folder or python, python, top))))
    if found:
        raise TargetError(
            f"The project brings its own environment: git tracks {found[0]}", where=python, remedy=name_it
        )
    if found is None and not walled:
        raise TargetError(
            "git does not say whether the project brings its own environment, and there is no isolation",
            where=python,
            remedy=name_it,
        )


def _places(folder: str, python: str, top: str) -> Iterator[str]:
    """The environment and the program by all names that they have below the top; links on the way to them too."""
    for path in (folder, python):
        real = os.path.realpath(path)
        if is_within(real, top):
            yield os.path.relpath(real, top)
        for step in (Path(path), *Path(path).parents):
            place = os.path.join(os.path.realpath(step.parent), step.name)
            if step.is_symlink() and is_within(place, top):
                yield os.path.relpath(place, top)
