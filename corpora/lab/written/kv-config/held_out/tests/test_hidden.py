import itertools

import pytest

from kvfile import Document, escape, load, parse, save, unescape


@pytest.mark.parametrize(
    "raw, expected",
    [
        ("", ""),
        ("plain", "plain"),
        (r"\n", "\n"),
        (r"\t", "\t"),
        (r"\\", "\\"),
        (r"\\n", r"\n"),
        (r"\\t", r"\t"),
        (r"\\\n", "\\\n"),
        (r"\\\\n", r"\\n"),
        (r"\\\\\n", "\\\\\n"),
        (r"\\\=", r"\="),
        (r"\\\#", r"\#"),
        (r"\\;", r"\;"),
        (r"\\=", r"\="),
        (r"\=\#\;", "=#;"),
        (r"\d+", r"\d+"),
        (r"\x41", r"\x41"),
        (r"\r\"", r"\r\""),
        (r"\d\\d", r"\d\d"),
        ("end\\", "end\\"),
        (r"end\\", "end\\"),
        ("end" + "\\" * 3, "end\\\\"),
        ("\\", "\\"),
        ("größe \\= 5 €", "größe = 5 €"),
        ("größe\\\\neu", "größe\\neu"),
        (r"\n\n", "\n\n"),
        (r"a\tb\\tc", "a\tb\\tc"),
    ],
)
def test_unescape(raw, expected):
    assert unescape(raw) == expected


def test_every_short_text_survives():
    for size in range(5):
        for chars in itertools.product("\\n\nt=", repeat=size):
            text = "".join(chars)
            assert unescape(escape(text)) == text


@pytest.mark.parametrize("text", ["%5C @@ __BS__ <BS> {bs}", "\x00", "\x01", "\ue000", "ä\\nö", "a\\\nb", "日本\\t"])
def test_texts_survive(text):
    assert unescape(escape(text)) == text


def test_hand_written():
    sections = parse("pattern = \\d+\\s*\nlast = x\\\n")
    assert sections[""] == {"pattern": "\\d+\\s*", "last": "x\\"}


def test_keys_and_headers():
    doc = Document()
    doc.set("dir\\new", "k\\t=1", "v\\\nw")
    again = Document.from_text(doc.to_text())
    assert again.sections() == ["dir\\new"]
    assert again.get("dir\\new", "k\\t=1") == "v\\\nw"


def test_file(tmp_path):
    doc = Document()
    doc.set("main", "share", "\\\\server\\tmp\\new\n")
    doc.set("main", "näme", "ü\\n")
    save(doc, tmp_path / "y.kv")
    again = load(tmp_path / "y.kv")
    assert again.get("main", "share") == "\\\\server\\tmp\\new\n"
    assert again.get("main", "näme") == "ü\\n"
