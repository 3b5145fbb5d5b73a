import unittest

from deps.errors import CycleError, DependencyError, UnknownPackage
from deps.index import Index
from deps.plan import install_plan, removal_plan
from deps.resolve import install_order, layers, users_of

SHOP = """
app: web, db      # the shop
web: http, log
db: log
http: socket
log:
socket:
tool: log
"""


class IndexTest(unittest.TestCase):
    def test_parse(self):
        index = Index.parse(SHOP)
        self.assertEqual(index.needs("web"), ["http", "log"])
        self.assertEqual(index.needs("log"), [])
        self.assertIn("tool", index)

    def test_unknown(self):
        with self.assertRaises(UnknownPackage):
            Index().needs("x")


class OrderTest(unittest.TestCase):
    def order(self, packages, *wanted):
        return install_order(Index(packages), wanted)

    def test_nothing(self):
        self.assertEqual(self.order({"a": []}), [])

    def test_single(self):
        self.assertEqual(self.order({"a": [], "b": []}, "b"), ["b"])

    def test_chain(self):
        self.assertEqual(self.order({"a": ["b"], "b": ["c"], "c": []}, "a"), ["c", "b", "a"])

    def test_order_of_needs(self):
        self.assertEqual(self.order({"a": ["z", "b"], "b": [], "z": []}, "a"), ["z", "b", "a"])

    def test_several_wanted(self):
        packages = {"a": ["x"], "b": ["y"], "x": [], "y": []}
        self.assertEqual(self.order(packages, "b", "a"), ["y", "b", "x", "a"])

    def test_diamond(self):
        packages = {"a": ["b", "c"], "b": ["d"], "c": ["d"], "d": []}
        self.assertEqual(self.order(packages, "a"), ["d", "b", "c", "a"])

    def test_wanted_twice(self):
        self.assertEqual(self.order({"a": []}, "a", "a"), ["a"])

    def test_shop(self):
        self.assertEqual(install_order(Index.parse(SHOP), ["app"]),
                         ["socket", "http", "log", "web", "db", "app"])

    def test_cycle(self):
        with self.assertRaises(CycleError) as caught:
            self.order({"a": ["b"], "b": ["c"], "c": ["b"]}, "a")
        self.assertEqual(caught.exception.path, ["b", "c", "b"])

    def test_cycle_after_a_good_branch(self):
        packages = {"a": ["x", "b"], "x": [], "b": ["a"]}
        with self.assertRaises(CycleError) as caught:
            self.order(packages, "a")
        self.assertEqual(caught.exception.path, ["a", "b", "a"])

    def test_needs_itself(self):
        with self.assertRaises(CycleError) as caught:
            self.order({"a": ["a"]}, "a")
        self.assertEqual(str(caught.exception), "cycle: a -> a")

    def test_unknown_need(self):
        with self.assertRaises(UnknownPackage) as caught:
            self.order({"a": ["b"]}, "a")
        self.assertEqual(str(caught.exception), "unknown package b (needed by a)")
        self.assertIsInstance(caught.exception, DependencyError)


class OtherTest(unittest.TestCase):
    def setUp(self):
        self.index = Index.parse(SHOP)

    def test_layers(self):
        self.assertEqual(layers(self.index, ["db", "tool"]), [["log"], ["db", "tool"]])
        self.assertEqual(layers(self.index, []), [])

    def test_users(self):
        self.assertEqual(users_of(self.index, "http"), {"web", "app"})

    def test_install_plan(self):
        self.assertEqual(install_plan(self.index, ["web"], ["log"]), ["socket", "http", "web"])

    def test_removal_plan(self):
        self.assertEqual(removal_plan(self.index, "http", ["socket", "http", "log", "web"]),
                         ["web", "http"])
