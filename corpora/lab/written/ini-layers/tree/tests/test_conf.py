import pytest

from conf import Config, ParseError, parse
from conf.layers import changed_keys, load_layers

BASE = """
; defaults
[Server]
Host = localhost
port = 8080
debug = no
"""


def test_parse():
    assert parse(BASE) == {"server": {"host": "localhost", "port": "8080", "debug": "no"}}


def test_quotes():
    assert parse('[a]\nx = " y "\n') == {"a": {"x": " y "}}


@pytest.mark.parametrize("text,line", [("x = 1", 1), ("[a]\nx", 2), ("\n[a", 2)])
def test_errors(text, line):
    with pytest.raises(ParseError) as info:
        parse(text)
    assert info.value.lineno == line


def test_getters():
    conf = Config.from_text(BASE)
    assert conf.get("SERVER", "Host") == "localhost"
    assert conf.get_int("server", "port") == 8080
    assert conf.get_bool("server", "debug") is False
    assert conf.get_bool("server", "missing", True) is True


def test_set_and_dump():
    conf = Config()
    conf.set("A", "X", 1)
    assert conf.dump() == "[a]\nx = 1\n"


def test_merged_values():
    conf = Config.from_text(BASE).merged(Config.from_text("[server]\nport = 9\n[log]\nlevel = info\n"))
    assert conf.sections == {
        "server": {"host": "localhost", "port": "9", "debug": "no"},
        "log": {"level": "info"},
    }


def test_changes_against_the_base():
    base = Config.from_text(BASE)
    site = Config.from_text("[server]\nport = 9\n")
    assert changed_keys(base, base.merged(site)) == [("server", "port")]


def test_load_layers():
    conf = load_layers([BASE, "[server]\ndebug = yes\n", "[server]\nhost = example.org\n"])
    assert conf.get_bool("server", "debug") is True
    assert conf.get("server", "host") == "example.org"
    assert conf.get_int("server", "port") == 8080
