"""The planted projects: what is read of them and found in them."""

from corpora.lab.benchmarks.specified import facts_compared, findings_compared, unpack_files


def test_all_planted_facts_are_read_and_no_others(tmp_path):
    missing, surplus, expected, read = facts_compared(tmp_path / "bistro", tmp_path / "state")
    assert (missing, surplus) == ([], [])
    assert expected == read > 60


def test_all_planted_findings_are_told_and_no_others(tmp_path):
    unseen, untrue, planted, told = findings_compared(tmp_path / "depot", tmp_path / "state")
    assert (unseen, untrue) == ([], [])
    assert planted >= 24
    assert told >= planted


def test_later_files_are_apart(tmp_path):
    unpack_files("=== a\n1\n=== after:a\n2\n", tmp_path)
    assert (tmp_path / "a").read_text() == "1\n"
    unpack_files("=== a\n1\n=== after:a\n2\n", tmp_path, "after:")
    assert (tmp_path / "a").read_text() == "2\n"
