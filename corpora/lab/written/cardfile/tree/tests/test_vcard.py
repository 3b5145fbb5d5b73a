from cardfile.contact import Contact
from cardfile.vcard import dump, load

CARD = """BEGIN:VCARD
FN:Ann Jones
TEL;TYPE=cell:020 7946 0000
EMAIL:ann@x.org
NOTE:met at work
END:VCARD"""


def test_load():
    assert load(CARD) == [Contact("Ann Jones", ["020 7946 0000"], ["ann@x.org"], "met at work")]


def test_round_trip():
    contacts = [Contact("A", ["1"]), Contact("B", [], ["b@x.org"], "n")]
    assert load(dump(contacts)) == contacts
