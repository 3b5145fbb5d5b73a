import unittest

from throttle import TokenBucket
from throttle.clock import ManualClock


class BucketTest(unittest.TestCase):
    def setUp(self):
        self.clock = ManualClock(100.0)

    def bucket(self, rate=1, capacity=3):
        return TokenBucket(rate, capacity, clock=self.clock)

    def test_burst(self):
        bucket = self.bucket()
        self.assertEqual([bucket.allow() for _ in range(4)], [True, True, True, False])

    def test_bad_arguments(self):
        with self.assertRaises(ValueError):
            self.bucket(rate=0)
        with self.assertRaises(ValueError):
            self.bucket(capacity=-1)

    def test_refill_over_time(self):
        bucket = self.bucket()
        for _ in range(3):
            bucket.allow()
        self.clock.advance(2)
        self.assertTrue(bucket.allow())
        self.assertTrue(bucket.allow())
        self.assertFalse(bucket.allow())

    def test_never_more_than_capacity(self):
        bucket = self.bucket()
        bucket.allow()
        self.clock.advance(60)
        bucket.refill()
        self.assertEqual(bucket.level, 3)

    def test_asking_often(self):
        bucket = self.bucket()
        for _ in range(3):
            bucket.allow()
        answers = []
        for _ in range(4):
            self.clock.advance(0.5)
            answers.append(bucket.allow())
        self.assertEqual(answers, [False, True, False, True])

    def test_cost(self):
        bucket = self.bucket(capacity=5)
        self.assertTrue(bucket.allow(4))
        self.assertFalse(bucket.allow(2))
        self.assertTrue(bucket.allow())

    def test_wait_time(self):
        bucket = self.bucket(rate=2, capacity=2)
        self.assertEqual(bucket.wait_time(), 0)
        bucket.allow(2)
        self.assertEqual(bucket.wait_time(), 0.5)
        with self.assertRaises(ValueError):
            bucket.wait_time(3)
