"""What may be a secret among a program's arguments, and what stands for it in a record."""

import pytest

from analysis.errors import UsageError
from repair.records.secret_names import choose_arguments, hide_secrets


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (("-x", "-k", "price and not key", "--maxfail=1"), ("-x", "-k", "price and not key", "--maxfail=1")),
        (("--api-token=hunter2",), ("--api-token=[hidden]",)),
        (("--db-password", "hunter2", "-q"), ("--db-password", "[hidden]", "-q")),
        (("--password", "--verbose"), ("--password", "--verbose")),
        (("--db=postgres://me:hunter2@host/db",), ("--db=postgres://[hidden]@host/db",)),
        (("--db", "postgres://me:hunter2@host/db"), ("--db", "postgres://[hidden]@host/db")),
        (("--base-url=http://localhost:8000",), ("--base-url=http://localhost:8000",)),
        ((), ()),
    ],
)
def test_what_may_be_a_secret_is_not_recorded(given, kept):
    assert hide_secrets(given) == kept
    assert "hunter2" not in str(hide_secrets(given))


def test_the_arguments_of_a_record_that_left_one_out_are_asked_for():
    assert choose_arguments((), ("-x",)) == ("-x",)
    assert choose_arguments(("--token=mine",), ("--token=[hidden]",)) == ("--token=mine",)
    with pytest.raises(UsageError, match="leaves out what may be a secret") as caught:
        choose_arguments((), ("-x", "--token=[hidden]"))
    assert (caught.value.where, "REPAIR_PYTEST_ARGS" in caught.value.remedy) == ("--token=[hidden]", True)
