import pytest
from plugins.errors import UnknownPlugin
from plugins.registry import Registry


def test_empty_registry():
    with pytest.raises(UnknownPlugin, match="known are none"):
        Registry().resolve("x")


def test_alias_of_a_missing_plugin(registry):
    registry._aliases["old"] = "gone"
    with pytest.raises(UnknownPlugin) as caught:
        registry.resolve("old")
    assert caught.value.name == "old"


def test_none_is_a_plugin_too(registry):
    registry.register("nothing", None)
    assert registry.resolve("nothing") is None
