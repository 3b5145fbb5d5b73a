import pytest

from ticketflow import GuardRejected, Machine, UnknownEvent, WorkflowDefinition
from ticketflow.errors import NothingToUndo


def has_assignee(context):
    return True if context.get("assignee") else "nobody is assigned"


def has_resolution(context):
    return "resolution" in context


@pytest.fixture
def definition():
    d = WorkflowDefinition("ticket", "new", final=frozenset({"closed"}))
    d.add("start", "new", "active", has_assignee)
    d.add("resolve", "active", "resolved", has_assignee, has_resolution)
    d.add("reopen", "resolved", "active")
    d.add("close", "*", "closed")
    d.add("close", "resolved", "closed")
    return d


@pytest.fixture
def machine(definition):
    return Machine(definition)


def test_starts_in_initial_state(machine):
    assert machine.state == "new"
    assert machine.history == []
    assert not machine.finished


def test_fire_moves_and_records(machine):
    assert machine.fire("start", assignee="kim") == "active"
    assert machine.history == [("start", "new", "active")]
    assert machine.context == {"assignee": "kim"}


def test_unknown_event(machine):
    with pytest.raises(UnknownEvent):
        machine.fire("reopen")
    assert machine.state == "new"


def test_guard_reason(machine):
    with pytest.raises(GuardRejected) as info:
        machine.fire("start")
    assert info.value.reason == "nobody is assigned"


def test_guard_without_reason(machine):
    machine.fire("start", assignee="kim")
    with pytest.raises(GuardRejected) as info:
        machine.fire("resolve")
    assert info.value.reason == "not allowed"


def test_rejected_event_leaves_machine_alone(machine):
    with pytest.raises(GuardRejected):
        machine.fire("start", assignee="", note="please")
    assert machine.state == "new"
    assert machine.history == []
    assert machine.context == {}


def test_listener(machine):
    seen = []
    machine.on_change(lambda m, event, old, new: seen.append((event, old, new)))
    machine.fire("start", assignee="kim")
    assert seen == [("start", "new", "active")]


def test_context_object_is_the_callers(definition):
    context = {"assignee": "lee"}
    machine = Machine(definition, context)
    machine.fire("start", priority=2)
    assert machine.context is context
    assert context == {"assignee": "lee", "priority": 2}


def test_wildcard(machine):
    machine.fire("close")
    assert machine.finished
    with pytest.raises(UnknownEvent):
        machine.fire("close")


def test_undo(machine):
    machine.fire("start", assignee="kim")
    assert machine.undo() == "new"
    with pytest.raises(NothingToUndo):
        machine.undo()


def test_available(machine):
    assert machine.available() == ["close"]
    machine.context["assignee"] = "kim"
    assert machine.available() == ["close", "start"]
