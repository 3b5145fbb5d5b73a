import pytest

from ticketflow import GuardRejected, Machine, UnknownEvent, WorkflowDefinition


def assigned(context):
    return True if context.get("assignee") else "nobody is assigned"


def small(context):
    return context.get("cost", 0) <= 100


def make(context=None):
    d = WorkflowDefinition("order", "draft", final=frozenset({"paid"}))
    d.add("submit", "draft", "waiting", assigned)
    d.add("approve", "waiting", "approved", assigned, small)
    d.add("pay", "approved", "paid")
    return Machine(d, context)


def test_empty_context_stays_empty():
    m = make()
    with pytest.raises(GuardRejected):
        m.fire("submit", note="x")
    assert m.context == {}


def test_older_entries_survive_rejection():
    m = make({"colour": "red"})
    with pytest.raises(GuardRejected):
        m.fire("submit", note="x")
    assert m.context == {"colour": "red"}


def test_overwritten_entry_is_restored():
    m = make({"assignee": "kim"})
    with pytest.raises(GuardRejected):
        m.fire("submit", assignee="")
    assert m.context == {"assignee": "kim"}


def test_overwritten_and_new_entry():
    m = make({"assignee": "kim", "cost": 5})
    m.fire("submit")
    with pytest.raises(GuardRejected):
        m.fire("approve", cost=500, note="big")
    assert m.context == {"assignee": "kim", "cost": 5}
    assert m.state == "waiting"


def test_second_guard_rejects():
    m = make({"assignee": "kim"})
    m.fire("submit")
    with pytest.raises(GuardRejected) as info:
        m.fire("approve", cost=101)
    assert info.value.reason == "not allowed"
    assert "cost" not in m.context


def test_guards_see_old_context_and_data_together():
    m = make({"assignee": "kim"})
    m.fire("submit", cost=3)
    assert m.fire("approve", cost=100) == "approved"
    assert m.context == {"assignee": "kim", "cost": 100}


def test_context_object_is_kept_on_rejection():
    context = {"colour": "red"}
    m = make(context)
    with pytest.raises(GuardRejected):
        m.fire("submit", assignee="", size=2)
    assert m.context is context
    assert context == {"colour": "red"}


def test_context_object_is_kept_on_success():
    context = {}
    m = make(context)
    m.fire("submit", assignee="kim")
    assert m.context is context
    assert context == {"assignee": "kim"}


def test_history_and_state_after_rejection():
    m = make({"assignee": "kim"})
    m.fire("submit")
    with pytest.raises(GuardRejected):
        m.fire("approve", cost=1000)
    assert m.history == [("submit", "draft", "waiting")]
    assert m.state == "waiting"


def test_can_retry_after_rejection():
    m = make()
    with pytest.raises(GuardRejected):
        m.fire("submit", assignee="")
    assert m.fire("submit", assignee="lee") == "waiting"
    assert m.context == {"assignee": "lee"}


def test_rejected_data_does_not_let_later_event_through():
    m = make({"assignee": "kim"})
    m.fire("submit")
    with pytest.raises(GuardRejected):
        m.fire("approve", cost=999)
    assert m.can("approve")
    assert m.fire("approve") == "approved"


def test_unknown_event_does_not_touch_context():
    m = make({"a": 1})
    with pytest.raises(UnknownEvent):
        m.fire("pay", a=2, b=3)
    assert m.context == {"a": 1}


def test_listeners_not_called_on_rejection_and_see_data_on_success():
    m = make()
    seen = []
    m.on_change(lambda machine, event, old, new: seen.append((event, dict(machine.context))))
    with pytest.raises(GuardRejected):
        m.fire("submit", note="n")
    assert seen == []
    m.fire("submit", assignee="kim")
    assert seen == [("submit", {"assignee": "kim"})]


def test_data_kept_when_no_guards():
    m = make({"assignee": "kim"})
    m.fire("submit")
    m.fire("approve")
    m.fire("pay", receipt=7)
    assert m.context["receipt"] == 7
    assert m.finished
