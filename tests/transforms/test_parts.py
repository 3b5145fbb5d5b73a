"""An edit without some of its parts."""

from __future__ import annotations

from fakes.submission import scope_in

from transforms.parts import parts_of

OLD = b'def parse(cls, text):\n    title, _, body = text.partition("\\n")\n    return Page(title, body.strip("\\n"))\n'


def texts(new: bytes) -> list[str]:
    parts = parts_of(scope_in(OLD, "parse"), scope_in(new, "parse"))
    return [(parts.without([number]) or b"").decode() for number in parts.numbers]


def test_each_part_is_left_out_by_itself() -> None:
    new = (
        OLD.replace(b"Page(", b"cls(")
        .replace(b'strip("\\n")', b"strip(None)")
        .replace(b"    return", b"    log(body)\n    return")
    )
    assert [text.splitlines()[2:] for text in texts(new)] == [
        ["    return cls(title, body.strip(None))"],
        ["    log(body)", "    return Page(title, body.strip(None))"],
        ["    log(body)", '    return cls(title, body.strip("\\n"))'],
    ]


def test_an_edit_of_one_part_has_no_smaller_one() -> None:
    assert texts(OLD.replace(b"Page(", b"cls(")) == [""]


def test_what_differs_in_layout_only_has_no_parts() -> None:
    assert texts(OLD.replace(b"(title, body", b"( title,body")) == []
