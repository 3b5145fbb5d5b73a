"""Whatever a verdict can hang on changes what it rests on: one byte anywhere, one option, one package."""

from __future__ import annotations

import dataclasses
import os
import shutil
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from repair.front import grounds
from repair.front.grounds import ABOUT_OUTPUT, grounds_of
from repair.front.trust import HELD
from repair.records.change import Change
from repair.records.config import Options
from sandbox.interpreter import Interpreter
from sandbox.options import TargetOptions
from sandbox.target import Target
from sandbox.workspace import take_snapshot

KEY = b"k" * 32
FILES = {
    "shop.py": b"def price():\n    return 1\n",
    "test_shop.py": b"from shop import price\n\n\ndef test_it():\n    assert price() == 1\n",
    "conftest.py": b"",
    "data/table.csv": b"1,2\n",
    "pyproject.toml": b"[tool.pytest.ini_options]\n",
    "ignored.bin": bytes(range(256)),
}
CHANGE = Change((("shop.py", b"old\n"),), (("shop.py", b"new\n"),))


@dataclass(frozen=True)
class Walls:
    kind: str = "bwrap"
    detail: str = ""
    opens: tuple[str, ...] = ()
    stops: tuple[str, ...] = HELD


@pytest.fixture
def base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, content in FILES.items():
        path = tmp_path / "project" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    for name in ("site/one.py", "site/one-1.0.dist-info/RECORD", "editable/package/code.py", "python"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("1\n")
    return tmp_path


def target_in(base: Path, **given: object) -> Target:
    path, mapped = (str(base / "site"),), (str(base / "editable"),)
    python = Interpreter(str(base / "python"), (3, 11, 7), "8.3.5", "", (), path, mapped)
    return replace(Target(str(base / "project"), python, TargetOptions(), (), (("NAME", "value"),)), **given)


def rest(base: Path, **given) -> str:
    """What a check rests on in this project."""
    copy = base / "copy"
    shutil.rmtree(copy, ignore_errors=True)
    asked = {
        "command": "check",
        "tests": (),
        "change": CHANGE,
        "options": Options(str(base / "project")),
        "target": target_in(base),
        "jail": Walls(),
        "env": {},
        "key": KEY,
        **given,
    }
    return grounds_of(snapshot=take_snapshot(str(base / "project"), copy), **asked)


def test_the_same_project_is_the_same_ground(base: Path) -> None:
    first = rest(base)
    assert len(first) == 64
    (base / "project" / "shop.py").write_bytes(FILES["shop.py"])
    (base / "site" / "__pycache__").mkdir()
    (base / "site" / "__pycache__" / "one.pyc").write_bytes(b"")
    (base / "project" / ".git").mkdir()
    (base / "editable" / ".hypothesis").mkdir()
    (base / "editable" / ".hypothesis" / "example").write_text("1")
    assert rest(base) == first


def test_what_is_checked_out_counts_since_earlier_texts_speak_for_a_patch(base: Path, monkeypatch) -> None:
    first = rest(base)
    monkeypatch.setattr(grounds, "head", lambda root: f"another commit of {root}")
    assert rest(base) != first


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_one_byte_changed_in_any_file_is_judged_anew(base: Path, monkeypatch, data) -> None:
    monkeypatch.setattr(grounds, "_judge", lambda *_: iter(("judge",)))
    first = rest(base)
    name = data.draw(st.sampled_from([name for name, content in FILES.items() if content]))
    at = data.draw(st.integers(0, len(FILES[name]) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda value: value != FILES[name][at]))
    changed = bytearray(FILES[name])
    changed[at] = byte
    path = base / "project" / name
    times = path.stat()
    path.write_bytes(changed)
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))  # as an editor that hides what it does
    assert rest(base) != first
    path.write_bytes(FILES[name])
    assert rest(base) == first


@pytest.mark.parametrize(
    "edit",
    [
        lambda base: (base / "project" / "new.txt").write_text(""),
        lambda base: (base / "project" / "data" / "table.csv").unlink(),
        lambda base: (base / "project" / "shop.py").chmod(0o755),
        lambda base: (base / "project" / "empty").mkdir(),
        lambda base: (base / "project" / "link.py").symlink_to("shop.py"),
        lambda base: (base / "site" / "one.py").write_text("2\n"),
        lambda base: (base / "site" / "two.pth").write_text(""),
        lambda base: (base / "site" / "one-1.0.dist-info" / "RECORD").rename(base / "site" / "RECORD"),
        lambda base: (base / "editable" / "package" / "code.py").write_text("3\n"),
        lambda base: (base / "python").write_text("4\n"),
    ],
)
def test_whatever_is_added_removed_or_installed_counts(base: Path, edit) -> None:
    first = rest(base)
    edit(base)
    assert rest(base) not in ("", first)


@pytest.mark.parametrize(
    "given",
    [
        {"command": "fix"},
        {"tests": ("test_shop.py",)},
        {"change": Change(CHANGE.before, (("shop.py", b"newer\n"),))},
        {"change": Change((("shop.py", b"older\n"),), CHANGE.after)},
        {"change": replace(CHANGE, others=("link",))},
        {"jail": Walls(kind="landlock")},
        {"env": {"PATH": "/nowhere"}},
        {"key": b"x" * 32},
    ],
)
def test_whatever_else_is_asked_counts(base: Path, given) -> None:
    assert rest(base, **given) not in ("", rest(base))


OTHER = {
    "tests": ("a",), "pytest_args": ("-x",), "answers": ("f() == 1",), "seed": 1, "gates": "strict", "risk": 0.01,
    "max_seconds": 60.0, "pass_env": ("A",), "function": "price", "jobs": 1, "max_candidates": 5,
    "isolation": "bwrap", "allow_module_imports": True, "alternatives": 2, "python": "x", "from_file": ("jobs",),
    "require_approval": True,
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(OTHER))
def test_every_option_that_decides_counts(base: Path, name) -> None:
    options = Options(str(base / "project"))
    assert rest(base, options=replace(options, **{name: OTHER[name]})) not in ("", rest(base))


def test_options_about_output_count_for_nothing_and_are_named_one_by_one(base: Path) -> None:
    options = Options(str(base / "project"))
    quiet = replace(options, output_format="json", verbosity=2, cache=False, accept="plausible")
    assert rest(base, options=quiet) == rest(base)
    assert {field.name for field in dataclasses.fields(Options)} >= ABOUT_OUTPUT


def test_what_the_target_is_told_counts(base: Path) -> None:
    first = rest(base)
    for other in (
        {"passed": (("NAME", "other"),)},
        {"passed": ()},
        {"options": TargetOptions(options=("-k", "a"))},
        {"path_entries": (str(base / "site" / "one-1.0.dist-info"),)},
    ):
        assert rest(base, target=target_in(base, **other)) not in ("", first)


def test_the_time_zone_counts(base: Path, monkeypatch) -> None:
    monkeypatch.setenv("TZ", "UTC")
    first = rest(base)
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    assert rest(base) != first


def test_pytests_list_counts_where_it_is_asked_for(base: Path) -> None:
    options = Options(str(base / "project"), lf=True)
    first = rest(base, options=options)
    listed = base / "project" / grounds.LAST_FAILED
    listed.parent.mkdir(parents=True)
    listed.write_text('{"test_shop.py::test_it": true}')
    assert rest(base, options=options) != first
    assert rest(base) == first  # nobody asks for it, and here it was not there


def test_the_judge_is_a_part_of_it(base: Path, monkeypatch, tmp_path_factory) -> None:
    first = rest(base)
    other = tmp_path_factory.mktemp("other") / "analysis"
    shutil.copytree(Path(grounds.analysis.__path__[0]), other)
    monkeypatch.setattr(grounds.analysis, "__path__", [str(other)])
    assert rest(base) == first
    (other / "facts.py").write_text((other / "facts.py").read_text() + "\n")
    assert rest(base) != first
    monkeypatch.undo()
    monkeypatch.setattr(grounds, "version", lambda name: "2" if name == "libcst" else "1")
    assert rest(base) != first


@pytest.mark.parametrize(
    "given",
    [
        {"jail": Walls(kind="none", stops=())},
        {"jail": Walls(kind="landlock-only", stops=HELD[1:])},
        {"options": {"proposers": ("model",), "model": "m"}},
        {"options": {"proposers": ("scripted",), "script": "s"}},
        {"options": {"order": "counts.json"}},
    ],
)
def test_where_not_all_is_known_there_is_no_ground(base: Path, given) -> None:
    if "options" in given:
        given = {"options": replace(Options(str(base / "project")), **given["options"])}
    assert rest(base, **given) == ""


def test_a_link_out_of_the_project_leaves_no_ground(base: Path, tmp_path_factory) -> None:
    (base / "project" / "outside").symlink_to(tmp_path_factory.mktemp("elsewhere"))
    assert rest(base) == ""


@pytest.mark.parametrize(("bound", "most"), [("MOST_FILES", 2), ("MOST_BYTES", 10)])
def test_what_would_take_too_long_to_read_leaves_no_ground(base: Path, monkeypatch, bound, most) -> None:
    monkeypatch.setattr(grounds, bound, most)
    assert rest(base) == ""


def test_links_among_the_packages_are_followed_once(base: Path) -> None:
    (base / "more").mkdir()
    (base / "more" / "code.py").write_text("1\n")
    (base / "more" / "loop").symlink_to(base / "more")
    (base / "site" / "more").symlink_to(base / "more")
    first = rest(base)
    (base / "more" / "code.py").write_text("2\n")
    assert rest(base) not in ("", first)
