from datetime import date
from decimal import Decimal

import pytest

from bank.ledger import Ledger, new_transactions
from bank.statement import Transaction


def T(text, amount=-3, day=1):
    return Transaction(date(2024, 2, day), text, Decimal(amount))


C, B = T("coffee"), T("books", -20)


@pytest.mark.parametrize(
    "existing, incoming, want",
    [
        ([], [], []),
        ([C], [], []),
        ([], [C], [C]),
        ([C], [C], []),
        ([], [C, C], [C, C]),
        ([], [C, B, C], [C, B, C]),
        ([C], [C, C], [C]),
        ([C, C], [C, C], []),
        ([C, C], [C], []),
        ([C, C], [C, C, C], [C]),
        ([C], [C, C, C], [C, C]),
        ([C, C, C], [C, C], []),
        ([B], [C, C], [C, C]),
        ([C, B], [C, B, C, B], [C, B]),
        ([C, C, B], [B, C, B], [B]),
        ([B, C], [C], []),
    ],
)
def test_counts(existing, incoming, want):
    assert new_transactions(existing, incoming) == want


def test_alike_ignores_case_and_spacing():
    assert new_transactions([T("Coffee  Bar")], [T("coffee bar")]) == []
    assert new_transactions([T("Coffee  Bar")], [T("coffee bar"), T("COFFEE bar")]) == [T("COFFEE bar")]


def test_other_day_or_amount_is_another():
    assert new_transactions([C], [T("coffee", -3, 2), T("coffee", -4)]) == [T("coffee", -3, 2), T("coffee", -4)]


def test_arguments_are_left_alone():
    existing, incoming = [C, B], [C, C, B]
    new_transactions(existing, incoming)
    assert existing == [C, B]
    assert incoming == [C, C, B]


def test_result_is_a_new_list():
    incoming = [C, C]
    got = new_transactions([], incoming)
    assert got is not incoming


def csv_of(*names):
    return "Date,Description,Amount\n" + "".join(f"2024-02-01,{n},-1\n" for n in names)


def test_import_three_times():
    ledger = Ledger()
    assert ledger.import_text(csv_of("a", "a", "b")) == 3
    assert ledger.import_text(csv_of("a", "a", "b")) == 0
    assert ledger.import_text(csv_of("a", "a", "a", "b")) == 1
    assert ledger.balance() == -4


def test_growing_day():
    ledger = Ledger()
    assert ledger.import_text(csv_of("a")) == 1
    assert ledger.import_text(csv_of("a", "a")) == 1
    assert ledger.import_text(csv_of("a", "a")) == 0
