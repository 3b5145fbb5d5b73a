from documents import Document, Letter, parse_all


class Memo(Letter):
    kind = "memo"


def test_deeper():
    assert type(Memo.parse("x")) is Memo
    assert Memo.parse("To: Z\n").addressee == "Z"
    assert type(Document.parse("x")) is Document
    assert [d.kind for d in parse_all("memo\nM", kinds=(Memo,))] == ["memo"]
