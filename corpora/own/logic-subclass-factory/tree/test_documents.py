from documents import Document, Letter, parse_all


def test_parse():
    assert Document.parse(" News \n\nAll well.\n") == Document("News", "All well.")


def test_render():
    assert Document("News", "All well.").render() == "[document] News\nAll well."
    assert Letter("To: Ann").render() == "[letter] To: Ann\n"


def test_addressee():
    assert Letter("To: Ann").addressee == "Ann"
    assert Letter("Untitled").addressee is None


def test_parsed_letters_are_letters():
    letter = Letter.parse("To: Bob\nHello")
    assert letter.addressee == "Bob"


def test_parsed_letters_render_as_such():
    assert Letter.parse("To: Bob\nHello").render() == "[letter] To: Bob\nHello"


def test_parse_all():
    found = parse_all("document\nA\nb\n---\nletter\nTo: C\nd")
    assert [type(each) for each in found] == [Document, Letter]


def test_kinds_are_not_equal():
    assert Document("a") != Letter("a")
