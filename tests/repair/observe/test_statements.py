"""What a statement and an exclusion are: as coverage.py says by the project's settings, whatever these do."""

from __future__ import annotations

from pathlib import Path

import coverage
import pytest

from repair.observe import statements
from repair.observe.statements import (
    KnownStatements,
    measure_statements,
    read_settings,
    without_new_comments,
)
from repair.records.change import Change

SOURCE = b'''\
def f(xs):
    """Says
    what."""
    if (xs and
            len(xs) > 1):
        return sum(
            xs
        )
    if xs:  # pragma: no cover
        return 1
    while True:
        if slow:
            raise Slow()
        break
    log(xs)
'''
ROOT = Path(__file__).parents[3]


def spans(settings, source=SOURCE, path="shop.py"):
    return measure_statements([(path, source)], settings).of(path).spans


def test_statements_are_those_of_coverages_parser():
    found = measure_statements([("shop.py", SOURCE)]).of("shop.py")
    assert found.spans == ((1, 1), (4, 5), (6, 8), (11, 11), (12, 12), (13, 13), (14, 14), (15, 15))
    assert set(found.excluded) == {9, 10}


@pytest.mark.parametrize("path", ["repair/cli.py", "analysis/functions.py", "sandbox/process.py"])
def test_real_files_have_the_statements_of_a_report(path):
    measured = coverage.Coverage(data_file=None, config_file=False)
    _, lines, excluded, *_ = measured.analysis2(str(ROOT / path))
    found = measure_statements([(path, (ROOT / path).read_bytes())]).of(path)
    assert [first for first, _ in found.spans] == lines
    assert set(excluded) <= set(found.excluded)
    assert len(lines) > 50


@pytest.mark.parametrize(
    "settings",
    [
        {".coveragerc": b"[report]\nexclude_also = raise Slow\n    log.*\n"},
        {"setup.cfg": b"[coverage:report]\nexclude_also =\n    raise Slow\n    log.*\n"},
        {"tox.ini": b"[coverage:report]\nexclude_also =\n    raise Slow\n    log.*\n"},
        {"pyproject.toml": b"[tool.coverage.report]\nexclude_also = ['raise Slow', 'log.*']\n"},
    ],
)
def test_the_projects_settings_exclude_more(settings):
    assert spans(settings) == ((1, 1), (4, 5), (6, 8), (11, 11), (12, 12), (14, 14))


def test_settings_may_replace_what_is_excluded():
    assert (9, 9) in spans({".coveragerc": b"[report]\nexclude_lines = nothing at all\n"})


@pytest.mark.parametrize(
    ("settings", "omitted"),
    [
        (b"[run]\nomit = shop/old*\n", {"shop/old.py"}),
        (b"[report]\nomit = */old.py\n", {"shop/old.py"}),
        (b"[run]\nsource = shop\n", {"tools.py"}),
        (b"[run]\nsource = .\n", set()),
        (b"[run]\nsource_pkgs = shop.new\n", {"shop/old.py", "tools.py"}),
        (b"[run]\ninclude = shop/*\n", {"tools.py"}),
        (b"[run]\nsource = shop\ninclude = tools.py\nomit = shop/old.py\n", {"shop/old.py", "tools.py"}),
    ],
)
def test_files_that_the_settings_leave_out_have_no_statements(settings, omitted):
    sources = [("shop/new.py", SOURCE), ("shop/old.py", SOURCE), ("tools.py", SOURCE)]
    found = measure_statements(sources, {".coveragerc": settings})
    assert found.omitted == omitted
    assert {path for path, each in found.files.items() if not each.spans} == omitted
    assert all(set(found.of(path).excluded) >= set(range(1, 16)) for path in omitted)
    assert found.settings == ".coveragerc"


def test_a_source_that_names_nothing_here_is_said_and_not_used():
    found = measure_statements([("shop.py", SOURCE)], {".coveragerc": b"[run]\nsource = /build/elsewhere\n"})
    assert found.of("shop.py").spans
    assert found.said == ("source of the coverage settings names no file of the program: /build/elsewhere",)


def test_a_plugin_is_named_and_never_loaded(tmp_path, monkeypatch):
    (tmp_path / "evil.py").write_text(f"open({str(tmp_path / 'canary')!r}, 'w')\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    found = measure_statements([("shop.py", SOURCE)], {".coveragerc": b"[run]\nplugins = evil\n"})
    assert found.said == ("plugins of coverage.py are never loaded: evil",)
    assert found.of("shop.py").spans
    assert not (tmp_path / "canary").exists()


def test_a_variable_of_the_engine_is_not_seen_by_settings(monkeypatch):
    monkeypatch.setenv("REPAIR_API_KEY", "log")
    settings = {".coveragerc": b"[report]\nexclude_also = ${REPAIR_API_KEY-nothing}\n"}
    assert (15, 15) in spans(settings)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (b"[report]\nexclude_also = (a+)+$\n", "takes too long, or fails"),
        (b"[report]\nexclude_also = (a\n", "Invalid"),
        (b"[report\n", "Couldn't read config file"),
        (b"[run]\nconcurrency = nonsense\n", "Unknown concurrency"),
        (b"\xff\xfe", "takes too long, or fails"),
    ],
)
def test_settings_that_are_hostile_or_broken_are_not_used(settings, said):
    source = SOURCE + b"x = '" + b"a" * 60 + b"!'\n"
    found = measure_statements([("shop.py", source)], {".coveragerc": settings}, seconds=4)
    assert len(found.of("shop.py").spans) == 9
    assert len(found.said) == 1
    assert said in found.said[0]


def test_what_cannot_be_read_is_told_and_the_others_are_read(monkeypatch):
    monkeypatch.setattr(statements, "MOST_BYTES", 10_000)
    deep = b"x = " + b"-" * 8000 + b"1\n"
    sources = [
        ("bad.py", b"def ("),
        ("large.py", b"#" * 10_001),
        ("deep.py", deep),
        ("empty.py", b""),
        ("a.py", SOURCE),
    ]
    found = measure_statements(sources)
    assert set(found.problems) == {"bad.py", "large.py", "deep.py"}
    assert found.of("a.py").spans
    assert found.of("empty.py").spans == ()


def test_a_file_in_which_the_child_is_lost_is_no_loss_for_the_others(monkeypatch):
    """The second source stops the child; the first and the third are read."""
    real = statements._ask

    def ask(paths, sources, settings, seconds, ran):
        head, answers = real(paths, sources, settings, seconds, ran)
        names = [path for path, _ in sources]
        return head, answers[: names.index("hangs.py")] if "hangs.py" in names else answers

    monkeypatch.setattr(statements, "_ask", ask)
    found = measure_statements([("a.py", SOURCE), ("hangs.py", SOURCE), ("b.py", SOURCE)])
    assert set(found.files) == {"a.py", "b.py"}
    assert found.problems == {"hangs.py": "coverage's parser is lost in it"}


def test_sources_are_read_once(monkeypatch):
    asked = []
    monkeypatch.setattr(statements, "measure_statements", lambda sources, settings: asked.append(sources))
    known = KnownStatements({})
    for source in (SOURCE, SOURCE, b"x = 1\n"):
        known.measure([("a.py", source)])
    assert len(asked) == 2


def test_settings_are_those_before_the_change():
    now = {"setup.cfg": b"new", ".coveragerc": b"added", "tox.ini": b"same"}
    change = Change((("setup.cfg", b"old"), ("pyproject.toml", b"gone")), (("setup.cfg", b"new"), (".coveragerc", b"")))
    read = lambda names: {name: now[name] for name in names if name in now}  # noqa: E731
    assert read_settings(read) == now
    assert read_settings(read, change) == {"setup.cfg": b"old", "tox.ini": b"same", "pyproject.toml": b"gone"}


@pytest.mark.parametrize(
    ("old", "new", "bare"),
    [
        (b"x = 1\n", b"x = 2  # pragma: no cover\n", b"x = 2\n"),
        (b"x = 1  # pragma: no cover\n", b"y = 1\nx = 1  # pragma: no cover\n", b"y = 1\nx = 1  # pragma: no cover\n"),
        (None, b"# coding: latin-1\nx = '#'  # \xe9\n", b"# coding: latin-1\nx = '#'\n"),
        (None, "x = 'é#'  # no\r\n".encode(), "x = 'é#'\r\n".encode()),
        (None, b"x = (  # no", b"x = (  # no"),
    ],
)
def test_comments_of_a_change_are_taken_out(old, new, bare):
    assert without_new_comments(old, new) == bare


def test_a_large_program_is_read_in_parts(monkeypatch):
    """Each part knows all paths: a source of the settings may name files of another part."""
    asked, real = [], statements._ask
    monkeypatch.setattr(statements, "PART_BYTES", len(SOURCE))
    monkeypatch.setattr(statements, "_ask", lambda *given: asked.append(len(given[1])) or real(*given))
    found = measure_statements([("a.py", SOURCE), ("b.py", SOURCE)], {".coveragerc": b"[run]\nsource_pkgs = b\n"})
    assert asked == [1, 1]
    assert (set(found.files), found.omitted, found.said) == ({"a.py", "b.py"}, {"a.py"}, ())


def test_a_child_that_does_not_begin_is_started_once_for_a_part(monkeypatch):
    asked = []
    monkeypatch.setattr(statements, "_ask", lambda *given: asked.append(given) or (None, []))
    found = measure_statements([("a.py", SOURCE), ("b.py", SOURCE)])
    assert found.problems == dict.fromkeys(("a.py", "b.py"), "coverage's parser does not run")
    assert len(asked) == 1
