import unittest

from hookbus import HookError, PluginManager, hook


class Greeter:
    @hook
    def greet(self, who):
        return f"hello {who}"


class Polite:
    @hook(priority=5)
    def greet(self, who):
        return f"good day {who}"


class Silent:
    @hook
    def greet(self, who):
        return None


class Discount:
    @hook(name="price")
    def lower(self, amount):
        return amount - 10


class RegisterTest(unittest.TestCase):
    def setUp(self):
        self.manager = PluginManager()
        self.manager.declare("greet")

    def test_name_from_class(self):
        self.assertEqual(self.manager.register(Greeter()), "greeter")
        self.assertEqual(self.manager.plugins(), ["greeter"])

    def test_twice(self):
        self.manager.register(Greeter())
        with self.assertRaises(HookError):
            self.manager.register(Greeter())
        self.manager.register(Greeter(), "other")

    def test_unknown_hook(self):
        with self.assertRaises(HookError):
            self.manager.register(Discount())
        self.assertEqual(self.manager.plugins(), [])

    def test_declared_twice(self):
        with self.assertRaises(HookError):
            self.manager.declare("greet")

    def test_unregister(self):
        plugin = Greeter()
        self.manager.register(plugin)
        self.assertIs(self.manager.unregister("greeter"), plugin)
        self.assertEqual(self.manager.call("greet", who="you"), [])
        with self.assertRaises(HookError):
            self.manager.unregister("greeter")


class CallTest(unittest.TestCase):
    def setUp(self):
        self.manager = PluginManager()
        self.manager.declare("greet")
        self.manager.declare("price", first_only=True)

    def test_order_and_silence(self):
        for plugin in (Greeter(), Silent(), Polite()):
            self.manager.register(plugin)
        self.assertEqual(
            self.manager.call("greet", who="you"), ["good day you", "hello you"]
        )

    def test_unknown(self):
        with self.assertRaises(HookError):
            self.manager.call("nope")

    def test_first_only(self):
        self.manager.register(Discount(), "a")
        self.manager.register(Discount(), "b")
        self.assertEqual(self.manager.call("price", amount=50), 40)

    def test_first_only_nobody(self):
        self.assertIsNone(self.manager.call("price", amount=50))

    def test_first_only_zero(self):
        self.manager.register(Discount())
        self.assertEqual(self.manager.call("price", amount=10), 0)


if __name__ == "__main__":
    unittest.main()
