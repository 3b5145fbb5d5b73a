import pytest

from packbits import CodecError, decode, encode
from packbits.codec import ratio, run_length

SAMPLE = bytes.fromhex("AAAAAA 80002A AAAAAAAA 80002A22 AAAAAAAAAAAAAAAAAAAA")
PACKED = bytes.fromhex("FEAA 0280002A FDAA 0380002A22 F7AA")


def test_run_length():
    assert run_length(b"aab", 0) == 2
    assert run_length(b"aab", 2) == 1
    assert run_length(b"a" * 300, 0) == 128


def test_encode_known():
    assert encode(SAMPLE) == PACKED


def test_encode_nothing():
    assert encode(b"") == b""


def test_encode_long_run():
    assert encode(b"a" * 130) == b"\x81a\xffa"


def test_encode_long_literal():
    data = bytes(range(200))
    packed = encode(data)
    assert packed[0] == 127
    assert packed[129] == 71


def test_decode_known():
    assert decode(PACKED) == SAMPLE


def test_decode_nothing():
    assert decode(b"") == b""


def test_decode_single_literal():
    assert decode(b"\x00a") == b"a"


def test_decode_skips_128():
    assert decode(b"\x80\x00a\x80") == b"a"


@pytest.mark.parametrize(
    "data",
    [
        b"a",
        b"ab",
        b"aa",
        b"abbbc",
        bytes(range(256)),
        b"x" * 127,
        b"x" * 128,
        b"x" * 129,
        b"ab" * 64,
        b"ab" * 64 + b"c",
        b"\x80\x00\xff" * 50,
    ],
)
def test_round_trip(data):
    assert decode(encode(data)) == data


def test_literal_missing():
    with pytest.raises(CodecError):
        decode(b"\x05")


def test_ratio():
    assert ratio(b"") == 1.0
    assert ratio(b"a" * 128) == 2 / 128
