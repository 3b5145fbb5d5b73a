from versions import Version


def test_sorted():
    texts = ["0.9", "1.0a1", "1.0a2", "1.0b1", "1.0rc1", "1.0", "1.0.1rc1", "1.0.1", "1.1a1", "1.1"]
    assert [str(v) for v in sorted(map(Version.parse, reversed(texts)))] == texts


def test_equal():
    assert Version.parse("1.0rc1") == Version.parse("1rc1")
    assert Version.parse("1.0rc1") != Version.parse("1.0")
    assert Version.parse("1") >= Version.parse("1.0.0")
