import unittest

from jobs.backoff import delay
from jobs.scheduler import Scheduler


class Flaky:
    """Fails or not, as the letters say: x fails, . works."""

    def __init__(self, plan):
        self.plan = list(plan)

    def __call__(self):
        if self.plan.pop(0) == "x":
            raise RuntimeError("boom")


class SchedulerTest(unittest.TestCase):
    def setUp(self):
        self.s = Scheduler()

    def test_runs_when_due(self):
        seen = []
        self.s.add("a", lambda: seen.append(1), every=10, start=5)
        self.assertEqual(self.s.tick(4), [])
        self.assertEqual(self.s.tick(5), ["a"])
        self.assertEqual(self.s.tick(14), [])
        self.assertEqual(self.s.tick(15), ["a"])
        self.assertEqual(len(seen), 2)

    def test_oldest_first(self):
        self.s.add("a", lambda: None, every=10, start=3)
        self.s.add("b", lambda: None, every=10, start=1)
        self.assertEqual(self.s.tick(5), ["b", "a"])

    def test_same_name_twice(self):
        self.s.add("a", lambda: None, every=1)
        with self.assertRaises(ValueError):
            self.s.add("a", lambda: None, every=1)

    def test_bad_interval(self):
        with self.assertRaises(ValueError):
            self.s.add("a", lambda: None, every=0)

    def test_failure_backs_off(self):
        job = self.s.add("f", Flaky("xx"), every=10)
        self.s.tick(0)
        self.assertEqual(job.next_run, 20)
        self.assertEqual(job.last_error, "boom")
        self.s.tick(20)
        self.assertEqual(job.next_run, 60)
        self.assertTrue(job.enabled)

    def test_off_after_three_failures(self):
        job = self.s.add("f", Flaky("xxx"), every=1)
        for now in (0, 2, 6):
            self.s.tick(now)
        self.assertFalse(job.enabled)
        self.assertEqual(self.s.tick(1000), [])
        self.assertIsNone(self.s.next_wakeup())

    def test_success_after_failure(self):
        job = self.s.add("f", Flaky("x."), every=10)
        self.s.tick(0)
        self.s.tick(20)
        self.assertIsNone(job.last_error)
        self.assertEqual(job.history, [(0, False), (20, True)])
        self.assertEqual(job.next_run, 30)

    def test_revive(self):
        job = self.s.add("f", Flaky("xxx."), every=1)
        for now in (0, 2, 6):
            self.s.tick(now)
        self.s.revive("f", 50)
        self.assertEqual(self.s.tick(50), ["f"])
        self.assertEqual(job.next_run, 51)

    def test_cancel(self):
        self.s.add("a", lambda: None, every=1)
        self.s.cancel("a")
        self.assertEqual(self.s.tick(1), [])

    def test_delay_is_capped(self):
        self.assertEqual(delay(60, 20), 3600)
        self.assertEqual(delay(7200, 3), 7200)


if __name__ == "__main__":
    unittest.main()
