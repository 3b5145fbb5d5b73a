"""BugsInPy: bugs of real projects by commit, over local clones of the projects.

The layout is that of https://github.com/soarsmu/BugsInPy::

    projects/NAME/project.info                github_url
    projects/NAME/bugs/N/bug.info             buggy and fixed commit, test files, Python's version
    projects/NAME/bugs/N/run_test.sh          the failing tests, for pytest, unittest or tox
    projects/NAME/bugs/N/requirements.txt     pins; optional
    projects/NAME/bugs/N/setup.sh             optional; nothing but its ``touch`` is done
    projects/NAME/bugs/N/bug_patch.txt        held out

A tree is the buggy commit with the test files of the fixed one, as BugsInPy's own checkout makes it. It also has what
else the fix changed in test folders: data that its tests read. Options: ``projects=black,thefuck``, ``bugs=1-5,8``,
``clones=FOLDER`` (default: ``clones`` beside the checkout), ``python=3.8``.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from analysis.diagnosis import is_test_path
from analysis.errors import TargetError, UsageError
from analysis.facts import Files
from corpora.bug import Bug, Environment, Oracle, Provenance, SetAside
from corpora.loaders.clone import files_at, needed_clone, needed_day, text_of, touched_files
from corpora.loaders.layout import Layout, single_fault
from corpora.loaders.old_python import PLUGIN, SHIMS, pins, plugin
from corpora.mining.repository import Repository
from sandbox.workspace import overlay

SOURCE = "https://github.com/soarsmu/BugsInPy"
LAYOUT = Layout(
    "BugsInPy",
    "a folder with projects/NAME/bugs/N/bug.info",
    f"git clone --depth 1 {SOURCE}, and clones of its projects",
)
OPTIONS = ("projects", "bugs", "clones", "python")
SOURCES = ("src", "lib")


@dataclass(frozen=True, slots=True)
class Info:
    """What the files of one bug say. ``tests`` are the arguments of the runner as they stand, ``setup`` is not run."""

    buggy: str
    fixed: str
    files: tuple[str, ...]
    runner: str
    tests: tuple[str, ...]
    paths: tuple[str, ...]
    touched: tuple[str, ...]
    setup: tuple[str, ...]


class BugsInPy:
    """A checkout of BugsInPy, as far as the options choose from it."""

    def __init__(self, folder: Path, options: Mapping[str, str]) -> None:
        query = "&".join(f"{key}={value}" for key, value in options.items())
        self.name = f"bugsinpy:{folder}?{query}" if query else f"bugsinpy:{folder}"
        self._projects = folder / "projects"
        self._clones = Path(options.get("clones", folder.absolute().parent / "clones"))
        self._python = options.get("python", "")
        if not any(self._projects.glob("*/bugs/*/bug.info")):
            raise LAYOUT.refusal("it has no projects/NAME/bugs/N/bug.info", folder)
        chosen = self._chosen(options.get("projects", ""), numbers(options.get("bugs", "")))
        self._places = {f"{place.parent.parent.name}-{place.name}": place for place in chosen}

    def bugs(self) -> Iterator[Bug | SetAside]:
        """The chosen bugs by project and number; what cannot be had from files or clones is set aside."""
        for id, place in self._places.items():
            try:
                with self._clone(place) as clone:
                    yield self._bug(id, place, clone)
            except (TargetError, OSError) as problem:
                yield SetAside(id, str(problem))

    def write_tree(self, bug: Bug, root: Path) -> None:
        """The buggy commit with the fixed one's test files, and the plugin for newer Pythons."""
        place = self._places[bug.id]
        info = read_info(place)
        with self._clone(place) as clone:
            clone.write_tree(info.buggy, root.absolute())
            # What else lies in test folders and came with the fix: its tests may fail for want of such data.
            same = [commit for commit in clone.commits(info.fixed, 1, "") if commit.id == info.fixed]
            support = [file.path for commit in same for file in commit.files if is_test_path(file.path)]
            for path, text in (*files_at(clone, info.fixed, support), *_tests(clone, info)):
                overlay(root, path, text)
        for path in info.touched:
            if not (root / path).exists():
                overlay(root, path, b"")
        overlay(root, f"{PLUGIN}.py", plugin((*SOURCES, *info.paths)))

    def oracle(self, bug: Bug) -> Oracle:
        """The program's files that the patch names, as the fixed commit has them."""
        place = self._places[bug.id]
        with self._clone(place) as clone:
            return Oracle(_program(clone, place, read_info(place))[1])

    def _chosen(self, projects: str, some: frozenset[int]) -> Iterator[Path]:
        names = [name for name in projects.split(",") if name]
        lost = [name for name in names if not (self._projects / name).is_dir()]
        if lost:
            raise UsageError(
                f"BugsInPy has no project {lost[0]!r}", remedy=f"See the folders in {self._projects} for their names."
            )
        for project in sorted(self._projects.iterdir()):
            places = [place for place in (project / "bugs").glob("*") if place.name.isdecimal()]
            for place in sorted(places, key=lambda place: int(place.name)):
                if (not names or project.name in names) and (not some or int(place.name) in some):
                    yield place

    def _bug(self, id: str, place: Path, clone: Repository) -> Bug:
        info = read_info(place)
        project = place.parent.parent.name
        needed_day(clone, info.buggy)
        day = needed_day(clone, info.fixed)
        failing = tuple(_node_id(name, info, clone) for name in info.tests)
        _tests(clone, info)
        before, after = _program(clone, place, info)
        requirements = place / "requirements.txt"
        pinned = pins(requirements.read_bytes() if requirements.is_file() else b"", project)
        return Bug(
            id=id,
            failing=failing,
            provenance=Provenance(
                project=project,
                kind="published",
                version=info.buggy,
                date=day,
                source=_url(place),
                marks=tuple(f"not run: {line}" for line in info.setup),
            ),
            fault=single_fault(before, after),
            environment=Environment(
                python=self._python,
                requirements=pinned.requirements,
                shims=(*SHIMS, *pinned.changes),
                tests=tuple(dict.fromkeys((*info.files, *(name.partition("::")[0] for name in failing)))),
                pytest_args=("-p", PLUGIN),
            ),
            group=project,
        )

    def _clone(self, place: Path) -> Repository:
        project = place.parent.parent.name
        url = _url(place)
        owner, name = ["", "", *url.removesuffix("/").removesuffix(".git").split("/")][-2:]
        return needed_clone((project, name, f"{owner}__{name}", f"{owner}/{name}"), self._clones, url)


def numbers(text: str) -> frozenset[int]:
    """The numbers of ``1-5,8``; none for an empty text."""
    found: set[int] = set()
    for part in filter(None, text.split(",")):
        span = re.fullmatch(r"(\d{1,6})(?:-(\d{1,6}))?", part)
        if span is None:
            raise UsageError(f"{part!r} is no number of a bug", remedy="Write bugs=1-5,8.")
        found.update(range(int(span[1]), int(span[2] or span[1]) + 1))
    return frozenset(found)


def read_info(place: Path) -> Info:
    """What the files of one bug say; raises ``TargetError`` where they lack something or run something unknown."""
    values = dict(re.findall(r'(\w+)\s*=\s*"([^"\n]*)"', _text(place / "bug.info")))
    commits = [values.get(key, "") for key in ("buggy_commit_id", "fixed_commit_id")]
    if not all(re.fullmatch(r"[0-9a-f]{7,64}", commit) for commit in commits):
        raise TargetError("bug.info names no buggy and fixed commit", where=str(place))
    runner, tests = read_command(_text(place / "run_test.sh"))
    setup = _text(place / "setup.sh").splitlines() if (place / "setup.sh").is_file() else []
    lines = [line.strip() for line in setup if line.strip()]
    return Info(
        buggy=commits[0],
        fixed=commits[1],
        files=_split_several(values.get("test_file", "")),
        runner=runner,
        tests=tests,
        paths=tuple(path.partition("/")[2] for path in _split_several(values.get("pythonpath", "")) if "/" in path),
        touched=tuple(line.split()[1] for line in lines if re.fullmatch(r"touch [\w./-]+", line)),
        setup=tuple(line for line in lines if not line.startswith("touch ")),
    )


def read_command(text: str) -> tuple[str, tuple[str, ...]]:
    """``pytest`` (tox hands its words on) or ``unittest``, and the tests that the lines of ``run_test.sh`` name."""
    tests: list[str] = []
    runners = set()
    for line in filter(None, (line.strip() for line in text.splitlines())):
        try:
            words = shlex.split(line)
        except ValueError:
            words = []  # quotes that do not end
        match words:
            case ["pytest" | "py.test" | "tox", *rest] | ["python" | "python3", "-m", "pytest", *rest]:
                runners.add("pytest")
            case ["python" | "python3", "-m", "unittest", *rest]:
                runners.add("unittest")
            case _:
                raise TargetError(f"run_test.sh has a line that is not understood: {line}")
        tests += [word for word in rest if not word.startswith("-")]
    if len(runners) != 1 or not tests:
        raise TargetError("run_test.sh names no tests of one runner")
    return runners.pop(), tuple(tests)


def _node_id(name: str, info: Info, clone: Repository) -> str:
    """pytest's id of a test; the dotted name of unittest is followed to the file of the fixed commit."""
    if info.runner == "pytest":
        return name
    parts = name.split(".")
    for end in range(len(parts), 0, -1):
        path = f"{'/'.join(parts[:end])}.py"
        if text_of(clone, info.fixed, path) is not None:
            return "::".join((path, *parts[end:]))
    raise TargetError(f"The fixed commit has no file of the test {name}")


def _tests(clone: Repository, info: Info) -> Files:
    found = files_at(clone, info.fixed, dict.fromkeys(info.files))
    lost = next((path for path in info.files if path not in dict(found)), "")
    if lost or not found:
        raise TargetError(f"The fixed commit has no test file {lost}".rstrip(), where=str(clone.path))
    return found


def _program(clone: Repository, place: Path, info: Info) -> tuple[Files, Files]:
    touched = touched_files(_text(place / "bug_patch.txt"))
    paths = [path for path in touched if path not in info.files and not is_test_path(path)]
    return files_at(clone, info.buggy, paths), files_at(clone, info.fixed, paths)


def _text(file: Path) -> str:
    try:
        return file.read_text("utf-8", "replace")
    except OSError as problem:
        raise TargetError(f"There is no {file.name}", where=str(file.parent)) from problem


def _url(place: Path) -> str:
    found = re.search(r'github_url\s*=\s*"([^"\s]+)"', _text(place.parent.parent / "project.info"))
    if found is None:
        raise TargetError("project.info names no github_url", where=str(place.parent.parent))
    return found[1].removesuffix("/")


def _split_several(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(";") if part.strip())
