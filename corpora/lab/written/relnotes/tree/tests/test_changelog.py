from relnotes.changelog import latest, out_of_order, parse_changelog

TEXT = """\
# Changelog

## [Unreleased]
### Added
- soon

## [1.2.0-rc.1] - 2024-05-01
### Added
- exports to CSV
  with a header
- imports

## 1.1.1
### Fixed
- a crash
"""


def test_parse():
    a, b = parse_changelog(TEXT)
    assert str(a.version) == "1.2.0-rc.1" and a.date == "2024-05-01"
    assert a.sections == {"Added": ["exports to CSV with a header", "imports"]}
    assert b.date is None and b.sections == {"Fixed": ["a crash"]}


def test_suggested_bump():
    a, b = parse_changelog(TEXT)
    assert (a.suggested_bump(), b.suggested_bump()) == ("minor", "patch")


def test_latest():
    releases = parse_changelog(TEXT)
    assert str(latest(releases).version) == "1.1.1"
    assert str(latest(releases, pre=True).version) == "1.2.0-rc.1"
    assert latest([]) is None


def test_out_of_order():
    releases = parse_changelog("## 1.0.0\n## 1.1.0\n## 0.9.0\n")
    assert [str(v) for v in out_of_order(releases)] == ["1.1.0"]
