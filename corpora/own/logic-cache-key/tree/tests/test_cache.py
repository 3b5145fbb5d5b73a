def test_answers(cached):
    assert cached.price("tea") == 450
    assert cached.stock("tea") == 3
    assert cached.stock("cup") == 0


def test_asked_once(cached):
    cached.price("tea")
    cached.price("tea")
    assert cached.asked == 1


def test_currencies_differ(cached):
    assert cached.price("cup") == 900
    assert cached.price("cup", "USD") == 980


def test_currencies_are_asked_apart(cached):
    cached.price("tea", "USD")
    cached.price("tea", "EUR")
    assert cached.asked == 2


def test_old_answers_stay(cached, store):
    assert cached.stock("tea") == 3
    store.sell("tea")
    assert cached.stock("tea") == 3


def test_forget(cached, store):
    cached.stock("tea")
    store.sell("tea")
    cached.forget("tea")
    assert cached.stock("tea") == 2


def test_forget_leaves_others(cached):
    cached.stock("cup")
    cached.forget("tea")
    cached.stock("cup")
    assert cached.asked == 1
