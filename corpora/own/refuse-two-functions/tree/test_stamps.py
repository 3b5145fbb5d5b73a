import pytest

from stamps import checksum, read, write


def test_checksum():
    assert checksum("") == 0
    assert checksum("AB") != checksum("BA")


@pytest.mark.parametrize(("name", "number"), [("ann", 1), ("bob-b", 9999), ("x", 0)])
def test_round_trip(name, number):
    assert read(write(name, number)) == (name, number)


def test_written_form():
    assert write("ann", 42) == "ANN-0042-7"


def test_reading_a_printed_stamp():
    assert read("ANN-0042-7") == ("ann", 42)


@pytest.mark.parametrize("stamp", ["", "ANN", "ANN-0042-9", "ANN-0042-x"])
def test_refused(stamp):
    with pytest.raises(ValueError, match="not a stamp"):
        read(stamp)
