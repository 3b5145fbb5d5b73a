import pytest

from hookbus import HookError, PluginManager, hook


class Says:
    def __init__(self, answer, log=None):
        self.answer = answer
        self.log = log

    @hook
    def ask(self, **kwargs):
        if self.log is not None:
            self.log.append(self.answer)
        return self.answer


class SaysFirst(Says):
    @hook(priority=10)
    def ask(self, **kwargs):
        return self.answer


def manager(answers, first_only, log=None):
    m = PluginManager()
    m.declare("ask", first_only=first_only)
    for number, answer in enumerate(answers):
        m.register(Says(answer, log), f"p{number}")
    return m


FALSY = [0, False, "", [], {}, (), 0.0]


@pytest.mark.parametrize("value", FALSY)
def test_first_only_takes_falsy(value):
    result = manager([value, "later"], True).call("ask")
    assert result == value
    assert type(result) is type(value)


@pytest.mark.parametrize("value", FALSY)
def test_collecting_keeps_falsy(value):
    assert manager(["a", value, "b"], False).call("ask") == ["a", value, "b"]


def test_first_only_skips_none():
    assert manager([None, None, "x", "y"], True).call("ask") == "x"


def test_first_only_skips_none_before_falsy():
    assert manager([None, 0, 5], True).call("ask") == 0


def test_collecting_leaves_none_out():
    assert manager([None, 1, None, 2, None], False).call("ask") == [1, 2]


def test_all_none():
    assert manager([None, None], True).call("ask") is None
    assert manager([None, None], False).call("ask") == []


def test_nobody():
    assert manager([], True).call("ask") is None
    assert manager([], False).call("ask") == []


def test_first_only_does_not_call_later():
    log = []
    manager(["x", "y", "z"], True, log).call("ask")
    assert log == ["x"]


def test_first_only_falsy_does_not_call_later():
    log = []
    manager([None, "", "z"], True, log).call("ask")
    assert log == [None, ""]


def test_collecting_calls_all():
    log = []
    manager([0, None, 1], False, log).call("ask")
    assert log == [0, None, 1]


def test_priority_with_falsy():
    m = manager(["low"], True)
    m.register(SaysFirst(False), "high")
    assert m.call("ask") is False


def test_unknown_hook():
    with pytest.raises(HookError):
        manager([], False).call("other")


def test_arguments_are_passed():
    class Echo:
        @hook
        def ask(self, **kwargs):
            return kwargs

    m = manager([], False)
    m.register(Echo())
    assert m.call("ask", a=1, b=None) == [{"a": 1, "b": None}]
    assert m.call("ask") == [{}]
