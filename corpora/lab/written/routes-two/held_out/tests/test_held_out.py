import pytest

from routes.graph import Graph
from routes.search import NoRoute, shortest
from routes.trip import tour

BIG = Graph.from_text("""
a b 7
a c 9
a f 14
b c 10
b d 15
c d 11
c f 2
d e 6
e f 9
x y >1
y z >1
x z >5
""")


@pytest.mark.parametrize("start, goal, length, path", [
    ("a", "b", 7, "ab"), ("a", "c", 9, "ac"), ("a", "d", 20, "acd"), ("a", "e", 20, "acfe"), ("a", "f", 11, "acf"),
    ("e", "a", 20, "efca"), ("f", "a", 11, "fca"), ("f", "d", 13, "fcd"), ("d", "f", 13, "dcf"), ("b", "d", 15, "bd"),
    ("b", "f", 12, "bcf"), ("e", "c", 11, "efc"), ("x", "z", 2, "xyz"), ("a", "a", 0, "a"),
])
def test_shortest(start, goal, length, path):
    assert shortest(BIG, start, goal) == (length, list(path))


def chain(direct):
    g = Graph()
    for a, b in zip("pqrst", "qrstu"):
        g.add(a, b, 1, both=False)
    g.add("p", "u", direct, both=False)
    return g


@pytest.mark.parametrize("direct, length", [(1, 1), (4, 4), (6, 5), (20, 5)])
def test_many_short_steps(direct, length):
    assert shortest(chain(direct), "p", "u")[0] == length


def test_several_late_improvements():
    g = Graph.from_text("s t >20\ns a >1\na t >15\na b >1\nb t >9\nb c >1\nc t >1")
    assert shortest(g, "s", "t") == (4, ["s", "a", "b", "c", "t"])


def test_zero_lengths():
    g = Graph.from_text("a d >1\na b 0\nb c 0\nc d >0")
    assert shortest(g, "a", "d") == (0, ["a", "b", "c", "d"])


def test_detour_that_starts_with_a_long_step():
    g = Graph.from_text("s g >10\ns a >8\na g >1")
    assert shortest(g, "s", "g") == (9, ["s", "a", "g"])


@pytest.mark.parametrize("start, goal", [("a", "x"), ("z", "x"), ("z", "y")])
def test_no_route(start, goal):
    with pytest.raises(NoRoute):
        shortest(BIG, start, goal)


@pytest.mark.parametrize("start, goal", [("a", "?"), ("?", "a"), ("?", "?")])
def test_unknown(start, goal):
    with pytest.raises(KeyError):
        shortest(BIG, start, goal)


def test_tour():
    assert tour(BIG, ["a", "f", "d"]) == (24, list("acfcd"))
