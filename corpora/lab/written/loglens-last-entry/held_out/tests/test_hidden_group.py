import gzip

import pytest

from loglens.entries import group_entries
from loglens.report import exceptions, first_problem, follow, summary


def head(n, level="INFO", message="m"):
    return f"2024-05-01 10:00:{n:02d} [{level}] app: {message}{n}\n"


def messages(lines):
    return [e.message for e in group_entries(lines)]


def test_no_lines():
    assert list(group_entries([])) == []
    assert list(group_entries(iter([]))) == []


def test_only_orphans():
    assert list(group_entries(["a\n", "b\n"])) == []


def test_one_entry():
    assert messages([head(1)]) == ["m1"]


@pytest.mark.parametrize("n", [2, 3, 10])
def test_many(n):
    assert messages([head(i) for i in range(n)]) == [f"m{i}" for i in range(n)]


def test_last_has_extra():
    entries = list(group_entries([head(1), head(2), "x\n", "y\n"]))
    assert [e.extra for e in entries] == [[], ["x", "y"]]


def test_one_entry_with_extra():
    entries = list(group_entries([head(1), "x\n"]))
    assert [(e.message, e.extra) for e in entries] == [("m1", ["x"])]


def test_orphans_skipped():
    entries = list(group_entries(["o\n", head(1), "x\n", head(2)]))
    assert [e.extra for e in entries] == [["x"], []]


def test_blank_and_indented_extra_are_kept():
    entries = list(group_entries([head(1), "\n", "  deep\n", head(2), "\n"]))
    assert [e.extra for e in entries] == [["", "  deep"], [""]]


def test_no_newline_at_end():
    entries = list(group_entries([head(1), head(2).rstrip()]))
    assert entries[-1].message == "m2"


def test_entry_is_complete_when_it_comes_out():
    seen = []
    for entry in group_entries([head(1), "x\n", "y\n", head(2), "z\n"]):
        seen.append(list(entry.extra))
    assert seen == [["x", "y"], ["z"]]


def test_lazy():
    read = []

    def stream():
        for line in [head(1), "x\n", head(2), head(3), head(4)]:
            read.append(line)
            yield line

    gen = group_entries(stream())
    assert read == []
    first = next(gen)
    assert first.message == "m1" and first.extra == ["x"]
    assert len(read) == 3


def test_endless_stream():
    def endless():
        n = 0
        while True:
            if n > 500:
                raise AssertionError("reads too far")
            yield head(n % 60)
            n += 1

    gen = group_entries(endless())
    assert [next(gen).message for _ in range(3)] == ["m0", "m1", "m2"]


def test_close_early():
    gen = group_entries([head(1), head(2), head(3)])
    next(gen)
    gen.close()
    assert list(gen) == []


def test_error_of_stream_comes_through():
    def broken():
        yield head(1)
        raise OSError("disk")

    gen = group_entries(broken())
    with pytest.raises(OSError):
        next(gen)


def test_input_is_not_changed():
    lines = [head(1), "x\n", head(2)]
    before = list(lines)
    list(group_entries(lines))
    assert lines == before
    assert messages(lines) == ["m1", "m2"]


def test_tuple_and_file(tmp_path):
    assert messages((head(1), head(2))) == ["m1", "m2"]
    path = tmp_path / "x.log"
    path.write_text(head(1) + head(2))
    with open(path) as handle:
        assert messages(handle) == ["m1", "m2"]


def test_first_problem_in_last_entry():
    found = first_problem([head(1), head(2, "ERROR"), "Traceback\n", "KeyError: 1\n"])
    assert found.message == "m2"
    assert found.exception == "KeyError"


def test_first_problem_none():
    assert first_problem([head(1)]) is None
    assert first_problem([]) is None


def test_follow_gets_full_text():
    out = []
    assert follow([head(1, "ERROR"), "more\n", head(2), head(3, "WARNING"), "w\n"], out.append) == 2
    assert out == ["10:00:01 app: m1\nmore", "10:00:03 app: m3\nw"]


def test_exceptions_in_last():
    lines = [head(1, "ERROR"), "Traceback (x):\n", "KeyError: 1\n", head(2, "ERROR"), "Traceback (x):\n", "KeyError: 2\n"]
    assert exceptions(group_entries(lines)) == {"KeyError": 2}


def test_summary_empty_and_gz(tmp_path):
    empty = tmp_path / "e.log"
    empty.write_text("")
    assert summary([empty]) == "no entries"
    packed = tmp_path / "p.log.gz"
    with gzip.open(packed, "wt") as handle:
        handle.write(head(1) + "x\n" + head(2, "ERROR") + "y\n")
    assert summary([packed, empty]) == "2 entries, ERROR: 1, INFO: 1"
