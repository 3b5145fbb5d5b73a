"""Prompts as files with named parts, addressable by sentence; patterns of failures as data."""

from __future__ import annotations

import ast
import gc
import re
import warnings
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

import pytest
from fakes.matters import diagnosis

from analysis.errors import UsageError
from analysis.facts import FailureClass
from analysis.relation import Relation
from repair.model import prompt_files
from repair.model.conversation import Failed, NotThere, Repeated, Stage, Stress, Unread
from repair.model.feedback import answer_back, say_stress
from repair.model.kinds import say_kind, say_scope
from repair.model.patterns import (
    NONE_FITS,
    Pattern,
    kinds_of_failures,
    packaged_patterns,
    pattern_of,
    read_kind,
    read_patterns,
)
from repair.model.prompt_files import packaged_files, packaged_prompts, read_prompts
from repair.model.reply import UnusableKind
from repair.records.config import PROMPTS
from transforms.tree.proposal import EditKind

FILES = {"rules": "# For people\n\n## task\nOne sentence.\nIt is {size}.\n\n## data\nMarks.\n"}


def test_a_part_has_lines_with_addresses() -> None:
    prompts = read_prompts(FILES)
    assert prompts.text("rules/task", size=3) == "One sentence.\nIt is 3."
    assert prompts.sentence("rules/task:2") == "It is {size}."
    assert prompts.has("rules/data")
    assert not prompts.has("rules/other")


@pytest.mark.parametrize("address", ["rules/task:3", "rules/task:0", "rules/task", "other/task:1", "rules/task:x"])
def test_an_address_that_leads_nowhere_is_refused(address: str) -> None:
    with pytest.raises(KeyError):
        read_prompts(FILES).sentence(address)


@pytest.mark.parametrize("text", ["## \nx", "## task\n\n## other\nx", "## task\nx\n## task\ny", "## Task name\nx"])
def test_a_part_without_a_name_or_a_line_or_twice_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"rules\.md: the part "):
        read_prompts({"rules": text})


def test_the_digest_changes_with_any_byte() -> None:
    first = read_prompts(FILES).digest
    assert read_prompts(FILES).digest == first
    assert read_prompts({"rules": FILES["rules"] + " "}).digest != first
    assert read_prompts({"other": FILES["rules"]}).digest != first


def test_the_package_has_its_prompts_as_files() -> None:
    folder = Path(prompt_files.__file__).parent / "prompts"
    assert sorted(packaged_files()) == sorted(path.name for path in folder.iterdir())
    assert packaged_prompts().sentence("rules/task:1").startswith("You mend one Python function")


def test_a_line_of_a_prompt_is_no_longer_than_two_hundred_characters() -> None:
    long = [line for lines in packaged_prompts().parts.values() for line in lines if len(line) > 200]
    assert long == []


LISTED = (
    *("ModuleNotFoundError", "ImportError", "AttributeError", "NameError", "UnboundLocalError", "KeyError"),
    *("IndexError", "TypeError", "ValueError", "ZeroDivisionError", "RecursionError", "UnicodeError"),
)


@pytest.mark.parametrize("name", LISTED)
def test_there_is_a_pattern_for_each_exception(name: str) -> None:
    found = pattern_of(diagnosis("", name, FailureClass.RUNTIME_SAFETY, "other"), None)
    assert found is not None
    assert name in found.exceptions


@pytest.mark.parametrize(
    ("kind", "message", "failure_class", "subclass", "relation", "name"),
    [
        ("AssertionError", "", FailureClass.LOGIC, "wrong_value", Relation.OFF_BY_ONE, "wrong_value"),
        ("AssertionError", "", FailureClass.LOGIC, "wrong_value", Relation.ORDER, "wrong_collection"),
        ("AssertionError", "", FailureClass.LOGIC, "text", Relation.CASE, "wrong_text"),
        ("Failed", "DID NOT RAISE", FailureClass.CONTRACT, "missing_raise", Relation.NOT_RAISED, "did_not_raise"),
        ("KeyError", "'a'", FailureClass.CONTRACT, "wrong_raise", Relation.OTHER_EXCEPTION, "other_exception"),
        ("ValueError", "no", FailureClass.CONTRACT, "unexpected_raise", Relation.RAISED, "other_exception"),
        ("RecursionError", "", FailureClass.LOGIC, "timeout", None, "recursion"),
        ("Failed", "Timeout", FailureClass.LOGIC, "timeout", Relation.ENDLESS, "no_end"),
        ("TypeError", "'coroutine' object is not iterable", FailureClass.RUNTIME_SAFETY, "type", None, "async_misuse"),
        ("TypeError", "f() takes 1 positional argument", FailureClass.RUNTIME_SAFETY, "type", None, "wrong_call"),
        ("TypeError", "'NoneType' object is not iterable", FailureClass.RUNTIME_SAFETY, "none", None, "none_used"),
        ("UnicodeDecodeError", "", FailureClass.RUNTIME_SAFETY, "conversion", None, "unicode"),
    ],
)
def test_the_nearest_pattern_is_told(
    kind: str, message: str, failure_class: FailureClass, subclass: str, relation: Relation | None, name: str
) -> None:
    raised = diagnosis(message, kind, failure_class, subclass)
    first = raised.failure.exceptions[0]
    bases = {"RecursionError": ("RuntimeError",), "UnicodeDecodeError": ("UnicodeError", "ValueError")}.get(kind, ())
    failure = type(raised.failure)(
        raised.failure.test,
        raised.failure.phase,
        raised.failure.outcome,
        (type(first)(kind, (kind, *bases, "Exception"), message, ()),),
        message,
    )
    found = pattern_of(type(raised)(failure, failure_class, subclass, ()), relation)
    assert found is not None
    assert found.name == name


def run(pattern: Pattern, text: str) -> object:
    """What the example's call gives, or the class name of what it raises."""
    namespace: dict[str, object] = {}
    exec(text, namespace)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a coroutine that is not awaited warns when it is collected
        try:
            return eval(pattern.call, namespace)
        except Exception as raised:  # noqa: BLE001 - the examples raise what they say
            return type(raised).__name__
        finally:
            namespace.clear()
            gc.collect()


ENDLESS = ("no_end",)
"""Examples whose call does not end before the change."""


@pytest.mark.parametrize("pattern", packaged_patterns(), ids=lambda pattern: pattern.name)
def test_each_worked_example_fails_before_and_works_after(pattern: Pattern) -> None:
    assert ast.dump(ast.parse(pattern.before)) != ast.dump(ast.parse(pattern.after))
    wanted = pattern.gives if pattern.gives.endswith("Error") else ast.literal_eval(pattern.gives)
    assert run(pattern, pattern.after) == wanted
    if pattern.name not in ENDLESS:
        assert run(pattern, pattern.before) != wanted
        assert not pattern.raises or run(pattern, pattern.before) == pattern.raises


@pytest.mark.parametrize("pattern", packaged_patterns(), ids=lambda pattern: pattern.name)
def test_each_pattern_is_short_and_has_a_trigger(pattern: Pattern) -> None:
    assert len(pattern.to_text()) <= 900
    assert pattern.exceptions or pattern.subclasses or pattern.relations
    assert set(pattern.relations) <= set(Relation.__members__)
    assert all((pattern.theme, pattern.says, pattern.pitfalls))


def test_a_pattern_that_is_not_whole_is_refused() -> None:
    with pytest.raises(ValueError, match=r"patterns\.toml: odd: "):
        read_patterns('[[pattern]]\nname = "odd"')
    with pytest.raises(ValueError, match=r"patterns\.toml: odd: "):
        read_patterns('[[pattern]]\nname = "odd"\ncolour = "red"')


def test_a_kind_is_read_from_a_closed_list() -> None:
    assert kinds_of_failures()[-1] == NONE_FITS
    found = read_kind("KIND: missing_key\n")
    assert found is not None
    assert found.name == "missing_key"
    for reply in ("KIND: something_else", "", f"KIND: {NONE_FITS}", "KIND: missing_key\nKIND: unicode", "missing_key"):
        assert read_kind(reply) is None


def test_the_question_of_the_kind_has_its_list() -> None:
    text = packaged_prompts().text("classify/task", kinds=", ".join(kinds_of_failures()))
    assert "missing_key" in text
    assert NONE_FITS in text


def test_the_stages_of_the_table_are_those_of_a_conversation() -> None:
    assert {stage.value for stage in Stage} == {"first", "later", "regenerate", "where"}


def test_what_a_model_is_told_of_its_replies_is_of_the_files_that_the_digest_covers() -> None:
    """A change of any such sentence changes the digest in the records."""
    prompts = packaged_prompts()
    said = [say_stress(stress) for stress in Stress if stress is not Stress.NOTHING]
    said += [answer_back(end, None, Stress.NOTHING) for end in (Unread(UnusableKind.FORM, "x"), Repeated("x"))]
    ends = (NotThere("f", "x"), Failed(frozenset({"t"}), "", ("b",)))
    said += [answer_back(end, None, Stress.NOTHING) for end in ends]
    said += [say_kind(EditKind.PATCH, EditKind.UPDATE), say_scope(frozenset({"s1"}))]
    words = " ".join(" ".join(lines) for name, lines in prompts.parts.items() if name.startswith("feedback/"))
    holes = re.sub(r"\{\w+\}", " ", words)
    for text in said:
        known = re.findall(r"[a-z]{3,}", text)
        assert known
        assert set(known) <= set(re.findall(r"[a-z]{3,}", holes)), text


@pytest.fixture
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of prompts that the environment names."""
    monkeypatch.setenv(PROMPTS, str(tmp_path / "prompts"))
    packaged_files.cache_clear()
    packaged_prompts.cache_clear()
    yield tmp_path / "prompts"
    packaged_files.cache_clear()
    packaged_prompts.cache_clear()


RULES = (resources.files(prompt_files.__package__) / "prompts" / "rules.md").read_text("utf-8")


def test_files_of_a_folder_stand_in_place_of_packaged_ones(own_folder: Path) -> None:
    own_folder.mkdir()
    (own_folder / "rules.md").write_text(RULES.replace("## elsewhere", "Mind the docstring.\n\n## elsewhere"))
    (own_folder / "unknown.md").write_text("Nobody asks for this.")
    assert "Mind the docstring." in packaged_prompts().text("rules/task")
    assert packaged_prompts().has("reply/form")
    assert "unknown.md" not in packaged_files()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (RULES.replace("## elsewhere", "## other"), "rules/elsewhere is not there"),
        (RULES.replace("Make the smallest", "For {task}, make the smallest"), "has other places to fill in"),
        ("## task\n\n## data\nx\n", "no line"),
        ("", "is not there"),
    ],
)
def test_a_file_that_lacks_what_a_packet_needs_is_told(own_folder: Path, text: str, found: str) -> None:
    own_folder.mkdir()
    (own_folder / "rules.md").write_text(text)
    with pytest.raises(UsageError, match=found):
        packaged_prompts()


def test_a_folder_that_is_not_there_is_told(own_folder: Path) -> None:
    with pytest.raises(UsageError, match="is not there"):
        packaged_prompts()
