import pytest

from layers.parse import ConfigError, parse_lines
from layers.settings import DEFAULTS, Settings


def test_parse():
    text = "# server\nserver.port = 81\nserver.tags = [a, 2]\n\ndebug = true\nname = x y\n"
    assert parse_lines(text) == {
        "server": {"port": 81, "tags": ["a", 2]}, "debug": True, "name": "x y"}


def test_parse_errors():
    with pytest.raises(ConfigError, match="line 2"):
        parse_lines("a = 1\nb")
    with pytest.raises(ConfigError):
        parse_lines("a = 1\na.b = 2")


def test_from_text():
    settings = Settings.from_text("server.port = 81", "log.level = debug")
    assert settings.get("server.port") == 81
    assert settings.get("server.host") == "localhost"
    assert settings.get("log.level") == "debug"


def test_get_missing():
    settings = Settings()
    assert settings.get("server.nothing", None) is None
    with pytest.raises(KeyError):
        settings.get("server.port.number")


def test_set_keeps_defaults():
    settings = Settings()
    settings.set("server.port", 1)
    assert settings.get("server.port") == 1
    assert DEFAULTS["server"]["port"] == 8000
    assert Settings().get("server.port") == 8000
