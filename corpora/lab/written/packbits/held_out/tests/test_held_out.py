import pytest

from packbits import CodecError, decode, encode


@pytest.mark.parametrize(
    "data",
    [
        b"\x00",
        b"\x01a",
        b"\x02ab",
        b"\x05a",
        b"\x05abcde",
        b"\x7f",
        b"\x7f" + b"a" * 127,
        b"\x00a\x00",
        b"\x00a\x01b",
        b"\x03abcd\x02xy",
        b"\xfea\x01b",
        b"\x80\x01a",
        b"\xff",
        b"\x81",
        b"\x00a\xfe",
        b"\x80\xfe",
    ],
)
def test_cut_off(data):
    with pytest.raises(CodecError):
        decode(data)


@pytest.mark.parametrize(
    "data, expected",
    [
        (b"\x80", b""),
        (b"\x80\x80", b""),
        (b"\x00a", b"a"),
        (b"\x02abc", b"abc"),
        (b"\x7f" + b"a" * 128, b"a" * 128),
        (b"\xffa", b"aa"),
        (b"\x81a", b"a" * 128),
        (b"\xfea\x01bc", b"aaabc"),
        (b"\x01bc\xfea", b"bcaaa"),
        (b"\x00a\x80", b"a"),
    ],
)
def test_valid(data, expected):
    assert decode(data) == expected


def test_every_cut_of_a_literal():
    packed = encode(bytes(range(20)))
    for end in range(1, len(packed)):
        with pytest.raises(CodecError):
            decode(packed[:end])


def test_bytearray():
    assert decode(bytearray(b"\x01bc")) == b"bc"
