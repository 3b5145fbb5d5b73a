from counter import issue, issued


def test_a_ticket_has_a_name():
    assert issue("ann")[1] == "ann"


def test_tickets_are_remembered():
    before = len(issued())
    issue("bob")
    assert issued()[before:] == ["bob"]


def test_the_first_ticket_has_number_one():
    assert issue("cid")[0] == 1
