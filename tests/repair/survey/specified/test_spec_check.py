"""What people say of findings is kept as a whole, or not at all."""

import pytest

from analysis.errors import UsageError
from repair.records.specified import PersonSays, SpecKind, SpecRequest
from repair.store.stored_run import Seals
from repair.survey.specified.fact_store import FactStore
from repair.survey.specified.findings import finding_of
from repair.survey.specified.spec_check import keep_words

FINDING = finding_of(SpecKind.GAP, "shop.py:f", "no test runs it", "shop.py", 1, words=("untested",))


def words(*names: str) -> SpecRequest:
    return SpecRequest(words=tuple((name, PersonSays.ANSWERED, "it is so") for name in names), who="Ann")


def test_one_wrong_id_keeps_all_words_out(tmp_path):
    store = FactStore(tmp_path, Seals(b"our own key"))
    for names in ((FINDING.id, "D-wrong"), ("D-wrong", FINDING.id)):
        with pytest.raises(UsageError, match="no finding 'D-wrong'"):
            keep_words(words(*names), [FINDING], store)
    assert store.words() == {}
    keep_words(words(FINDING.id), [FINDING], store)
    assert [(name, word.who) for name, word in store.words().items()] == [(FINDING.id, "Ann")]
