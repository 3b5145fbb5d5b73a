"""The simulated cluster loses no cell, repeats itself, and is full where arithmetic says so."""

from __future__ import annotations

import math

import pytest

from corpora.bench.run import MOST_ATTEMPTS
from corpora.lab.benchmarks.cluster import FORGIVEN_LOSSES, Measured, Site, drawn, most_workers, simulate

FREE = Site(append=0.0, wait_each=0.0, hand_out=0.0, hand_out_each=0.0, schedule=0.0, latency=0.0)
TABLE = (Measured(3.0, 10, 100), Measured(7.0, 20, 200), Measured(40.0, 0, 50), Measured(2.0, 0, 30, is_failed=True))


@pytest.mark.parametrize("workers", [1, 3, 50, 500])
@pytest.mark.parametrize("shards", [1, 3])
@pytest.mark.parametrize("lifetime", [math.inf, 30.0])
def test_each_cell_is_settled_once_and_each_attempt_leaves_a_record(workers: int, shards: int, lifetime: float):
    cells = drawn(TABLE, 300, 0)
    failed = sum(cell.is_failed for cell in cells)
    found = simulate(cells, Site(lifetime=lifetime), workers, 1, min(shards, workers))
    assert found.cells == 300
    assert found.written >= 300 + (MOST_ATTEMPTS - 1) * failed > 300
    assert found.bytes >= sum(cell.record_bytes * (MOST_ATTEMPTS if cell.is_failed else 1) for cell in cells)
    if math.isinf(lifetime):
        assert (found.given_up, found.lost_workers) == (failed, 0)
        assert found.written == 300 + (MOST_ATTEMPTS - 1) * failed
        assert found.useful == pytest.approx(sum(cell.seconds for cell in cells if not cell.is_failed))
        assert found.wasted == pytest.approx(MOST_ATTEMPTS * sum(cell.seconds for cell in cells if cell.is_failed))
    else:
        assert found.lost_workers > 0
    assert 0 < found.efficiency <= 1


def test_a_cell_that_outlives_every_worker_is_given_up_and_costs_one_worker_a_time():
    found = simulate([Measured(1e6, 0, 10)], Site(lifetime=1.0), 2, 0)
    assert (found.cells, found.given_up, found.written) == (1, 1, MOST_ATTEMPTS)
    assert found.lost_workers == MOST_ATTEMPTS * (FORGIVEN_LOSSES + 1)
    assert (found.useful, found.efficiency) == (0.0, 0.0)


def test_the_same_seed_gives_the_same_run_and_another_one_another():
    site = Site(lifetime=100.0)
    runs = [simulate(drawn(TABLE, 200, seed), site, 7, seed, 2) for seed in (5, 5, 6)]
    assert runs[0] == runs[1] != runs[2]


def test_equal_cells_are_never_slower_with_more_workers_where_nothing_else_costs():
    cells = [Measured(5.0, 1, 100)] * 200
    walls = [simulate(cells, FREE, workers, 0).wall for workers in (1, 2, 3, 7, 50, 199, 200, 1_000)]
    assert walls == sorted(walls, reverse=True)
    assert walls == [5.0 * math.ceil(200 / workers) for workers in (1, 2, 3, 7, 50, 199, 200, 1_000)]


def test_any_cells_take_no_longer_than_greedy_hand_out_may():
    """The bound of list scheduling: the work shared by all, and one longest cell more."""
    cells = [cell for cell in drawn(TABLE, 400, 3) if not cell.is_failed]
    work = sum(cell.seconds for cell in cells)
    for workers in (1, 4, 16, 64):
        wall = simulate(cells, FREE, workers, 0).wall
        assert work / workers - 1e-6 <= wall <= work / workers + 40.0


@pytest.mark.parametrize(
    ("site", "full"),
    [
        (Site(append=0.05, hand_out=0.0, hand_out_each=0.0, schedule=0.001, latency=0.0), "writer"),
        (Site(append=0.0, hand_out=0.02, hand_out_each=1e-4, schedule=0.0, latency=0.0), "writer"),
        (Site(append=0.001, hand_out=0.0, hand_out_each=0.0, schedule=0.05, latency=0.0), "scheduler"),
    ],
)
def test_what_is_full_is_full_where_arithmetic_says(site: Site, full: str):
    cells = [Measured(5.0, 1, 100)] * 6_000
    most = most_workers(site, 5.0)
    assert 50 < most < 250
    below, above = simulate(cells, site, int(most / 2), 0), simulate(cells, site, int(most * 2), 0)
    assert below.full == "workers"
    assert below.wall == pytest.approx(6_000 * 5.0 / int(most / 2), rel=0.05)
    assert above.full == full
    each = site.schedule if full == "scheduler" else site.append + site.hand_out + site.hand_out_each * above.workers
    assert above.wall == pytest.approx(6_000 * each, rel=0.05)


def test_shards_have_a_writer_each():
    site = Site(append=0.05, hand_out=0.0, latency=0.0)
    cells = [Measured(5.0, 1, 100)] * 8_000
    one, four = simulate(cells, site, 200, 0), simulate(cells, site, 200, 0, 4)
    assert (one.full, four.full) == ("writer", "workers")
    assert four.wall < 0.6 * one.wall


def test_too_few_cells_for_so_many_workers_are_a_tail():
    assert simulate(drawn(TABLE[:3], 60, 0), Site(), 50, 0).full == "tail"
