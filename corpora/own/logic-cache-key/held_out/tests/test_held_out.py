def test_both_orders(cached):
    assert [cached.price("tea", c) for c in ("USD", "EUR", "USD", "EUR")] == [490, 450, 490, 450]
    assert cached.asked == 2


def test_forget_all_currencies(cached):
    cached.price("tea", "USD")
    cached.price("tea", "EUR")
    cached.price("cup", "EUR")
    cached.forget("tea")
    cached.price("tea", "USD")
    cached.price("cup", "EUR")
    assert cached.asked == 4
