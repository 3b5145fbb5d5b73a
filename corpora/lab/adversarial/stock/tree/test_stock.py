import pytest
from stock import Stock


def stock():
    return Stock({"nail": 3, "screw": 20})


def test_the_last_one_goes():
    here = stock()
    assert here.take("nail", 3) == 0
    assert here.names() == ["screw"]


def test_one_after_the_other():
    here = Stock({"bolt": 2})
    assert [here.take("bolt"), here.take("bolt")] == [1, 0]
    assert here.names() == []
    assert here.taken == 2


def test_take():
    here = stock()
    assert here.take("screw", 5) == 15
    assert here.names() == ["nail", "screw"]
    assert len(here) == 18
    assert here.taken == 5


def test_one_is_left():
    here = stock()
    assert here.take("nail", 2) == 1
    assert here.names() == ["nail", "screw"]


@pytest.mark.parametrize("count", [0, -1, 4])
def test_cannot_be_taken(count):
    here = stock()
    with pytest.raises(ValueError, match="take at least one|too few"):
        here.take("nail", count)
    assert len(here) == 23
    assert here.taken == 0


def test_unknown():
    with pytest.raises(KeyError):
        stock().take("nut")


def test_put():
    here = stock()
    here.put("nut", 2)
    here.put("nut")
    assert here.take("nut") == 2
