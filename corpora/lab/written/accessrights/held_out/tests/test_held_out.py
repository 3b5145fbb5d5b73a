import pytest

from access import Access
from folders import Folder
from groups import Groups


@pytest.fixture
def world():
    groups = Groups()
    groups.join("bob", "staff")
    groups.join("bob", "guests")
    groups.join("staff", "everyone")
    a = Folder("a")
    b = Folder("b", a)
    c = Folder("c", b)
    return Access(groups), a, b, c


NAMES = ["bob", "staff", "guests", "everyone"]


@pytest.mark.parametrize("allowed, denied", [(x, y) for x in NAMES for y in NAMES if x != y])
def test_denial_beats_permission(world, allowed, denied):
    access, a, b, c = world
    b.allow(allowed, "read")
    b.deny(denied, "read")
    assert not access.is_allowed("bob", "read", b)
    assert not access.is_allowed("bob", "read", c)


@pytest.mark.parametrize("upper", NAMES)
@pytest.mark.parametrize("lower", ["bob", "everyone"])
def test_nearer_permission_beats_upper_denial(world, upper, lower):
    access, a, b, c = world
    a.deny(upper, "write")
    b.allow(lower, "write")
    assert access.is_allowed("bob", "write", c)
    assert not access.is_allowed("bob", "write", a)


def test_nearer_denial_beats_upper_permission(world):
    access, a, b, c = world
    a.allow("bob", "write")
    b.deny("everyone", "write")
    assert not access.is_allowed("bob", "write", c)
    assert access.is_allowed("bob", "write", a)


def test_denial_of_other_right(world):
    access, a, b, c = world
    b.allow("staff", "read")
    b.deny("guests", "write")
    assert access.is_allowed("bob", "read", b)
    assert not access.is_allowed("bob", "write", b)


def test_denial_of_other_user(world):
    access, a, b, c = world
    b.allow("staff", "read")
    b.deny("ann", "read")
    assert access.is_allowed("bob", "read", b)


def test_two_permissions(world):
    access, a, b, c = world
    b.allow("staff", "read")
    b.allow("guests", "read")
    assert access.is_allowed("bob", "read", c)


def test_no_inheritance_stops(world):
    access, a, b, c = world
    a.allow("bob", "read")
    b.inherit = False
    assert not access.is_allowed("bob", "read", c)
    c.allow("bob", "read")
    assert access.is_allowed("bob", "read", c)


def test_own_rules_of_folder_without_inheritance(world):
    access, a, b, c = world
    a.deny("bob", "read")
    b.inherit = False
    b.allow("everyone", "read")
    assert access.is_allowed("bob", "read", c)


def test_unknown_right(world):
    access, a, b, c = world
    with pytest.raises(ValueError):
        access.is_allowed("bob", "fly", a)
