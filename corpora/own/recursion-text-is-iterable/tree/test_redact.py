import pytest

from redact import depth, is_secret, redact


@pytest.mark.parametrize("key", ["password", "API_TOKEN", "clientSecret"])
def test_secret_keys(key):
    assert is_secret(key)


@pytest.mark.parametrize("value", [1, None, 2.5, [1, 2], [[], [3]]])
def test_other_values_stay(value):
    assert redact(value) == value


def test_secret_values_are_masked():
    assert redact({"password": "x", "port": 1}) == {"password": "***", "port": 1}


def test_deep():
    assert redact([{"db": {"token": 5}}]) == [{"db": {"token": "***"}}]


def test_own_mask():
    assert redact({"secret": 1}, mask="?") == {"secret": "?"}


def test_text_stays():
    assert redact({"user": "ann", "tags": ["a", "bc"]}) == {"user": "ann", "tags": ["a", "bc"]}


def test_tuples_stay_tuples():
    assert redact((1, {"token": 2})) == (1, {"token": "***"})


def test_depth():
    assert depth({"a": [1, (2,)]}) == 3
