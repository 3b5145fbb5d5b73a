"""What each type of event holds, and that nothing else is sent."""

import ast
from pathlib import Path

import jsonschema
import pytest

from repair.records.events import TYPES, event, events_schema, fields_of, phase, problems_of
from repair.show.output import schema_named

ROOT = Path(__file__).parents[3]


def sent():
    """Each place that makes an event: its type, the fields that are named there, and whether there are others."""
    for path in (ROOT / "repair").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "event":
                names = [each.arg for each in node.keywords]
                if isinstance(node.args[0], ast.Constant):
                    yield f"{path.name}:{node.lineno}", node.args[0].value, [n for n in names if n], None in names


def test_whatever_is_sent_is_known_with_its_fields():
    wrong, seen = [], set()
    for place, kind, names, has_others in sent():
        seen.add(kind)
        fields = fields_of(TYPES.get(kind, ""))
        wrong += [f"{place}: {kind} has no {name}" for name in names if name not in fields]
        needed = {name for name, (_, always) in fields.items() if always}
        if not has_others:
            wrong += [f"{place}: {kind} lacks {name}" for name in needed.difference(names)]
    assert wrong == []
    assert seen == set(TYPES)


@pytest.mark.parametrize(
    ("happened", "problem"),
    [
        (event("finished"), "lacks status"),
        (event("finished", status="x", more=1), "no field 'more'"),
        (event("finished", status=3), "is no text"),
        (event("request", number=True, purpose="", tries=1, ended=""), "is no count"),
        (event("phase", name="", detail="", estimate_seconds="3"), "is no number"),
        (event("suspects", suspects=("a",)), "is no texts"),
        (event("progress", tried=1, suspect="", ended={"a": "b"}), "is no counts"),
        (event("news"), "there is no event 'news'"),
    ],
)
def test_an_event_of_another_shape_is_named(happened, problem):
    (said,) = problems_of(happened)
    assert problem in said


def test_a_right_event_has_no_problem():
    assert problems_of(phase("search")) == ()
    assert problems_of(event("progress", tried=1, suspect="f", ended={"a": 2}, families=["a"])) == ()


def test_the_schema_takes_what_is_written_and_what_is_to_come():
    judge = jsonschema.Draft202012Validator(events_schema())
    lines = [
        {"schema": "repair.events/1"},
        {"at": 0.5, "type": "finished", "status": "certified", "a_field_of_tomorrow": 1},
        {"at": 1.0, "type": "a_type_of_tomorrow", "x": []},
        {"at": 1.0, "type": "program", "file": "a.py", "function": "f", "sha256": "0" * 64},
    ]
    assert [list(judge.iter_errors(line)) for line in lines] == [[]] * 4
    for wrong in ({"at": 0.5, "type": "finished"}, {"type": "finished", "status": "x"}, {"status": "x"}, 5):
        assert list(judge.iter_errors(wrong))
    assert schema_named("events") == {"$schema": judge.META_SCHEMA["$id"], **events_schema()}
