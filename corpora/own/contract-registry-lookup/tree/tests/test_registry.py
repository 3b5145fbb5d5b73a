import pytest
from plugins.errors import PluginError, UnknownPlugin


def test_by_name(registry):
    assert registry.resolve("json") is dict


def test_by_alias(registry):
    assert registry.resolve("js") is dict


def test_twice_is_refused(registry):
    with pytest.raises(PluginError, match="already"):
        registry.register("text", bytes)


def test_unknown_name(registry):
    with pytest.raises(UnknownPlugin) as caught:
        registry.resolve("xml")
    assert caught.value.known == ("json", "text")


def test_unknown_name_is_in_the_message(registry):
    with pytest.raises(UnknownPlugin, match="no plugin 'yaml'; known are json, text"):
        registry.resolve("yaml")


def test_names(registry):
    assert registry.names() == ["json", "text"]
