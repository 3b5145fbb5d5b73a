from datetime import datetime, timedelta
from itertools import permutations

import pytest

from access import PermissionDenied, Policy, Role, UnknownRole, User

NOW = datetime(2024, 5, 1, 12, 0)
HOUR = timedelta(hours=1)


def make(*roles):
    return Policy(roles, now=lambda: NOW)


def user(*names, **kw):
    u = User("u", **kw)
    for name in names:
        u.assign(name)
    return u


@pytest.mark.parametrize("order", list(permutations(["g", "d", "other"])))
def test_order_of_three_roles(order):
    policy = make(Role("g", grants={"a:b"}), Role("d", denies={"a:b"}), Role("other", grants={"c:d"}))
    assert not policy.is_allowed(user(*order), "a:b")
    assert policy.is_allowed(user(*order), "c:d")


def test_wildcard_denial_of_action():
    policy = make(Role("g", grants={"a:b", "a:c", "x:b"}), Role("d", denies={"a:*"}))
    assert policy.allowed_actions(user("g", "d"), "a", ["b", "c"]) == []
    assert policy.is_allowed(user("g", "d"), "x:b")


def test_wildcard_denial_of_resource():
    policy = make(Role("g", grants={"a:delete", "a:read"}), Role("d", denies={"*:delete"}))
    assert policy.allowed_actions(user("g", "d"), "a", ["delete", "read"]) == ["read"]


def test_exact_denial_in_wildcard_grant():
    policy = make(Role("g", grants={"*:*"}), Role("d", denies={"a:b"}))
    assert not policy.is_allowed(user("g", "d"), "a:b")
    assert policy.is_allowed(user("g", "d"), "a:c")
    assert policy.is_allowed(user("g", "d"), "b:b")


def test_more_specific_grant_does_not_beat_denial():
    policy = make(Role("g", grants={"a:b"}), Role("d", denies={"*:*"}))
    assert not policy.is_allowed(user("g", "d"), "a:b")
    assert not policy.is_allowed(user("d", "g"), "a:b")


def test_same_role_grants_and_denies():
    policy = make(Role("r", grants={"a:*"}, denies={"a:delete"}))
    assert policy.allowed_actions(user("r"), "a", ["read", "delete"]) == ["read"]


def test_denial_by_parent():
    policy = make(Role("child", grants={"a:b"}, parents=["p"]), Role("p", denies={"a:b"}))
    assert not policy.is_allowed(user("child"), "a:b")


def test_denial_by_grandparent():
    policy = make(
        Role("child", grants={"a:b"}, parents=["p"]),
        Role("p", grants={"c:d"}, parents=["g"]),
        Role("g", denies={"a:b"}),
    )
    assert not policy.is_allowed(user("child"), "a:b")
    assert policy.is_allowed(user("child"), "c:d")


def test_child_denial_of_parent_grant():
    policy = make(Role("child", denies={"a:b"}, parents=["p"]), Role("p", grants={"a:*"}))
    assert policy.allowed_actions(user("child"), "a", ["b", "c"]) == ["c"]


def test_denial_by_parent_of_second_role():
    policy = make(
        Role("one", grants={"a:b"}),
        Role("two", grants={"c:d"}, parents=["three"]),
        Role("three", denies={"a:b"}),
    )
    assert not policy.is_allowed(user("one", "two"), "a:b")


def test_denial_in_a_role_that_grants_something_else():
    policy = make(Role("one", grants={"a:b"}), Role("two", grants={"c:d"}, denies={"a:b"}))
    for u in (user("one", "two"), user("two", "one")):
        assert not policy.is_allowed(u, "a:b")
        assert policy.is_allowed(u, "c:d")


def test_grant_by_grandparent():
    policy = make(Role("c", parents=["p"]), Role("p", parents=["g"]), Role("g", grants={"a:b"}))
    assert policy.is_allowed(user("c"), "a:b")


def test_ended_denial_does_not_count():
    policy = make(Role("g", grants={"a:b"}), Role("d", denies={"a:b"}))
    u = user("g").assign("d", until=NOW - HOUR)
    assert policy.is_allowed(u, "a:b")


def test_running_denial_counts():
    policy = make(Role("g", grants={"a:b"}), Role("d", denies={"a:b"}))
    u = user("g").assign("d", until=NOW + HOUR)
    assert not policy.is_allowed(u, "a:b")


def test_ended_grant_does_not_count():
    policy = make(Role("g", grants={"a:b"}))
    assert not policy.is_allowed(User("u").assign("g", until=NOW), "a:b")


def test_superuser_ignores_denials():
    policy = make(Role("d", denies={"*:*"}))
    assert policy.is_allowed(user("d", superuser=True), "a:b")


def test_superuser_with_unknown_role_is_fine():
    assert make().is_allowed(user("nobody", superuser=True), "a:b")


def test_unknown_role_is_reported_even_if_granted_before():
    policy = make(Role("g", grants={"a:b"}, parents=["missing"]))
    with pytest.raises(UnknownRole):
        policy.is_allowed(user("g"), "a:b")


@pytest.mark.parametrize("name", ["a", "a:", ":b", "a:b:c", ""])
def test_malformed_permission(name):
    policy = make(Role("g", grants={"*:*"}))
    for u in (user("g"), user(), user(superuser=True)):
        with pytest.raises(ValueError):
            policy.is_allowed(u, name)


def test_roles_are_not_changed():
    g = Role("g", grants={"a:b", "a:c"}, parents=["d"])
    d = Role("d", denies={"a:b"})
    policy = make(g, d)
    u = user("g")
    for _ in range(2):
        assert not policy.is_allowed(u, "a:b")
        assert policy.is_allowed(u, "a:c")
    assert g.grants == {"a:b", "a:c"} and g.denies == set() and g.parents == ["d"]
    assert d.denies == {"a:b"} and d.grants == set()
    assert [a.role for a in u.assignments] == ["g"]
    assert policy.is_allowed(user("g", superuser=True), "a:b")


def test_other_user_of_the_role_is_not_affected():
    policy = make(Role("g", grants={"a:b"}), Role("d", denies={"a:b"}))
    assert not policy.is_allowed(user("g", "d"), "a:b")
    assert policy.is_allowed(user("g"), "a:b")


def test_later_change_of_role_is_seen():
    d = Role("d")
    policy = make(Role("g", grants={"a:b"}), d)
    u = user("g", "d")
    assert policy.is_allowed(u, "a:b")
    d.denies.add("a:b")
    assert not policy.is_allowed(u, "a:b")


def test_require_and_users_with():
    policy = make(Role("g", grants={"a:b"}), Role("d", denies={"a:*"}))
    good, bad = User("good").assign("g"), User("bad").assign("g").assign("d")
    assert policy.users_with([bad, good], "a:b") == ["good"]
    with pytest.raises(PermissionDenied):
        policy.require(bad, "a:b")
    assert policy.log == [("bad", "a:b", False)]


def test_result_is_bool():
    policy = make(Role("g", grants={"a:b"}), Role("d", denies={"a:c"}))
    assert policy.is_allowed(user("g", "d"), "a:b") is True
    assert policy.is_allowed(user("g", "d"), "a:c") is False
    assert policy.is_allowed(user("g", "d"), "x:y") is False
    assert policy.is_allowed(user(), "x:y") is False


def test_circular_roles_with_denial():
    policy = make(
        Role("a", grants={"x:y"}, parents=["b"]),
        Role("b", denies={"x:y"}, parents=["a"]),
    )
    assert not policy.is_allowed(user("a"), "x:y")
    assert not policy.is_allowed(user("b"), "x:y")
