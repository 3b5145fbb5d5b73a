import unittest
from datetime import datetime, time

from notify.message import Message
from notify.rules import digest, is_relevant, recipients, should_notify
from notify.settings import QuietHours, Settings


def msg(text="hi", channel="#dev", hour=12, sender="bob", urgent=False):
    return Message(sender, channel, text, datetime(2024, 3, 1, hour), urgent)


class RelevanceTest(unittest.TestCase):
    def setUp(self):
        self.ann = Settings("ann", keywords={"Deploy"}, muted={"#random"})

    def test_mention(self):
        self.assertTrue(is_relevant(msg("ping @Ann"), self.ann))
        self.assertFalse(is_relevant(msg("mail ann@ann.org"), self.ann))

    def test_keyword(self):
        self.assertTrue(is_relevant(msg("deploy now"), self.ann))

    def test_own_message(self):
        self.assertFalse(is_relevant(msg("@ann", sender="ann"), self.ann))

    def test_muted(self):
        self.assertFalse(is_relevant(msg("@all deploy", "#random"), self.ann))
        self.assertTrue(is_relevant(msg("@ann", "#random"), self.ann))

    def test_direct(self):
        self.assertTrue(is_relevant(msg(channel="@ann"), self.ann))
        self.assertFalse(is_relevant(msg(channel="@cy"), self.ann))

    def test_levels(self):
        self.assertTrue(is_relevant(msg(), Settings("x", level="all")))
        self.assertFalse(is_relevant(msg("@x"), Settings("x", level="none")))
        with self.assertRaises(ValueError):
            Settings("x", level="some")


class QuietHoursTest(unittest.TestCase):
    def setUp(self):
        self.cy = Settings("cy", quiet=QuietHours(time(22), time(7)), level="all")

    def test_during_the_day(self):
        self.assertTrue(should_notify(msg(hour=12), self.cy))

    def test_at_night(self):
        self.assertFalse(should_notify(msg(hour=23), self.cy))

    def test_urgent(self):
        self.assertTrue(should_notify(msg(hour=23, urgent=True), self.cy))

    def test_lunch_break(self):
        dan = Settings("dan", quiet=QuietHours(time(12), time(13)), level="all")
        self.assertFalse(should_notify(msg(hour=12), dan))
        self.assertTrue(should_notify(msg(hour=13), dan))

    def test_recipients(self):
        dan = Settings("dan", level="all")
        self.assertEqual(recipients(msg(hour=12), [self.cy, dan]), ["cy", "dan"])

    def test_digest(self):
        dan = Settings("dan", quiet=QuietHours(time(8), time(10)), level="all")
        held = [msg(hour=8), msg(hour=9), msg(hour=9, channel="#ops"), msg(hour=11)]
        self.assertEqual(digest(held, dan), ["2 in #dev", "1 in #ops"])


if __name__ == "__main__":
    unittest.main()
