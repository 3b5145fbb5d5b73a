import pytest

from corpora.lab.benchmarks.making import make_task, measure
from corpora.lab.made_tasks import PRICES, SHELF


def test_a_cut_answer_leaves_nothing(tmp_path):
    report = make_task(PRICES, [PRICES.replies[0][:60]] * 3, tmp_path, 60.0)
    assert (report.written, report.exit_code, list(tmp_path.iterdir())) == (False, 1, [])


@pytest.mark.slow
def test_two_faults_take_two_patches(tmp_path):
    measured = measure([SHELF], tmp_path, 120.0, cuts=False)
    assert [row.median for row in measured.rows] == [1.0, 1.0]
    assert "2 patches" in measured.notes[0]


def test_a_task_for_which_there_is_no_time_is_not_done_and_ends_nothing(tmp_path):
    measured = measure([PRICES], tmp_path, 0.01, cuts=False)
    assert [row.median for row in measured.rows] == [0.0, 0.0]
    assert "time was over" in measured.notes[0]
