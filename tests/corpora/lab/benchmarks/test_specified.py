"""The planted projects: what is read of them and found in them."""

import pytest

from corpora.lab.benchmarks.specified import facts_compared, findings_compared, unpack_files


@pytest.mark.parametrize(("name", "least"), [("bistro", 1.0), ("shed", 0.95)])
def test_planted_facts_are_read_and_no_others(tmp_path, name, least):
    missing, surplus, expected, read = facts_compared(tmp_path / name, tmp_path / "state", name)
    assert surplus == []
    assert expected > 60
    assert len(missing) <= (1 - least) * expected
    assert read == expected - len(missing)


@pytest.mark.parametrize(("name", "least"), [("depot", 1.0), ("kiosk", 0.8)])
def test_planted_findings_are_told_and_no_others(tmp_path, name, least):
    unseen, untrue, planted, told = findings_compared(tmp_path / name, tmp_path / "state", name)
    assert untrue == []
    assert planted >= 24
    assert len(unseen) <= (1 - least) * planted
    assert told >= planted - len(unseen)


def test_later_files_are_apart(tmp_path):
    unpack_files("=== a\n1\n=== after:a\n2\n", tmp_path)
    assert (tmp_path / "a").read_text() == "1\n"
    unpack_files("=== a\n1\n=== after:a\n2\n", tmp_path, "after:")
    assert (tmp_path / "a").read_text() == "2\n"
