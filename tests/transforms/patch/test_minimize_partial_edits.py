"""An edit without some of its parts."""

from __future__ import annotations

import libcst as cst
from fakes.submission import scope_in

from transforms.patch.minimize import only_in, parts_of
from transforms.tree.node_path import node_at

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


def test_another_name_of_a_local_is_no_part() -> None:
    assert texts(OLD.replace(b"Page(", b"cls(").replace(b"title", b"head")) == [""]


def more(new: bytes, without: bytes) -> list[str]:
    scope = scope_in(new, "parse")
    paths = only_in(scope, scope_in(without, "parse"), scope_in(OLD, "parse"))
    return [cst.Module([]).code_for_node(node_at(scope.node, path)).strip() for path in paths]


def test_a_part_alone_in_its_statement_stands_for_all_of_it() -> None:
    new = OLD.replace(b"Page(", b"cls(").replace(b"    return", b"    log(body)\n    return")
    assert more(new, OLD.replace(b"Page(", b"cls(")) == ["log(body)"]
    assert more(new, new.replace(b"cls(", b"Page(")) == ['return cls(title, body.strip("\\n"))']


def test_another_part_in_the_same_statement_is_not_covered() -> None:
    new = OLD.replace(b"Page(", b"cls(").replace(b'strip("\\n")', b"strip(None)")
    assert more(new, new.replace(b"cls(", b"Page(")) == ["cls"]
    assert more(new, new.replace(b"None", b'"\\n"')) == ["None"]
    assert more(new, OLD) == ["return cls(title, body.strip(None))"]
    assert more(new, new) == []


def test_where_a_part_has_to_be_put_in_parentheses_nothing_is_said() -> None:
    new = OLD.replace(b"return Page(title, body", b"return cls(title, body\n        .lower()")
    assert more(new, new.replace(b"cls(", b"Page(")) == []
