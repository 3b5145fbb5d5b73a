import pytest

from packbits import CodecError
from packbits.image import load, pack_row, save, unpack_row

ROWS = ["#........#", "##########", "..........", ".#.#.#.#.#"]


def test_pack_row():
    assert pack_row("#......#") == b"\x81"
    assert pack_row("#" * 9) == b"\xff\x80"


def test_unpack_row():
    assert unpack_row(b"\xff\x80", 9) == "#" * 9


def test_round_trip():
    assert load(save(ROWS), 10) == ROWS


def test_wrong_width():
    with pytest.raises(CodecError):
        load(save(ROWS), 20)


def test_ragged():
    with pytest.raises(ValueError):
        save(["##", "#"])
