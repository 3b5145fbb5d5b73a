import pytest

from relnotes.changelog import latest, parse_changelog
from relnotes.version import Version

V = Version.parse

CHAIN = [
    "0.9.9",
    "1.0.0-1",
    "1.0.0-2",
    "1.0.0-10",
    "1.0.0-10.a",
    "1.0.0-alpha",
    "1.0.0-alpha.1",
    "1.0.0-alpha.1.0",
    "1.0.0-alpha.2",
    "1.0.0-alpha.11",
    "1.0.0-alpha.beta",
    "1.0.0-beta",
    "1.0.0-beta.9",
    "1.0.0-beta.9.rc",
    "1.0.0-beta.10",
    "1.0.0-beta.x.2",
    "1.0.0-beta.x.10",
    "1.0.0-rc10",
    "1.0.0-rc9",
    "1.0.0",
    "1.0.1-rc.1",
]


@pytest.mark.parametrize("i", range(len(CHAIN) - 1))
def test_neighbours(i):
    low, high = V(CHAIN[i]), V(CHAIN[i + 1])
    assert low < high
    assert not high < low


def test_all_pairs():
    versions = [V(t) for t in CHAIN]
    for i, a in enumerate(versions):
        for j, b in enumerate(versions):
            assert (a < b) == (i < j)


def test_not_below_itself():
    for text in CHAIN:
        assert not V(text) < V(text)
        assert V(text) <= V(text)


def test_sorted():
    assert [str(v) for v in sorted(map(V, reversed(CHAIN)))] == CHAIN


def test_other_types():
    with pytest.raises(TypeError):
        V("1.0.0-1") < "1.0.0-2"


def test_latest():
    releases = parse_changelog("## 2.0.0-rc.9\n## 2.0.0-rc.10\n## 2.0.0-rc.1\n")
    assert str(latest(releases, pre=True).version) == "2.0.0-rc.10"
