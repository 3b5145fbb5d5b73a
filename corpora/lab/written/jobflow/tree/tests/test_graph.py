import pytest

from jobflow import CycleError, JobGraph, UnknownJob


@pytest.fixture
def graph():
    g = JobGraph()
    g.add("deploy", ["test", "package"])
    g.add("test", ["build"])
    g.add("package", ["build"])
    g.add("build")
    g.add("docs")
    return g


def test_order(graph):
    assert graph.order() == ["build", "docs", "test", "package", "deploy"]


def test_unknown(graph):
    graph.add("sign", ["key"])
    with pytest.raises(UnknownJob):
        graph.order()


def test_cycle():
    g = JobGraph()
    g.add("a", ["b"])
    g.add("b", ["a"])
    g.add("c")
    with pytest.raises(CycleError) as info:
        g.order()
    assert info.value.jobs == ["a", "b"]


def test_upstream(graph):
    assert graph.upstream("deploy") == {"test", "package", "build"}
    assert graph.upstream("docs") == set()


def test_dependants(graph):
    assert graph.dependants("build") == {"test", "package"}


def test_plan(graph):
    assert graph.plan("test", "docs") == ["build", "docs", "test"]


def test_needs_is_a_copy(graph):
    graph.needs("test").add("docs")
    assert graph.needs("test") == {"build"}
