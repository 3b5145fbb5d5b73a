import pytest

from crunch import pack, unpack
from crunch.container import ContainerError, ratio


def test_pack_prefers_shorter():
    assert pack("x", "aaaaaaaa") == "x:r:8:8a"
    assert pack("x", "1234") == "x:p:4:1234"


def test_unpack():
    assert unpack("x:r:8:8a") == ("x", "aaaaaaaa")
    assert unpack("note:p:3:a:b") == ("note", "a:b")


def test_wrong_length():
    with pytest.raises(ContainerError):
        unpack("x:r:9:8a")


@pytest.mark.parametrize("name", ["", "a:b"])
def test_bad_name(name):
    with pytest.raises(ContainerError):
        pack(name, "text")


def test_ratio():
    assert ratio("") == 1.0
    assert ratio("aaaa") == 0.5
