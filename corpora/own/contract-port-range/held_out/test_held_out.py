import pytest

from settings import SettingError, parse_address, parse_port


@pytest.mark.parametrize("text", ["-1", "-80", "0", "70000"])
def test_out_of_range(text):
    with pytest.raises(SettingError, match="out of range"):
        parse_port(text)


@pytest.mark.parametrize("port", [1, 2, 1023, 65534])
def test_in_range(port):
    assert parse_port(str(port)) == port


def test_in_an_address():
    with pytest.raises(SettingError):
        parse_address("localhost:0")
