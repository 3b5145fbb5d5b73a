import pytest
from progress import Progress


@pytest.mark.parametrize("done, total, percent", [(1, 4, 25), (2, 3, 66), (7, 8, 87)])
def test_part(done, total, percent):
    assert Progress(done, total).percent == percent


def test_label():
    assert Progress(3, 5).label == "60 %"


@pytest.mark.parametrize("done, total, percent", [(0, 4, 0), (4, 4, 100), (0, 0, 100), (10, 5, 200)])
def test_ends(done, total, percent):
    assert Progress(done, total).percent == percent


def test_negative():
    with pytest.raises(ValueError, match="negative"):
        Progress(1, -1).percent  # noqa: B018


def test_equal():
    assert Progress(1, 2) == Progress(1, 2)
