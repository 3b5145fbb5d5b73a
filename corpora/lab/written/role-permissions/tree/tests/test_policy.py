from datetime import datetime, timedelta

import pytest

from access import PermissionDenied, Policy, Role, UnknownRole, User

NOW = datetime(2024, 5, 1, 12, 0)


@pytest.fixture
def policy():
    return Policy(
        [
            Role("reader", grants={"*:read"}),
            Role("clerk", grants={"invoice:write", "order:*"}, parents=["reader"]),
            Role("external", denies={"invoice:*"}),
            Role("trainee", grants={"order:delete"}, parents=["clerk", "limited"]),
            Role("limited", denies={"order:delete"}),
        ],
        now=lambda: NOW,
    )


def test_grant_and_inheritance(policy):
    ann = User("ann").assign("clerk")
    assert policy.is_allowed(ann, "invoice:write")
    assert policy.is_allowed(ann, "order:delete")
    assert policy.is_allowed(ann, "customer:read")
    assert not policy.is_allowed(ann, "customer:write")


def test_no_roles_no_rights(policy):
    assert not policy.is_allowed(User("bob"), "order:read")


def test_denial_wins_whatever_the_order_of_roles(policy):
    first = User("cid").assign("external").assign("clerk")
    last = User("dee").assign("clerk").assign("external")
    for user in (first, last):
        assert not policy.is_allowed(user, "invoice:write")
        assert not policy.is_allowed(user, "invoice:read")
        assert policy.is_allowed(user, "order:read")


def test_denial_is_inherited(policy):
    eve = User("eve").assign("trainee")
    assert not policy.is_allowed(eve, "order:delete")
    assert policy.is_allowed(eve, "order:write")


def test_denial_alone_grants_nothing(policy):
    assert not policy.is_allowed(User("fay").assign("external"), "order:read")


def test_assignment_ends(policy):
    gus = User("gus").assign("reader", until=NOW)
    hal = User("hal").assign("reader", until=NOW + timedelta(seconds=1))
    assert policy.users_with([gus, hal], "order:read") == ["hal"]


def test_superuser(policy):
    root = User("root", superuser=True)
    assert policy.is_allowed(root, "server:reboot")
    with pytest.raises(ValueError):
        policy.is_allowed(root, "reboot")


def test_unknown_role(policy):
    with pytest.raises(UnknownRole):
        policy.is_allowed(User("ida").assign("boss"), "order:read")


def test_circular_parents():
    policy = Policy([
        Role("a", grants={"x:read"}, parents=["b"]),
        Role("b", grants={"x:write"}, parents=["a"]),
    ])
    user = User("jon").assign("a")
    assert policy.allowed_actions(user, "x", ["write", "delete", "read"]) == ["write", "read"]


def test_require(policy):
    ann = User("ann").assign("clerk")
    policy.require(ann, "order:read")
    with pytest.raises(PermissionDenied, match="ann may not server:reboot"):
        policy.require(ann, "server:reboot")
    assert policy.log == [("ann", "order:read", True), ("ann", "server:reboot", False)]
