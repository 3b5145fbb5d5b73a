from datetime import datetime, time

import pytest

from notify.message import Message
from notify.rules import digest, should_notify
from notify.settings import QuietHours, Settings

NIGHT = QuietHours(time(22), time(7))
LUNCH = QuietHours(time(12), time(13, 30))
HALF = QuietHours(time(21, 30), time(6, 45))
EVENING = QuietHours(time(20), time(0))
MORNING = QuietHours(time(0), time(6))


@pytest.mark.parametrize("quiet, moment, covered", [
    (NIGHT, time(22), True), (NIGHT, time(21, 59, 59), False), (NIGHT, time(23, 59), True),
    (NIGHT, time(0), True), (NIGHT, time(3), True), (NIGHT, time(6, 59, 59), True),
    (NIGHT, time(7), False), (NIGHT, time(7, 1), False), (NIGHT, time(12), False),
    (LUNCH, time(11, 59), False), (LUNCH, time(12), True), (LUNCH, time(13, 29), True),
    (LUNCH, time(13, 30), False), (LUNCH, time(0), False), (LUNCH, time(23), False),
    (HALF, time(21, 29), False), (HALF, time(21, 30), True), (HALF, time(6, 44), True),
    (HALF, time(6, 45), False), (HALF, time(6, 50), False), (HALF, time(21, 0), False),
    (EVENING, time(20), True), (EVENING, time(23, 59), True), (EVENING, time(0), False),
    (EVENING, time(19, 59), False), (MORNING, time(0), True), (MORNING, time(6), False),
    (MORNING, time(23, 59), False),
])
def test_covers(quiet, moment, covered):
    assert quiet.covers(moment) is covered


def test_held_back_after_midnight():
    user = Settings("cy", quiet=NIGHT, level="all")
    msgs = [Message("b", "#dev", "x", datetime(2024, 3, 1, h)) for h in (21, 22, 23, 0, 6, 7)]
    assert [should_notify(m, user) for m in msgs] == [True, False, False, False, False, True]
    assert digest(msgs, user) == ["4 in #dev"]
