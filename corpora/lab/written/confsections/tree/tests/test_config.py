import pytest

from conf.config import Config
from conf.layers import from_environment, merged
from conf.parser import ConfigError, convert, parse


@pytest.mark.parametrize("text, value", [
    ("8", 8), ("1.5", 1.5), ("yes", True), ("OFF", False), ('"8"', "8"), ("a, b", ["a", "b"]), ("x y", "x y")])
def test_convert(text, value):
    assert convert(text) == value


def test_parse():
    assert parse("a = 1\n[S]\nb = 2 # two\n") == {"": {"a": 1}, "s": {"b": 2}}


@pytest.mark.parametrize("text, line", [("a\n", 1), ("\n[x\n", 2), ("[]", 1)])
def test_parse_error(text, line):
    with pytest.raises(ConfigError) as info:
        parse(text)
    assert info.value.line_number == line


def test_merged_later_wins():
    assert merged({"a": {"x": 1, "y": 2}}, {"a": {"x": 9}}) == {"a": {"x": 9, "y": 2}}


def test_merged_leaves_the_first_layer():
    base = {"a": {"x": 1}}
    merged(base, {"a": {"x": 2}})
    assert base == {"a": {"x": 1}}


def test_merged_new_section():
    assert merged({"a": {"x": 1}}, {"b": {"y": 2}}) == {"a": {"x": 1}, "b": {"y": 2}}


def test_environment():
    assert from_environment({"APP_SERVER__PORT": "81", "APP_DEBUG": "on", "HOME": "/"}) == {
        "server": {"port": 81}, "": {"debug": True}}


def test_two_configs():
    first = Config("[server]\nport = 8080")
    second = Config()
    assert first.get("server.port") == 8080
    assert second.get("server.port") == 80


def test_environment_wins():
    config = Config("[server]\nport = 8080", environ={"APP_SERVER__PORT": "9"})
    assert config.get("server.port") == 9
    assert config.get("server.host") == "localhost"


def test_get_default():
    assert Config().get("server.zzz", 3) == 3
    with pytest.raises(KeyError):
        Config().get("zzz")


def test_sections():
    assert Config("[log]\nlevel = 1").sections() == ["log", "server"]
