import unittest

from routes.graph import Graph
from routes.search import NoRoute, reachable, shortest
from routes.trip import describe, tour

MAP = """
# a small town
home mill 4
home inn 1
inn mill 2
mill church 5
quarry lake >3
"""


class RoutesTest(unittest.TestCase):
    def setUp(self):
        self.graph = Graph.from_text(MAP)

    def test_neighbours(self):
        self.assertEqual(self.graph.neighbours("home"), [("inn", 1), ("mill", 4)])

    def test_direct(self):
        self.assertEqual(shortest(self.graph, "mill", "church"), (5, ["mill", "church"]))

    def test_way_round_is_shorter(self):
        self.assertEqual(shortest(self.graph, "home", "mill"), (3, ["home", "inn", "mill"]))

    def test_same_place(self):
        self.assertEqual(shortest(self.graph, "inn", "inn"), (0, ["inn"]))

    def test_no_route(self):
        with self.assertRaises(NoRoute):
            shortest(self.graph, "home", "lake")

    def test_one_way(self):
        with self.assertRaises(NoRoute):
            shortest(self.graph, "lake", "quarry")

    def test_unknown_place(self):
        with self.assertRaises(KeyError):
            shortest(self.graph, "home", "moon")

    def test_reachable(self):
        self.assertEqual(reachable(self.graph, "quarry"), {"quarry", "lake"})

    def test_tour(self):
        self.assertEqual(tour(self.graph, ["church", "mill", "inn"]), (7, ["church", "mill", "inn"]))
        self.assertEqual(tour(self.graph, []), (0, []))

    def test_describe(self):
        self.assertEqual(describe(self.graph, ["home", "inn", "mill"]), "home -1-> inn -2-> mill")


if __name__ == "__main__":
    unittest.main()
