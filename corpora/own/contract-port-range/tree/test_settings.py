import pytest

from settings import SettingError, parse_address, parse_flag, parse_port


@pytest.mark.parametrize("text", ["80", " 443 ", "65535"])
def test_ports_are_read(text):
    assert parse_port(text) == int(text)


@pytest.mark.parametrize("text", ["http", "", "8o80"])
def test_words_are_no_ports(text):
    with pytest.raises(SettingError, match="not a port"):
        parse_port(text)


def test_too_large_ports_are_refused():
    with pytest.raises(SettingError, match="out of range: 65536"):
        parse_port("65536")


def test_port_zero_is_refused():
    with pytest.raises(SettingError, match="out of range: 0"):
        parse_port("0")


def test_address_with_and_without_port():
    assert parse_address("localhost") == ("localhost", 8080)
    assert parse_address("db.local:5432") == ("db.local", 5432)


def test_flags():
    assert parse_flag("On") is True
    assert parse_flag(" off") is False
