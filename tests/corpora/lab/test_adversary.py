"""A text that cheats its tests is stopped by what it says, and no honest one that looks as if it did is.

Each subject is observed once, and all texts of its function are judged by that, here by the gates that run nothing and,
where these see nothing, by the one that stops it: `make bench-judge-cheats` asks all. The controls beside it: no gate
rejects the right text of a subject, and every cheat does fool plain pytest.
"""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fakes.plain_pytest import exit_statuses

from analysis.errors import TargetError
from corpora.lab.adversary import (
    FOLDER,
    Bench,
    Laid,
    Patch,
    Subject,
    bench,
    lay,
    place_patch,
    read_patch,
    stopped_by,
    subjects,
)
from corpora.source_package import IndexUnreachableError
from repair.engine.judging import TEXTUAL
from repair.records.verdict import WEIGHED_GATES, Decision, PatchStatus, Verdict

SUBJECTS = subjects()
ALONE = "a run of the failing tests alone"


def each(texts: Callable[[Subject], tuple[Patch, ...]]) -> list[object]:
    """One parameter for each text of each subject."""
    return [
        pytest.param(subject, text, id=f"{subject.name}-{text.name}", marks=marks(subject))
        for subject in SUBJECTS
        for text in texts(subject)
    ]


def marks(subject: Subject) -> list[pytest.MarkDecorator]:
    return [pytest.mark.real] if subject.case else []


BY_SUBJECT = [pytest.param(s, id=s.name, marks=marks(s)) for s in SUBJECTS]


@pytest.fixture(scope="module")
def laid(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Subject], Laid]:
    """Puts a subject on disk, once."""
    made: dict[str, Laid] = {}

    def on_disk(subject: Subject) -> Laid:
        if subject.name not in made:
            try:
                made[subject.name] = lay(subject, tmp_path_factory.mktemp(subject.name) / "tree")
            except IndexUnreachableError as problem:
                pytest.skip(str(problem))
        return made[subject.name]

    return on_disk


@pytest.fixture(scope="module")
def benches(
    laid: Callable[[Subject], Laid], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[Subject], Bench]]:
    """Observes a subject, once."""
    with contextlib.ExitStack() as stack:
        made: dict[str, Bench] = {}

        def observed(subject: Subject) -> Bench:
            if subject.name not in made:
                state = tmp_path_factory.mktemp("state")
                made[subject.name] = stack.enter_context(bench(subject, laid(subject), state))
            return made[subject.name]

        yield observed


def told(verdict: Verdict) -> str:
    """What the gates that did not accept have to say."""
    return "\n".join(f"{e.gate}: {e.claim} {e.witness}" for e in verdict.evidence if e.decision is not Decision.ACCEPT)


@pytest.mark.parametrize(("subject", "text"), each(lambda subject: subject.cheats))
def test_a_cheat_that_reaches_out_or_repeats_values_is_stopped_by_its_text(subject, text, benches):
    verdict = benches(subject).judge(text, TEXTUAL)
    assert bool(stopped_by(verdict)) != bool(text.note("needs runs")), told(verdict)


@pytest.mark.parametrize(
    ("subject", "text"), each(lambda subject: tuple(text for text in subject.cheats if text.note("needs runs")))
)
def test_a_cheat_whose_text_says_nothing_is_stopped_by_a_gate_that_runs_it(subject, text, benches):
    verdict = benches(subject).judge(text, (text.note("needs runs"),))
    assert stopped_by(verdict) == text.note("needs runs"), told(verdict)


@pytest.mark.parametrize(("subject", "text"), each(lambda subject: subject.legitimate))
def test_nothing_in_the_text_of_an_honest_one_rejects_it(subject, text, benches):
    verdict = benches(subject).judge(text, TEXTUAL)
    assert not [e for e in verdict.evidence if e.decision is Decision.REJECT], told(verdict)
    assert not stopped_by(verdict) or text.note("doubt"), told(verdict)


@pytest.mark.parametrize("subject", BY_SUBJECT)
def test_nothing_rejects_the_right_text(subject, benches, laid):
    verdict = benches(subject).judge(laid(subject).fix)
    assert verdict.status is not PatchStatus.REJECTED, told(verdict)
    assert not [e for e in verdict.evidence if e.decision is Decision.UNKNOWN and e.gate not in WEIGHED_GATES]


@pytest.mark.parametrize("subject", BY_SUBJECT)
def test_every_cheat_fools_plain_pytest(subject, laid, tmp_path):
    home = laid(subject)
    asked = []
    for text in subject.cheats:
        root = Path(shutil.copytree(home.root, tmp_path / text.name))
        weaker = text.note("fools") == ALONE or subject.case is not None
        put(subject, text, root)
        asked.append((root, subject.failing if weaker else ()))
    statuses = exit_statuses(asked, home.python) if home.python else exit_statuses(asked)
    fooled = {text.name: status for text, status in zip(subject.cheats, statuses, strict=True)}
    assert [name for name, status in fooled.items() if status != 0] == [
        text.name for text in subject.cheats if text.note("fools") not in ("", ALONE)
    ]


@pytest.mark.parametrize("subject", BY_SUBJECT)
def test_plain_pytest_fails_before_and_passes_with_each_honest_text(subject, laid, tmp_path):
    home = laid(subject)
    asked = [(home.root, subject.failing)]
    for text in (home.fix, *subject.legitimate):
        root = Path(shutil.copytree(home.root, tmp_path / text.name))
        put(subject, text, root)
        asked.append((root, subject.failing if subject.case else ()))
    statuses = exit_statuses(asked, home.python) if home.python else exit_statuses(asked)
    assert statuses == [1] + [0] * (len(asked) - 1)


def put(subject: Subject, text: Patch, root: Path) -> None:
    """Write the text into the tree in the place of the function."""
    file = root / subject.path
    file.write_bytes(place_patch(file.read_bytes(), subject, text).file)


def test_there_are_enough_of_every_kind():
    cheats = [text for subject in SUBJECTS for text in subject.cheats]
    honest = [text for subject in SUBJECTS for text in subject.legitimate]
    assert len(cheats) >= 60
    assert len(honest) >= 30
    assert len([text for text in honest if text.note("doubt")]) <= len(honest) / 4
    assert len({subject.shape for subject in SUBJECTS}) >= 6
    assert len([subject for subject in SUBJECTS if subject.case]) >= 2
    assert all(text.note("family") for text in cheats)
    assert all(text.note("looks like") for text in honest)


def test_texts_say_what_they_are(tmp_path):
    file = tmp_path / "text.py"
    file.write_text("# family: ends the run\n# fools: nobody\n\ndef f():\n    # a comment: of its own\n    return 1\n")
    text = read_patch(file)
    assert text.notes == (("family", "ends the run"), ("fools", "nobody"))
    assert text.note("doubt") == ""
    assert text.text.startswith("def f():\n    # a comment")


def test_a_folder_without_subjects_is_an_error(tmp_path):
    with pytest.raises(TargetError, match="No subject"):
        subjects(tmp_path)


def test_the_texts_are_no_package():
    assert not list(FOLDER.rglob("__init__.py"))
