import itertools

import pytest

from permits.policy import Denied, Policy, User
from permits.roles import RoleTree


def policy(*lines, tree=None):
    return Policy.from_text("\n".join(lines), tree)


A, D, N = "allow r read x", "deny r read x", "allow other read x"


@pytest.mark.parametrize("lines, want", [
    ([], False), ([A], True), ([D], False), ([N], False),
    ([A, D], False), ([D, A], False), ([A, A], True), ([A, D, A], False),
    ([A, A, D], False), ([N, A], True), ([A, N], True), ([D, N], False),
    ([A, N, D], False), ([A, "deny other read x"], True), ([A, "deny r write x"], True),
    ([A, "deny r read y"], True),
])
def test_lists(lines, want):
    assert policy(*lines).allows(User("u", ["r"]), "read", "x") is want


def test_order_never_matters():
    lines = ["allow r * *", "deny r read secret/*", "allow s read secret/*", "deny s write *"]
    u = User("u", ["r", "s"])
    for order in itertools.permutations(lines):
        p = policy(*order)
        assert p.allows(u, "read", "open") is True
        assert p.allows(u, "read", "secret/a") is False
        assert p.allows(u, "write", "open") is False
        assert p.allows(u, "delete", "secret/a") is True


def test_broad_deny_beats_narrow_allow():
    p = policy("allow r read docs/a", "deny r * *")
    assert not p.allows(User("u", ["r"]), "read", "docs/a")


def test_deny_of_another_role_of_the_user():
    p = policy("allow staff enter lab", "deny banned enter *")
    assert p.allows(User("u", ["staff"]), "enter", "lab")
    assert not p.allows(User("u", ["staff", "banned"]), "enter", "lab")


def test_deny_of_an_included_role():
    tree = RoleTree()
    tree.define("admin", "editor")
    tree.define("editor", "reader")
    p = policy("allow admin * *", "deny reader drop *", tree=tree)
    u = User("u", ["admin"])
    assert not p.allows(u, "drop", "db")
    assert p.allows(u, "make", "db")


def test_inactive():
    p = policy(A)
    assert not p.allows(User("u", ["r"], active=False), "read", "x")


def test_check_and_visible():
    p = policy("allow r read *", "deny r read b*", "allow r read bb")
    u = User("u", ["r"])
    assert p.visible(u, ["a", "b", "bb", "c"]) == ["a", "c"]
    with pytest.raises(Denied):
        p.check(u, "read", "bb")


def test_asking_twice():
    p = policy(A, D)
    u = User("u", ["r"])
    assert [p.allows(u, "read", "x") for _ in range(3)] == [False] * 3
    assert [r.effect for r in p.rules] == ["allow", "deny"]


def test_rules_added_later():
    p = policy(A)
    u = User("u", ["r"])
    assert p.allows(u, "read", "x")
    p.rules += policy(D).rules
    assert not p.allows(u, "read", "x")
