import pytest

from rooms.calendar import Calendar


def make(*items):
    cal = Calendar()
    for start, end, tentative in items:
        cal.book("r", start, end, "x", tentative)
    return cal


CASES = [
    ("none", [], 0, 100, 1, [(0, 100)]),
    ("one", [(10, 20, False)], 0, 100, 1, [(0, 10), (20, 100)]),
    ("touching", [(10, 20, False), (20, 30, False)], 0, 100, 1, [(0, 10), (30, 100)]),
    ("nested", [(10, 60, False), (20, 30, True)], 0, 100, 1, [(0, 10), (60, 100)]),
    ("nested in a tentative", [(10, 60, True), (20, 30, False)], 0, 100, 1, [(0, 10), (60, 100)]),
    ("both tentative", [(10, 60, True), (20, 30, True)], 0, 100, 1, [(0, 10), (60, 100)]),
    ("two nested", [(10, 60, False), (15, 20, True), (30, 40, True)], 0, 100, 1, [(0, 10), (60, 100)]),
    ("nested deeper", [(10, 60, False), (15, 40, True), (20, 30, True)], 0, 100, 1, [(0, 10), (60, 100)]),
    ("nested then later", [(10, 60, False), (20, 30, True), (70, 80, False)], 0, 100, 1, [(0, 10), (60, 70), (80, 100)]),
    ("nested then inside again", [(10, 60, False), (20, 30, True), (50, 70, True)], 0, 100, 1, [(0, 10), (70, 100)]),
    ("staggered", [(10, 40, False), (30, 60, True)], 0, 100, 1, [(0, 10), (60, 100)]),
    ("same start", [(10, 60, False), (10, 30, True)], 0, 100, 1, [(0, 10), (60, 100)]),
    ("same end", [(10, 60, False), (30, 60, True)], 0, 100, 1, [(0, 10), (60, 100)]),
    ("past closing", [(50, 150, False), (60, 70, True)], 0, 100, 1, [(0, 50)]),
    ("from before opening", [(0, 50, False), (25, 30, True)], 20, 100, 1, [(50, 100)]),
    ("nested ends at opening", [(0, 50, False), (10, 20, True)], 20, 100, 1, [(50, 100)]),
    ("whole day", [(0, 100, False), (40, 50, True)], 0, 100, 1, []),
    ("shortest exact", [(10, 60, False), (70, 90, False)], 0, 100, 10, [(0, 10), (60, 70), (90, 100)]),
    ("shortest drops", [(10, 60, False), (20, 30, True), (70, 90, False)], 0, 100, 11, []),
    ("nested and shortest", [(10, 60, False), (20, 30, True), (95, 99, False)], 0, 100, 20, [(60, 95)]),
]


@pytest.mark.parametrize("items,opening,closing,shortest,want", [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_gaps(items, opening, closing, shortest, want):
    assert make(*items).free_gaps("r", opening, closing, shortest) == want


def test_other_rooms_do_not_count():
    cal = make((10, 60, False), (20, 30, True))
    cal.book("s", 62, 90, "x")
    assert cal.free_gaps("r", 0, 100) == [(0, 10), (60, 100)]


def test_calendar_is_not_changed():
    cal = make((10, 60, False), (20, 30, True))
    before = cal.for_room("r")
    cal.free_gaps("r", 0, 100)
    assert cal.for_room("r") == before and len(cal) == 2
