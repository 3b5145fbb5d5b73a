import pytest

from tree import Node


@pytest.fixture
def nodes():
    root = Node("")
    home = Node("home", root)
    return {"root": root, "home": home, "ann": Node("ann", home), "bob": Node("bob", home), "etc": Node("etc", root)}


def test_ancestors(nodes):
    assert [node.name for node in nodes["ann"].ancestors()] == ["home", ""]
    assert list(nodes["root"].ancestors()) == []


@pytest.mark.parametrize(("name", "path"), [("ann", "/home/ann"), ("etc", "/etc"), ("root", "/")])
def test_path(nodes, name, path):
    assert nodes[name].path() == path


def test_common(nodes):
    assert nodes["ann"].common(nodes["bob"]) is nodes["home"]
    assert nodes["ann"].common(nodes["home"]) is nodes["home"]
    assert nodes["ann"].common(Node("x")) is None


def test_siblings(nodes):
    assert nodes["ann"].siblings() == [nodes["bob"]]


def test_the_root_has_no_siblings(nodes):
    assert nodes["root"].siblings() == []


def test_a_lone_folder_has_no_siblings():
    assert Node("alone").siblings() == []
