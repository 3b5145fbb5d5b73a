import pytest

from plugins import PluginSpec, Registry, UnknownPlugin, load_manifests
from plugins.manifest import parse_manifest


def build(text, enable):
    """Registry whose stop hooks check that nobody who requires them still runs."""
    reg = Registry()
    reg.log = []
    lines = [parse_manifest(line) for line in text.splitlines() if line.strip()]
    for spec in lines:
        def stop(spec=spec):
            running = [s.name for s in lines if spec.name in s.requires and reg.is_enabled(s.name)]
            assert not running, f"{spec.name} stopped before {running}"
            assert all(reg.is_enabled(r) for r in spec.requires)
            reg.log.append(spec.name)
        reg.register(PluginSpec(spec.name, spec.requires, spec.optional, stop=stop))
    for name in enable.split():
        reg.enable(name)
    return reg


CHAIN = "a:\nb: a\nc: b\nd: c\ne: d"
SHORTCUT = "base:\nc: base, b\na: base\nb: a"
LATTICE = "z:\nm1: z\nm2: z, m1\nm3: m1, z\ntop: m3, m2, z\nside: z\nfree:"

CASES = [
    (CHAIN, "e", "a", "a b c d e"),
    (CHAIN, "e", "b", "b c d e"),
    (CHAIN, "e", "c", "c d e"),
    (CHAIN, "c", "a", "a b c"),
    (CHAIN, "e", "e", "e"),
    (SHORTCUT, "c", "base", "a b c base"),
    (SHORTCUT, "c", "a", "a b c"),
    (SHORTCUT, "base a b c", "base", "a b c base"),
    (SHORTCUT, "b", "base", "a b base"),
    (LATTICE, "top side free", "z", "z m1 m2 m3 top side"),
    (LATTICE, "free side top", "m1", "m1 m2 m3 top"),
    (LATTICE, "free side m2", "m1", "m1 m2"),
    (LATTICE, "top side free", "side", "side"),
    ("a:\nx: a\ny: x?\nw: y", "w x", "a", "a x"),
    ("a:\nx: a?\ny: x", "a y", "a", "a"),
    ("a:\nb: a\nc: a?, b?", "c b", "a", "a b"),
    ("a:\nb: a\nlater:\nother: later", "b other", "a", "a b"),
    ("a:\nb: a\nlater:\nother: later", "b other", "b", "b"),
    ("db:\ndb2: \nweb: db2\nw: db", "web w", "db", "db w"),
]


@pytest.mark.parametrize("text, enable, name, expected", CASES)
def test_disable(text, enable, name, expected):
    reg = build(text, enable)
    before = reg.enabled()
    result = reg.disable(name)
    assert sorted(result) == sorted(expected.split())
    assert reg.errors == {}
    assert reg.log == result
    assert result[-1] == name
    assert reg.enabled() == [p for p in before if p not in result]
    assert reg.disable(name) == []


def test_not_enabled_dependents_are_left_alone():
    reg = build("a:\nb: a\nc: b", "a")
    assert reg.disable("a") == ["a"]
    assert reg.log == ["a"]


def test_dependents_stopped_earlier_are_not_named_again():
    reg = build("a:\nb: a\nc: b\nd: a", "c d")
    assert reg.disable("b") == ["c", "b"]
    assert reg.disable("a") == ["d", "a"]
    assert reg.log == ["c", "b", "d", "a"]


def test_enable_and_disable_again():
    reg = build(CHAIN, "e")
    for _ in range(3):
        assert reg.disable("b") == ["e", "d", "c", "b"]
        assert reg.enable("e") == ["b", "c", "d", "e"]


def test_other_start_order():
    reg = build("a:\nb: a\nc: a\nd: b, c", "c b d")
    result = reg.disable("a")
    assert result[0] == "d" and result[-1] == "a" and sorted(result) == list("abcd")


def test_failing_hook_in_the_middle():
    def fail():
        raise RuntimeError("busy")

    reg = Registry()
    reg.register(PluginSpec("a"))
    reg.register(PluginSpec("b", ("a",), stop=fail))
    reg.register(PluginSpec("c", ("b",)))
    reg.enable("c")
    assert reg.disable("a") == ["c", "b", "a"]
    assert list(reg.errors) == ["b"]
    assert reg.enabled() == []


def test_unknown_name_changes_nothing():
    reg = build(CHAIN, "e")
    with pytest.raises(UnknownPlugin):
        reg.disable("q")
    assert reg.enabled() == list("abcde")


def test_result_is_a_list_of_its_own():
    reg = build(CHAIN, "e")
    reg.disable("d").clear()
    assert reg.enabled() == list("abc")


def test_shutdown_after_disable():
    reg = build(LATTICE, "top side free")
    reg.disable("m2")
    assert set(reg.shutdown()) == {"z", "m1", "m3", "side", "free"}
    assert reg.errors == {}
