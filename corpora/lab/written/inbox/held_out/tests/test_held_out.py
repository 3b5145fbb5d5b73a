import itertools

import pytest

from inbox.message import Message
from inbox.threads import build_threads


def mail(id, sent, reply_to=None, subject="Lunch", sender="ann@x.org"):
    return Message(id, sender, subject, sent, reply_to)


def ids(threads):
    return [[m.id for m in t.messages] for t in threads]


CHAIN = [mail("a", 1), mail("b", 2, "a"), mail("c", 3, "b"), mail("d", 4, "c")]


@pytest.mark.parametrize("order", list(itertools.permutations(range(4)))[::3])
def test_chain_in_any_order(order):
    threads = build_threads([CHAIN[i] for i in order])
    assert ids(threads) == [["a", "b", "c", "d"]]
    assert threads[0].root.id == "a"


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_two_threads(order):
    mails = [mail("a", 1), mail("x", 5), mail("b", 9, "a")]
    threads = build_threads([mails[i] for i in order])
    assert ids(threads) == [["a", "b"], ["x"]]


def test_lost_parent():
    assert ids(build_threads([mail("b", 2, "gone"), mail("c", 3, "b")])) == [["b", "c"]]


def test_two_replies_to_a_lost_parent():
    threads = build_threads([mail("b", 2, "gone"), mail("c", 3, "gone")])
    assert ids(threads) == [["c"], ["b"]]


def test_lost_parent_root():
    (thread,) = build_threads([mail("c", 3, "b"), mail("b", 2, "gone")])
    assert thread.root.id == "b"


def test_wrong_clock():
    threads = build_threads([mail("b", 1, "a"), mail("a", 5)])
    assert ids(threads) == [["b", "a"]]
    assert threads[0].root.id == "a"


def test_same_subject_is_no_thread():
    assert ids(build_threads([mail("a", 1), mail("b", 2)])) == [["b"], ["a"]]


def test_changed_subject_stays_in_thread():
    threads = build_threads([mail("b", 2, "a", subject="Dinner instead"), mail("a", 1)])
    assert ids(threads) == [["a", "b"]]
    assert threads[0].subject == "Lunch"


def test_branches():
    mails = [mail("d", 4, "b"), mail("c", 3, "a"), mail("b", 2, "a"), mail("a", 1)]
    assert ids(build_threads(mails)) == [["a", "b", "c", "d"]]


def test_list_is_not_changed():
    mails = [mail("b", 2, "a"), mail("a", 1)]
    build_threads(mails)
    assert [m.id for m in mails] == ["b", "a"]
