import copy

from conf import Config
from conf.layers import changed_keys, load_layers


def C(**sections):
    return Config({name: dict(values) for name, values in sections.items()})


def test_other_wins():
    assert C(a={"x": "1"}).merged(C(a={"x": "2"})).sections == {"a": {"x": "2"}}


def test_keys_of_both_are_kept():
    got = C(a={"x": "1", "y": "2"}).merged(C(a={"z": "3"}))
    assert got.sections == {"a": {"x": "1", "y": "2", "z": "3"}}


def test_sections_of_both_are_kept():
    got = C(a={"x": "1"}).merged(C(b={"y": "2"}))
    assert got.sections == {"a": {"x": "1"}, "b": {"y": "2"}}


def test_order_of_sections_and_keys():
    got = C(b={"k": "1"}, a={"m": "1"}).merged(C(c={}, a={"l": "2"}))
    assert list(got.sections) == ["b", "a", "c"]
    assert list(got.sections["a"]) == ["m", "l"]


def test_first_is_unchanged():
    one, two = C(a={"x": "1"}, b={"y": "1"}), C(a={"x": "2", "q": "3"}, c={"z": "1"})
    before = copy.deepcopy(one.sections)
    one.merged(two)
    assert one.sections == before


def test_second_is_unchanged():
    one, two = C(a={"x": "1"}, b={"y": "1"}), C(a={"q": "3"}, c={"z": "1"})
    before = copy.deepcopy(two.sections)
    one.merged(two)
    assert two.sections == before


def test_setting_in_the_result_shared_section():
    one, two = C(a={"x": "1"}), C(a={"y": "2"})
    got = one.merged(two)
    got.set("a", "x", "9")
    got.set("a", "new", "9")
    assert one.sections == {"a": {"x": "1"}}
    assert two.sections == {"a": {"y": "2"}}


def test_setting_in_the_result_section_only_in_first():
    one, two = C(a={"x": "1"}), C(b={"y": "2"})
    one.merged(two).set("a", "x", "9")
    assert one.get("a", "x") == "1"


def test_setting_in_the_result_section_only_in_second():
    one, two = C(a={"x": "1"}), C(b={"y": "2"})
    one.merged(two).set("b", "y", "9")
    assert two.get("b", "y") == "2"


def test_later_change_of_the_first_does_not_show():
    one = C(a={"x": "1"}, b={"y": "1"})
    got = one.merged(C(b={"z": "1"}))
    one.set("a", "x", "9")
    one.set("b", "y", "9")
    assert got.sections == {"a": {"x": "1"}, "b": {"y": "1", "z": "1"}}


def test_later_change_of_the_second_does_not_show():
    two = C(c={"x": "1"}, b={"y": "1"})
    got = C(b={"z": "1"}).merged(two)
    two.set("c", "x", "9")
    two.set("b", "y", "9")
    assert got.sections == {"b": {"z": "1", "y": "1"}, "c": {"x": "1"}}


def test_new_section_does_not_leak_into_the_first():
    one = C(a={"x": "1"})
    one.merged(C(b={"y": "2"}))
    assert list(one.sections) == ["a"]


def test_merging_nothing():
    one = C(a={"x": "1"})
    got = one.merged(Config())
    assert got.sections == {"a": {"x": "1"}}
    assert got is not one
    got.set("a", "x", "2")
    assert one.get("a", "x") == "1"


def test_merging_into_nothing():
    two = C(a={"x": "1"})
    got = Config().merged(two)
    got.set("a", "x", "2")
    assert two.get("a", "x") == "1"


def test_empty_sections_are_kept():
    assert C(a={}).merged(C(b={})).sections == {"a": {}, "b": {}}


def test_empty_string_overrides():
    assert C(a={"x": "1"}).merged(C(a={"x": ""})).get("a", "x") == ""


def test_twice_from_one_base():
    base = C(a={"x": "1"})
    first = base.merged(C(a={"x": "2"}))
    second = base.merged(C(a={"y": "3"}))
    assert first.sections == {"a": {"x": "2"}}
    assert second.sections == {"a": {"x": "1", "y": "3"}}


def test_with_itself():
    base = C(a={"x": "1"})
    got = base.merged(base)
    assert got.sections == {"a": {"x": "1"}}
    got.set("a", "x", "2")
    assert base.get("a", "x") == "1"


def test_result_is_a_config():
    assert isinstance(C(a={"x": "1"}).merged(C(b={})), Config)


def test_changed_keys():
    base = C(a={"x": "1", "y": "1"})
    assert changed_keys(base, base.merged(C(a={"y": "2", "z": "1"}, b={"k": "v"}))) == [
        ("a", "y"), ("a", "z"), ("b", "k"),
    ]


def test_layers():
    assert load_layers(["[a]\nx=1\n", "[b]\ny=2\n", "[a]\nx=3\n"]).sections == {"a": {"x": "3"}, "b": {"y": "2"}}
