from policy.checks import (
    contains_name,
    count_classes,
    find_sequence,
    is_common,
    longest_repeat,
)


def test_count_classes():
    assert count_classes("") == 0
    assert count_classes("abc") == 1
    assert count_classes("aB3!") == 4


def test_longest_repeat():
    assert longest_repeat("abbbc") == 3
    assert longest_repeat("") == 0


def test_sequence_up():
    assert find_sequence("xx-abcd-xx") == "abcd"
    assert find_sequence("pin1234") == "1234"


def test_sequence_down():
    assert find_sequence("no9876no") == "9876"


def test_no_sequence():
    assert find_sequence("tr0ub4dor") is None
    assert find_sequence("") is None


def test_sequence_too_short():
    assert find_sequence("abc-xyz") is None


def test_sequence_right_after_a_step_back():
    assert find_sequence("21234") == "1234"


def test_contains_name():
    assert contains_name("xx-Anna-7", "anna")
    assert not contains_name("boat", "al", "bob")


def test_is_common():
    assert is_common("Welcome1")
    assert not is_common("welcoming")
