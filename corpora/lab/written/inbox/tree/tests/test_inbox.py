from inbox.filters import Filter, apply_filters, with_label
from inbox.message import Message, plain_subject
from inbox.threads import build_threads, find_thread


def mail(id, sent, reply_to=None, sender="ann@x.org", subject="Lunch", **more):
    if reply_to:
        subject = "Re: " + subject
    return Message(id, sender, subject, sent, reply_to, **more)


def ids(threads):
    return [[m.id for m in t.messages] for t in threads]


def test_plain_subject():
    assert plain_subject("Re: FWD: re:  Lunch ") == "Lunch"
    assert plain_subject("Reply") == "Reply"


def test_single_messages():
    threads = build_threads([mail("a", 1), mail("b", 2, subject="Dinner")])
    assert ids(threads) == [["b"], ["a"]]


def test_reply():
    threads = build_threads([mail("a", 1), mail("b", 2, "a")])
    assert ids(threads) == [["a", "b"]]


def test_reply_delivered_before_its_parent():
    threads = build_threads([mail("b", 2, "a"), mail("a", 1)])
    assert ids(threads) == [["a", "b"]]
    assert threads[0].root.id == "a"


def test_empty_mailbox():
    assert build_threads([]) == []


def test_thread_facts():
    (thread,) = build_threads(
        [
            mail("a", 1, unread=False),
            mail("b", 5, "a", sender="bob@x.org"),
            mail("c", 7, "a"),
        ]
    )
    assert thread.subject == "Lunch"
    assert thread.last_activity == 7
    assert thread.unread == 2
    assert thread.participants() == ["ann@x.org", "bob@x.org"]


def test_find_thread():
    threads = build_threads([mail("a", 1), mail("b", 2, "a")])
    assert find_thread(threads, "b") is threads[0]
    assert find_thread(threads, "z") is None


def test_filter_by_sender():
    messages = [mail("a", 1), mail("b", 2, sender="Boss@X.org")]
    assert apply_filters(messages, [Filter("work", sender="boss@")]) == 1
    assert [m.id for m in with_label(messages, "work")] == ["b"]


def test_filter_twice_adds_nothing():
    messages = [mail("a", 1)]
    rule = Filter("food", subject="lunch")
    assert apply_filters(messages, [rule]) == 1
    assert apply_filters(messages, [rule]) == 0


def test_unread_only():
    assert not Filter("x", unread_only=True).matches(mail("a", 1, unread=False))
