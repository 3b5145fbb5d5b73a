import pytest

from plugins import (DependencyCycle, MissingDependency, PluginError, PluginSpec, Registry,
                     UnknownPlugin, load_manifests)


def build(text):
    reg = Registry()
    load_manifests(text, reg)
    return reg


def test_register_twice():
    reg = build("a:")
    with pytest.raises(PluginError):
        reg.register(PluginSpec("a"))


def test_manifest_comments_and_errors():
    reg = build("# comment\n\na: \nb: a\n")
    assert reg.enable("b") == ["a", "b"]
    with pytest.raises(PluginError):
        build("no colon")


def test_enable_starts_requirements_first():
    reg = build("web: db, log\ndb: log\nlog:")
    assert reg.enable("web") == ["log", "db", "web"]
    assert reg.enable("web") == []


def test_enable_does_not_start_optional():
    reg = build("web: cache?\ncache:")
    assert reg.enable("web") == ["web"]
    assert not reg.is_enabled("cache")


def test_enable_missing():
    reg = build("web: db")
    with pytest.raises(MissingDependency) as info:
        reg.enable("web")
    assert info.value.missing == "db"


def test_enable_cycle():
    reg = build("a: b\nb: c\nc: a")
    with pytest.raises(DependencyCycle):
        reg.enable("a")
    assert reg.enabled() == []


def test_unknown():
    reg = Registry()
    for call in (reg.enable, reg.disable, reg.is_enabled):
        with pytest.raises(UnknownPlugin):
            call("nope")


def test_disable_single():
    reg = build("a:\nb:")
    reg.enable("a")
    reg.enable("b")
    assert reg.disable("b") == ["b"]
    assert reg.enabled() == ["a"]
    assert reg.disable("b") == []


def test_disable_stops_dependents_first():
    reg = build("log:\nweb: log")
    reg.enable("web")
    assert reg.disable("log") == ["web", "log"]
    assert reg.enabled() == []


def test_disable_leaves_requirements_running():
    reg = build("log:\nweb: log")
    reg.enable("web")
    assert reg.disable("web") == ["web"]
    assert reg.enabled() == ["log"]


def test_disable_chain():
    reg = build("log:\ndb: log\nweb: db\nmail:")
    reg.enable("mail")
    reg.enable("web")
    assert reg.disable("log") == ["web", "db", "log"]
    assert reg.enabled() == ["mail"]


def test_disable_diamond():
    stopped = []
    reg = Registry()
    for name, requires in [("base", ()), ("left", ("base",)), ("right", ("base",)), ("top", ("left", "right"))]:
        reg.register(PluginSpec(name, requires, stop=lambda name=name: stopped.append(name)))
    reg.enable("top")
    result = reg.disable("base")
    assert result == stopped
    assert sorted(result) == ["base", "left", "right", "top"]
    assert result[0] == "top"
    assert result[-1] == "base"


def test_disable_with_failing_hook():
    def fail():
        raise RuntimeError("busy")

    reg = Registry()
    reg.register(PluginSpec("db", stop=fail))
    reg.register(PluginSpec("web", ("db",), stop=fail))
    reg.enable("web")
    assert reg.disable("db") == ["web", "db"]
    assert set(reg.errors) == {"web", "db"}


def test_enable_again_after_disable():
    reg = build("log:\nweb: log")
    reg.enable("web")
    reg.disable("log")
    assert reg.enable("web") == ["log", "web"]


def test_shutdown():
    reg = build("log:\ndb: log\nweb: db")
    reg.enable("web")
    assert reg.shutdown() == ["web", "db", "log"]
    assert reg.enabled() == []
