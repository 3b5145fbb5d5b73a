from baskets import basket, weigh


def test_things_once():
    assert basket(["apple", "pear", "apple"], []) == ["apple", "pear"]


def test_added_to_a_basket():
    mine = ["plum"]
    assert basket(["apple"], mine) is mine
    assert mine == ["plum", "apple"]


def test_baskets_are_not_shared():
    first = basket(["apple"])
    second = basket(["pear"])
    assert (first, second) == (["apple"], ["pear"])


def test_an_empty_basket_is_a_basket():
    mine = []
    basket(["fig"], mine)
    assert mine == ["fig"]


def test_weigh():
    assert weigh(["a", "b"], {"a": 2}) == 2
