import pytest

from argline import Parser, UsageError


def make(**kwargs):
    p = Parser("t")
    p.option("item", "i", action="append", **kwargs)
    p.option("name", "n", default="main")
    return p


def test_no_default_repeated_parses():
    p = make()
    for text in ("a", "b", "c"):
        assert p.parse(["-i", text])[0]["item"] == [text]


def test_default_repeated_parses():
    p = make(default=["x"])
    for text in ("a", "b", "c"):
        assert p.parse(["-i", text])[0]["item"] == ["x", text]


def test_callers_list_is_not_changed():
    default = ["x"]
    p = make(default=default)
    p.parse(["-i", "a", "-i", "b"])
    assert default == ["x"]


def test_results_do_not_share_lists():
    p = make()
    first = p.parse([])[0]
    second = p.parse([])[0]
    first["item"].append("mine")
    assert second["item"] == []
    assert p.parse([])[0]["item"] == []


def test_two_append_options_with_the_same_default_object():
    shared = []
    p = Parser("t")
    p.option("one", action="append", default=shared)
    p.option("two", action="append", default=shared)
    values, _ = p.parse(["--one", "1", "--two", "2"])
    assert values == {"one": ["1"], "two": ["2"]}


def test_two_parsers_with_the_same_default_object():
    shared = ["s"]
    p, q = make(default=shared), make(default=shared)
    p.parse(["-i", "a"])
    assert q.parse(["-i", "b"])[0]["item"] == ["s", "b"]


def test_failed_parse_leaves_no_trace():
    p = make(default=["x"])
    with pytest.raises(UsageError):
        p.parse(["-i", "a", "--unknown"])
    assert p.parse([])[0]["item"] == ["x"]


def test_text_default_of_store_option_stays_text():
    p = make()
    assert p.parse([])[0]["name"] == "main"


@pytest.mark.parametrize("default", [("a", "b"), {"k": 1}, "", 0, None, 2.5])
def test_other_defaults_of_store_options(default):
    p = Parser("t")
    p.option("thing", default=default)
    value = p.parse([])[0]["thing"]
    assert value == default
    assert type(value) is type(default)


def test_order_of_default_is_kept():
    p = make(default=["z", "a", "m"])
    assert p.parse(["-i", "b"])[0]["item"] == ["z", "a", "m", "b"]


def test_repeated_entries_of_default_are_kept():
    p = make(default=["a", "a"])
    assert p.parse(["-i", "a"])[0]["item"] == ["a", "a", "a"]


def test_falsy_entries_of_default_are_kept():
    p = make(default=[0, 3], convert=int)
    assert p.parse(["-i", "0"])[0]["item"] == [0, 3, 0]
    q = make(default=["", "x"])
    assert q.parse([])[0]["item"] == ["", "x"]


def test_default_entries_are_not_converted():
    p = make(default=["keep"], convert=str.upper)
    assert p.parse(["-i", "loud"])[0]["item"] == ["keep", "LOUD"]


def test_default_entries_that_convert_could_not_take():
    p = make(default=[("a", "b")], convert=lambda text: tuple(text.split("=", 1)))
    assert p.parse(["-i", "k=v"])[0]["item"] == [("a", "b"), ("k", "v")]


def test_flags_and_appends_together():
    p = make(default=["x"])
    p.option("dry", action="flag")
    assert p.parse(["--dry", "-i", "a"])[0] == {"item": ["x", "a"], "name": "main", "dry": True}
    assert p.parse([])[0] == {"item": ["x"], "name": "main", "dry": False}


def test_all_destinations_present():
    p = make()
    p.option("out-file")
    assert set(p.parse([])[0]) == {"item", "name", "out_file"}
