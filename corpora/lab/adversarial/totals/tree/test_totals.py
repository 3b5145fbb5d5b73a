import asyncio

import pytest
from totals import grand_total, running_totals


@pytest.mark.parametrize("values, totals", [([4, 5, 6], [4, 9, 15]), ([1, 2, 3, 4, 5], [1, 3, 6, 10, 15])])
def test_running_totals(values, totals):
    assert asyncio.run(running_totals(values)) == totals


def test_every_value():
    assert asyncio.run(running_totals([7, 7, 7], 1)) == [7, 14, 21]


def test_grand_total():
    assert asyncio.run(grand_total([10, 20, 30])) == 60


@pytest.mark.parametrize("values, totals", [([], []), ([3], [3]), ([3, -1], [3, 2])])
def test_short(values, totals):
    assert asyncio.run(running_totals(values)) == totals


def test_all_at_once():
    assert asyncio.run(running_totals([1, 2, 3], 5)) == [1, 3, 6]


def test_others_get_their_turn():
    seen = []

    async def other():
        seen.append("turn")

    async def both():
        task = asyncio.ensure_future(other())
        await running_totals([1, 2])
        seen.append("end")
        await task

    asyncio.run(both())
    assert seen == ["turn", "end"]


def test_pause():
    with pytest.raises(ValueError, match="pause"):
        asyncio.run(running_totals([1], 0))
