from stamps import read, write


def test_forms():
    assert write("zoe", 7).startswith("ZOE-0007-")
    assert read(write("a-b", 12)) == ("a-b", 12)
