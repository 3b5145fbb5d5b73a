import pytest

from deps.errors import CycleError, UnknownPackage
from deps.index import Index
from deps.plan import install_plan, removal_plan
from deps.resolve import install_order, layers


def graph(text):
    """"a:bc b:d" with one-letter names; names without needs may be left out."""
    packages = {}
    for part in text.split():
        name, _, needs = part.partition(":")
        packages[name] = list(needs)
    for needs in list(packages.values()):
        for need in needs:
            packages.setdefault(need, [])
    return Index(packages)


@pytest.mark.parametrize("text, wanted, expected", [
    ("a:bc b:d c:d", "a", "dbca"),
    ("a:bcd b:e c:e d:e", "a", "ebcda"),
    ("a:bc b:c", "a", "cba"),
    ("a:bc b:c", "ab", "cba"),
    ("a:bc b:c", "ba", "cba"),
    ("a:cb b:c", "a", "cba"),
    ("a:b b:", "ba", "ba"),
    ("a:b b:", "bab", "ba"),
    ("a:bc b:de c:de d:f e:f", "a", "fdebca"),
    ("a:x b:x c:x", "cab", "xcab"),
    ("a:bb b:", "a", "ba"),
    ("a:bc b:de c:ed", "a", "debca"),
    ("a:b b:c c:d d:e a:b x:c", "ax", "edcbax"),
])
def test_order(text, wanted, expected):
    assert "".join(install_order(graph(text), wanted)) == expected


@pytest.mark.parametrize("text, wanted, path", [
    ("a:a", "a", "aa"),
    ("a:b b:a", "a", "aba"),
    ("a:b b:a", "b", "bab"),
    ("a:b b:c c:b", "a", "bcb"),
    ("a:bc b:d c:de e:c", "a", "cec"),
    ("a:bc b:d c:d d:a", "a", "abda"),
    ("a:xb x: b:xc c:xa", "a", "abca"),
    ("a:xb x:y y: b:a", "a", "aba"),
    ("a:xb x:yz b:c c:a", "a", "abca"),
    ("a:b x:y y:x", "ax", "xyx"),
    ("a:bc b: c:bd d:bc", "a", "cdc"),
    ("a:b b:cd c: d:cb", "a", "bdb"),
])
def test_cycle(text, wanted, path):
    with pytest.raises(CycleError) as caught:
        install_order(graph(text), wanted)
    assert "".join(caught.value.path) == path


def test_cycle_that_is_not_wanted():
    assert install_order(graph("a:b x:y y:x"), "a") == ["b", "a"]


def test_unknown_after_shared_need():
    index = Index({"a": ["b", "c"], "b": ["d"], "c": ["d", "gone"], "d": []})
    with pytest.raises(UnknownPackage, match=r"unknown package gone \(needed by c\)"):
        install_order(index, ["a"])


def test_unknown_wanted():
    with pytest.raises(UnknownPackage, match="^unknown package zz$"):
        install_order(Index({"a": []}), ["a", "zz"])


def test_index_is_not_changed():
    index = graph("a:bc b:d c:d")
    install_order(index, "a")
    assert index.packages == {"a": ["b", "c"], "b": ["d"], "c": ["d"], "d": []}


def test_calls_do_not_know_each_other():
    index = graph("a:bc b:d c:d")
    assert install_order(index, "a") == install_order(index, "a")
    with pytest.raises(CycleError):
        install_order(graph("a:b b:a"), "a")
    assert install_order(index, "b") == ["d", "b"]


def test_works_on_an_iterator():
    assert install_order(graph("a:c b:c"), iter("ab")) == ["c", "a", "b"]


def test_layers_of_a_diamond():
    assert layers(graph("a:bc b:d c:d"), "a") == [["d"], ["b", "c"], ["a"]]


def test_plans_of_a_diamond():
    index = graph("a:bc b:d c:d")
    assert install_plan(index, "a", "d") == ["b", "c", "a"]
    assert removal_plan(index, "d", "dcba") == ["a", "b", "c", "d"]
