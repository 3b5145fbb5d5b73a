from chunks import differences


def test_streams():
    assert list(differences(iter([5, 5]))) == [0]
    assert list(differences(x for x in ())) == []
    assert list(differences([0, 0.5])) == [0.5]
