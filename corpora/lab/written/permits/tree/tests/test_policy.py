import pytest

from permits.policy import Denied, Policy, User
from permits.roles import RoleTree
from permits.rules import Rule, parse_rules

TEXT = """
deny  guest   *      admin/*
allow reader  read   *            # everybody reads
allow editor  write  docs/*
deny  editor  write  docs/legal/*
allow admin   *      *
"""


@pytest.fixture
def policy():
    tree = RoleTree()
    tree.define("editor", "reader")
    tree.define("admin", "editor")
    return Policy.from_text(TEXT, tree)


def test_parse():
    assert parse_rules("allow a read x # yes\n\n") == [Rule("allow", "a", "read", "x")]
    with pytest.raises(ValueError):
        parse_rules("allow a read")
    with pytest.raises(ValueError):
        parse_rules("permit a read x")


def test_role_tree():
    tree = RoleTree()
    tree.define("a", "b")
    tree.define("b", "a")
    assert tree.expand(["a"]) == {"a", "b"}


def test_reader(policy):
    u = User("rita", ["reader"])
    assert policy.allows(u, "read", "docs/a")
    assert not policy.allows(u, "write", "docs/a")


def test_no_roles(policy):
    assert not policy.allows(User("nobody"), "read", "docs/a")


def test_included_roles(policy):
    u = User("ed", ["editor"])
    assert policy.allows(u, "read", "docs/a")
    assert policy.allows(u, "write", "docs/a")


def test_deny_before_allow(policy):
    u = User("gus", ["guest", "reader"])
    assert not policy.allows(u, "read", "admin/users")
    assert policy.allows(u, "read", "docs/a")


def test_deny_after_allow(policy):
    u = User("ed", ["editor"])
    assert not policy.allows(u, "write", "docs/legal/terms")
    assert policy.allows(u, "read", "docs/legal/terms")


def test_admin(policy):
    assert policy.allows(User("ann", ["admin"]), "delete", "db")


def test_inactive_user(policy):
    assert not policy.allows(User("ann", ["admin"], active=False), "read", "docs/a")


def test_check(policy):
    policy.check(User("rita", ["reader"]), "read", "x")
    with pytest.raises(Denied, match="rita may not write x"):
        policy.check(User("rita", ["reader"]), "write", "x")


def test_visible(policy):
    u = User("gus", ["guest", "reader"])
    assert policy.visible(u, ["a", "admin/x", "b"]) == ["a", "b"]
