import pytest

from bank import AccountClosed, Ledger, LedgerError, LimitExceeded, UnknownAccount


@pytest.fixture
def ledger():
    led = Ledger()
    led.open_account("bank", overdraft=1_000_000)
    led.open_account("ann")
    led.open_account("bob", overdraft=500)
    led.transfer("bank", "ann", 1000, "start")
    yield led
    led.close()


def test_transfer_moves_money(ledger):
    ledger.transfer("ann", "bob", 300, "r1")
    assert ledger.balance("ann") == 700
    assert ledger.balance("bob") == 300
    assert ledger.total() == 0


def test_statement(ledger):
    ledger.transfer("ann", "bob", 300, "r1")
    assert ledger.statement("ann") == [("start", 1000), ("r1", -300)]


@pytest.mark.parametrize("cents", [0, -5])
def test_amount_must_be_positive(ledger, cents):
    with pytest.raises(ValueError):
        ledger.transfer("ann", "bob", cents, "r1")


def test_same_account(ledger):
    with pytest.raises(ValueError):
        ledger.transfer("ann", "ann", 5, "r1")


def test_not_enough_money(ledger):
    with pytest.raises(LimitExceeded):
        ledger.transfer("ann", "bob", 1001, "r1")
    assert ledger.balance("ann") == 1000


def test_exact_balance_can_be_spent(ledger):
    ledger.transfer("ann", "bob", 1000, "r1")
    assert ledger.balance("ann") == 0


def test_overdraft(ledger):
    ledger.transfer("bob", "ann", 500, "r1")
    assert ledger.balance("bob") == -500
    with pytest.raises(LedgerError):
        ledger.transfer("bob", "ann", 1, "r2")


def test_ref_is_carried_out_once(ledger):
    first = ledger.transfer("ann", "bob", 100, "r1")
    assert ledger.transfer("ann", "bob", 100, "r1") == first
    assert ledger.balance("bob") == 100


def test_unknown_source(ledger):
    with pytest.raises(UnknownAccount):
        ledger.transfer("zoe", "ann", 5, "r1")


def test_failed_transfer_takes_no_money(ledger):
    with pytest.raises(LedgerError):
        ledger.transfer("ann", "zoe", 400, "r1")
    assert ledger.balance("ann") == 1000
    assert ledger.total() == 0


def test_closed_account(ledger):
    ledger.close_account("bob")
    with pytest.raises(AccountClosed):
        ledger.transfer("ann", "bob", 5, "r1")


def test_close_needs_empty_account(ledger):
    with pytest.raises(LedgerError):
        ledger.close_account("ann")


def test_batch_goes_on(ledger):
    refused = ledger.run_batch([
        ("ann", "bob", 5000, "b1"),
        ("ann", "bob", 200, "b2"),
    ])
    assert refused == {"b1": "LimitExceeded"}
    assert ledger.balance("bob") == 200


def test_transfer_is_committed(tmp_path):
    path = tmp_path / "bank.db"
    led = Ledger(path)
    led.open_account("bank", overdraft=100)
    led.open_account("ann")
    led.transfer("bank", "ann", 60, "r1")
    led.close()
    assert Ledger(path).balance("ann") == 60
