from address import Address


def test_default_port():
    assert Address("http", "pumps.example", path=["a", "b"], user="ann").origin == "http://pumps.example"


def test_other_port():
    assert Address("http", "pumps.example", 83).origin == "http://pumps.example:83"


def test_unknown_scheme():
    assert Address("pep", "pumps.example").origin == "pep://pumps.example"
    assert Address("pep", "pumps.example", 8081, user="bob").origin == "pep://pumps.example:8081"


def test_whole():
    assert Address("pep", "pumps.example", 91, ["a"]).whole == "pep://pumps.example:91/a"
