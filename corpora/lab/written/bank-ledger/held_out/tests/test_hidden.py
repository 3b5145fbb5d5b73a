import pytest

from bank import AccountClosed, Ledger, LedgerError, LimitExceeded, UnknownAccount


@pytest.fixture
def ledger(tmp_path):
    led = Ledger(tmp_path / "bank.db")
    led.path = tmp_path / "bank.db"
    led.open_account("bank", overdraft=1_000_000)
    led.open_account("ann")
    led.open_account("bob", overdraft=500)
    led.open_account("old")
    led.close_account("old")
    led.transfer("bank", "ann", 1000, "start")
    yield led
    led.close()


def rows(led, table):
    return led.db.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0]


def refused(led, exc, *args):
    with pytest.raises(LedgerError) as info:
        led.transfer(*args)
    assert type(info.value) is exc


CASES = [
    (UnknownAccount, ("ann", "zoe", 400, "r1")),
    (UnknownAccount, ("zoe", "ann", 400, "r1")),
    (UnknownAccount, ("yan", "zoe", 400, "r1")),
    (AccountClosed, ("ann", "old", 400, "r1")),
    (AccountClosed, ("old", "ann", 400, "r1")),
    (LimitExceeded, ("ann", "bob", 1001, "r1")),
    (LimitExceeded, ("bob", "ann", 501, "r1")),
]


@pytest.mark.parametrize("exc, args", CASES)
def test_refused_leaves_no_trace(ledger, exc, args):
    refused(ledger, exc, *args)
    assert rows(ledger, "transfers") == 1
    assert rows(ledger, "entries") == 2
    assert ledger.balance("ann") == 1000
    assert ledger.balance("bob") == 0
    assert ledger.balance("old") == 0
    assert ledger.total() == 0


@pytest.mark.parametrize("exc, args", CASES)
def test_no_trace_after_later_commit(ledger, exc, args):
    refused(ledger, exc, *args)
    ledger.open_account("new")
    other = Ledger(ledger.path)
    assert other.statement("ann") == [("start", 1000)]
    assert other.statement("bob") == []
    assert rows(other, "transfers") == 1
    assert rows(other, "entries") == 2
    other.close()


@pytest.mark.parametrize("exc, args", CASES)
def test_no_open_transaction(ledger, exc, args):
    refused(ledger, exc, *args)
    assert not ledger.db.in_transaction


def test_ref_usable_after_unknown_target(ledger):
    refused(ledger, UnknownAccount, "ann", "zoe", 400, "r1")
    ledger.open_account("zoe")
    ledger.transfer("ann", "zoe", 400, "r1")
    assert (ledger.balance("ann"), ledger.balance("zoe")) == (600, 400)


def test_ref_usable_after_limit(ledger):
    refused(ledger, LimitExceeded, "ann", "bob", 1500, "r1")
    ledger.transfer("bank", "ann", 600, "more")
    ledger.transfer("ann", "bob", 1500, "r1")
    assert (ledger.balance("ann"), ledger.balance("bob")) == (100, 1500)


def test_still_refused_on_second_try(ledger):
    for _ in range(2):
        refused(ledger, AccountClosed, "ann", "old", 10, "r1")


def test_refused_first_try_then_good_one(ledger):
    refused(ledger, UnknownAccount, "ann", "zoe", 400, "r1")
    ledger.transfer("ann", "bob", 100, "r2")
    assert ledger.statement("ann") == [("start", 1000), ("r2", -100)]
    other = Ledger(ledger.path)
    assert other.statement("ann") == [("start", 1000), ("r2", -100)]
    other.close()


def test_repeated_ref(ledger):
    first = ledger.transfer("ann", "bob", 100, "r1")
    second = ledger.transfer("ann", "bob", 100, "r2")
    assert first != second
    assert ledger.transfer("ann", "bob", 100, "r1") == first
    assert ledger.transfer("ann", "zoe", 100, "r1") == first
    assert ledger.balance("ann") == 800


def test_id_belongs_to_ref(ledger):
    tid = ledger.transfer("ann", "bob", 100, "r1")
    row = ledger.db.execute("SELECT ref FROM transfers WHERE id = ?", (tid,)).fetchone()
    assert row["ref"] == "r1"
    cents = [r[0] for r in ledger.db.execute("SELECT cents FROM entries WHERE transfer = ? ORDER BY id", (tid,))]
    assert cents == [-100, 100]


def test_committed_on_return(ledger):
    ledger.transfer("ann", "bob", 100, "r1")
    assert not ledger.db.in_transaction
    other = Ledger(ledger.path)
    assert other.balance("bob") == 100
    other.close()


def test_batch_mixed(ledger):
    out = ledger.run_batch([
        ("ann", "zoe", 300, "b1"),
        ("ann", "bob", 200, "b2"),
        ("ann", "old", 300, "b3"),
        ("ann", "bob", 900, "b4"),
        ("ann", "bob", 800, "b5"),
    ])
    assert out == {"b1": "UnknownAccount", "b3": "AccountClosed", "b4": "LimitExceeded"}
    assert ledger.balance("ann") == 0
    assert ledger.statement("bob") == [("b2", 200), ("b5", 800)]
    assert ledger.total() == 0


def test_batch_again_carries_out_the_rest(ledger):
    orders = [("ann", "zoe", 300, "b1"), ("ann", "bob", 200, "b2")]
    ledger.run_batch(orders)
    ledger.open_account("zoe")
    assert ledger.run_batch(orders) == {}
    assert ledger.balance("zoe") == 300
    assert ledger.balance("bob") == 200


def test_bad_arguments_leave_no_trace(ledger):
    for args in [("ann", "bob", 0, "r1"), ("ann", "ann", 5, "r1")]:
        with pytest.raises(ValueError):
            ledger.transfer(*args)
    assert rows(ledger, "transfers") == 1


def test_spend_everything_and_overdraft(ledger):
    ledger.transfer("ann", "bob", 1000, "r1")
    ledger.transfer("bob", "ann", 1500, "r2")
    assert ledger.balance("bob") == -500
