import pytest

from kvfile import Document, FormatError, escape, load, parse, save, unescape

SAMPLE = """
# main settings
name = demo
[paths]
; where things are
home = /srv/demo
title=a\\=b

[flags]
debug = yes
"""


def test_parse_sample():
    sections = parse(SAMPLE)
    assert sections[""] == {"name": "demo"}
    assert sections["paths"]["home"] == "/srv/demo"
    assert sections["paths"]["title"] == "a=b"


def test_parse_empty():
    assert parse("") == {"": {}}


@pytest.mark.parametrize("text, line", [("[abc", 1), ("a = 1\nnonsense", 2), ("= 3", 1)])
def test_parse_errors(text, line):
    with pytest.raises(FormatError) as info:
        parse(text)
    assert info.value.number == line


def test_later_value_wins():
    assert parse("a = 1\na = 2")[""] == {"a": "2"}


def test_escape():
    assert escape("a=b") == "a\\=b"
    assert escape("one\ntwo") == "one\\ntwo"
    assert escape("C:\\temp") == "C:\\\\temp"


def test_unescape():
    assert unescape("one\\ntwo\\tthree") == "one\ntwo\tthree"
    assert unescape("\\#1 \\; x") == "#1 ; x"
    assert unescape("plain") == "plain"


def test_unescape_backslash():
    assert unescape("a\\\\b") == "a\\b"


def test_unescape_backslash_before_letter():
    assert unescape("C:\\\\new\\\\temp") == "C:\\new\\temp"


def test_bool():
    doc = Document.from_text(SAMPLE)
    assert doc.get_bool("flags", "debug") is True
    assert doc.get_bool("flags", "other") is False
    with pytest.raises(ValueError):
        doc.get_bool("paths", "home")


def test_set_and_text():
    doc = Document()
    doc.set("", "a", 1)
    doc.set("s", "k", "v")
    assert doc.to_text() == "a = 1\n[s]\nk = v\n"
    assert doc.sections() == ["s"]


def test_save_and_load(tmp_path):
    doc = Document()
    doc.set("main", "text", "one\ntwo # three")
    save(doc, tmp_path / "x.kv")
    assert load(tmp_path / "x.kv").get("main", "text") == "one\ntwo # three"


def test_windows_path_survives(tmp_path):
    doc = Document()
    doc.set("main", "dir", "C:\\tools\\new")
    save(doc, tmp_path / "x.kv")
    assert load(tmp_path / "x.kv").get("main", "dir") == "C:\\tools\\new"
