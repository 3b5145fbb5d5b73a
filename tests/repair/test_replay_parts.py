"""Which certificates a replay proves, and whose code may run for them where little confines it."""

import subprocess
from types import SimpleNamespace

import pytest

from analysis.errors import UsageError
from repair.api import _certificates, _is_programs_own
from repair.records.change import Change


def run_with(certificates):
    kept = {
        number: {"cause": number, "stands_on": [{"cause": each} for each in under]} for number, under in certificates
    }
    return SimpleNamespace(
        id="r1", certificate=lambda cause: kept.get(cause), certificates=lambda: tuple(kept.values())
    )


def test_a_cause_is_proved_with_those_under_it():
    run = run_with([(1, ()), (2, ()), (3, (1,))])
    assert [each["cause"] for each in _certificates(run, 3)] == [1, 3]
    assert [each["cause"] for each in _certificates(run, 1)] == [1]
    assert [each["cause"] for each in _certificates(run, 0)] == [1, 2, 3]


@pytest.mark.parametrize(
    ("kept", "cause", "said"), [([(2, (1,))], 2, " for cause 1"), ([], 4, " for cause 4"), ([], 0, "")]
)
def test_a_certificate_that_is_missing_is_named(kept, cause, said):
    with pytest.raises(UsageError, match=rf"Run r1 holds no certificate{said}\."):
        _certificates(run_with(kept), cause)


@pytest.mark.parametrize(
    ("foreign", "before", "own"), [(True, b"committed", True), (True, b"planted", False), (False, b"planted", True)]
)
def test_a_program_before_that_git_does_not_know_is_a_strangers(tmp_path, foreign, before, own):
    (tmp_path / "a.py").write_bytes(b"committed")
    for words in (["init", "-q"], ["add", "a.py"]):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    (tmp_path / "a.py").write_bytes(b"edited")
    change = Change((("a.py", before),), (("a.py", b"edited"),))
    assert _is_programs_own(SimpleNamespace(is_foreign=foreign), [change], tmp_path) is own
    other = Change((("a.py", before),), (("a.py", b"elsewhere"),))
    assert not _is_programs_own(SimpleNamespace(is_foreign=foreign), [other], tmp_path)


def test_a_certificate_that_is_none_is_said():
    run = SimpleNamespace(id="r1", certificate=lambda cause: [])
    with pytest.raises(UsageError, match="cannot be read"):
        _certificates(run, 1)
