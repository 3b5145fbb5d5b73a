"""``repair tests heal``: files of generated tests are found, healed one by one, and written where that is asked for."""

from __future__ import annotations

import datetime
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from analysis.errors import OutOfTimeError, TargetError, UsageError
from repair.records.config import Options
from repair.records.events import Listener, phase
from repair.records.healed import HealedFile, HealedTest, HealReport, HealRequest
from repair.records.wording import count_noun
from repair.store.git_history import ProgramVersion, program_versions
from repair.survey.growing.new_files import marked, replace_grown
from repair.survey.healing.file_healer import FileHealer
from repair.survey.healing.generated_file import is_generated, read_generated
from repair.survey.healing.program_version import NamedProgram
from repair.survey.survey import changed_meanwhile, open_surveyor
from repair.trials.run_time import RunTime, TimeIsUp
from sandbox.workspace import Snapshot
from transforms.patch.diff import unified_diff


@dataclass(slots=True)
class _EarlierPrograms:
    """The programs that git shows, each read when it is asked for, and kept.

    A history may be a stranger's: files that cannot be laid over the ``project`` of today are left out.
    """

    source: Iterator[ProgramVersion]
    project: Snapshot
    read: list[NamedProgram] = field(default_factory=list)

    def __call__(self) -> Iterator[NamedProgram]:
        yield from list(self.read)
        for each in self.source:
            self.read.append(NamedProgram.of(self.project.that_fit(each.files), each.commit))
            yield self.read[-1]


def heal(
    asked: HealRequest, options: Options, listen: Listener, env: Mapping[str, str], timing: RunTime | None = None
) -> HealReport:
    """Heal generated tests; nothing is written but their own files, and these only where that is asked for.

    Raises ``UsageError`` for a path without generated tests.
    """
    started = (timing or RunTime(time.monotonic())).started
    with open_surveyor(options, listen, env, started) as (sandbox, surveyor, warnings):
        sources = sandbox.sources()
        found = {path: text for path, text in sources if is_generated(text) and _is_asked(path, asked.paths)}
        _refuse_empty(found, asked.paths)
        listen(phase("healing", f"running {count_noun(len(found), 'file')} of generated tests"))
        healer = FileHealer(
            sandbox,
            NamedProgram.of(sources),
            _EarlierPrograms(program_versions(Path(options.root), sources), sandbox.snapshot),
            surveyor.limits,
            datetime.datetime.now(tz=datetime.UTC).date().isoformat(),
            lambda: time.monotonic() < started + options.max_seconds,
        )
        files: list[HealedFile] = []
        tests: list[HealedTest] = []
        missed = []
        for path, content in found.items():
            try:
                file, own = _heal_file(healer, path, content, asked, options)
            except (OutOfTimeError, TimeIsUp):
                missed.append(f"{path}: the time was over")
                continue
            except (UsageError, TargetError, OSError) as problem:
                missed.append(f"{path}: {problem}")
                continue
            files.append(file)
            tests += own
        return HealReport(
            root=options.root,
            files=tuple(files),
            tests=tuple(tests),
            not_checked=tuple(missed),
            warnings=(*warnings, *(() if asked.write else changed_meanwhile(sandbox))),
            seconds=round(time.monotonic() - started, 3),
            isolation=sandbox.jail.kind,
            isolation_opens=sandbox.jail.opens,
        )


def _is_asked(path: str, paths: Sequence[str]) -> bool:
    return not paths or any(path == each or each == "." or path.startswith(f"{each}/") for each in paths)


def _refuse_empty(found: Mapping[str, bytes], paths: Sequence[str]) -> None:
    for each in paths:
        if not any(_is_asked(path, (each,)) for path in found):
            raise UsageError(
                f"{each} holds no generated tests", remedy="Name a file that `repair tests grow --write` made."
            )


def _heal_file(
    healer: FileHealer, path: str, content: bytes, asked: HealRequest, options: Options
) -> tuple[HealedFile, tuple[HealedTest, ...]]:
    file = read_generated(path, content)
    if isinstance(file, str):
        return HealedFile(path, left=file), ()
    text, tests = healer.heal(file)
    if text == file.text:
        return HealedFile(path), tests
    diff = unified_diff(path, content, marked(text).encode())
    if asked.write:
        replace_grown(options.root, path, content, text)
    return HealedFile(path, diff, written=asked.write), tests
