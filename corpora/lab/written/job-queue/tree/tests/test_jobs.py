import unittest

from jobs.queue import JobQueue
from jobs.runner import Runner


class QueueTest(unittest.TestCase):
    def setUp(self):
        self.queue = JobQueue()

    def test_empty(self):
        self.assertEqual(self.queue.pop_due(100), [])
        self.assertIsNone(self.queue.next_due())

    def test_only_what_is_due(self):
        self.queue.add("a", 10)
        self.queue.add("b", 20)
        self.assertEqual(self.queue.pop_due(10), ["a"])
        self.assertEqual(self.queue.pop_due(19), [])
        self.assertEqual(len(self.queue), 1)

    def test_order(self):
        self.queue.add("late", 20, 1)
        self.queue.add("normal", 10)
        self.queue.add("urgent", 10, 1)
        self.queue.add("normal too", 10)
        self.assertEqual(self.queue.pop_due(20), ["urgent", "normal", "normal too", "late"])

    def test_limit(self):
        for name in "abc":
            self.queue.add(name, 1)
        self.assertEqual(self.queue.pop_due(5, limit=2), ["a", "b"])
        self.assertEqual(self.queue.pop_due(5, limit=2), ["c"])

    def test_cancel(self):
        self.queue.add("a", 1)
        self.assertTrue(self.queue.cancel("a"))
        self.assertFalse(self.queue.cancel("a"))
        self.assertNotIn("a", self.queue)
        self.assertEqual(len(self.queue), 0)
        self.assertEqual(self.queue.pop_due(5), [])

    def test_cancelled_between(self):
        for when, name in enumerate("abc"):
            self.queue.add(name, when)
        self.queue.cancel("b")
        self.assertEqual(self.queue.pop_due(5), ["a", "c"])

    def test_replacing(self):
        self.queue.add("a", 10)
        self.queue.add("a", 5)
        self.assertEqual(len(self.queue), 1)
        self.assertEqual(self.queue.next_due(), 5)

    def test_postpone(self):
        self.queue.add("a", 10)
        self.queue.add("b", 12)
        self.queue.postpone("a", 5)
        self.assertEqual(self.queue.names(), ["b", "a"])

    def test_next_due_skips_cancelled(self):
        self.queue.add("a", 1)
        self.queue.add("b", 2)
        self.queue.cancel("a")
        self.assertEqual(self.queue.next_due(), 2)


class RunnerTest(unittest.TestCase):
    def setUp(self):
        self.queue = JobQueue()
        self.runner = Runner(self.queue, retry_after=30)
        self.log = []

    def test_runs(self):
        self.runner.register("a", lambda: self.log.append("a"), every=10)
        self.queue.add("a", 0)
        self.assertEqual(self.runner.tick(0), ["a"])
        self.assertEqual(self.log, ["a"])
        self.assertEqual(self.queue.next_due(), 10)

    def test_failure_is_retried(self):
        def boom():
            raise RuntimeError("no")

        self.runner.register("x", boom)
        self.queue.add("x", 0)
        self.assertEqual(self.runner.tick(5), [])
        self.assertEqual(self.runner.failed, [("x", "no")])
        self.assertEqual(self.queue.next_due(), 35)

    def test_unknown(self):
        self.queue.add("y", 0)
        self.assertEqual(self.runner.tick(0), [])
        self.assertEqual(self.runner.failed, [("y", "unknown")])


if __name__ == "__main__":
    unittest.main()
