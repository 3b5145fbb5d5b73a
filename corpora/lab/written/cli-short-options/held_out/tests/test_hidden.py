import pytest

from argkit import Kind, MissingValue, Parser, UnknownOption, UsageError


@pytest.fixture
def parser():
    p = Parser()
    p.option("verbose", "v", Kind.COUNT)
    p.option("force", "f")
    p.option("all", "a")
    p.option("output", "o", Kind.VALUE)
    p.option("include", "I", Kind.LIST)
    p.option("jobs", "j", Kind.VALUE, convert=int)
    return p


CASES = [
    (["-vo=x"], {"output": "x", "verbose": 1}, []),
    (["-vfo=x", "y"], {"output": "x", "verbose": 1, "force": True}, ["y"]),
    (["-vo=", "y"], {"output": ""}, ["y"]),
    (["-o=", "y"], {"output": ""}, ["y"]),
    (["-vo==x"], {"output": "=x"}, []),
    (["-vok="], {"output": "k="}, []),
    (["-vok=w"], {"output": "k=w"}, []),
    (["-vofoo"], {"output": "foo", "force": False}, []),
    (["-vfoof"], {"output": "of", "force": True}, []),
    (["-voo"], {"output": "o"}, []),
    (["-vvvo", "o"], {"output": "o", "verbose": 3}, []),
    (["-vov"], {"output": "v", "verbose": 1}, []),
    (["-vovv", "w"], {"output": "vv", "verbose": 1}, ["w"]),
    (["-fvovfa"], {"output": "vfa", "verbose": 1, "all": False}, []),
    (["-vo-"], {"output": "-"}, []),
    (["-vo", "-"], {"output": "-"}, []),
    (["-vo--"], {"output": "--"}, []),
    (["-vj-5"], {"jobs": -5}, []),
    (["-vj", "-5"], {"jobs": -5}, []),
    (["-fj12"], {"jobs": 12}, []),
    (["-vIa", "-fIb", "-aI", "c"], {"include": ["a", "b", "c"], "force": True, "all": True}, []),
    (["-voIx"], {"output": "Ix", "include": []}, []),
    (["-voj3"], {"output": "j3", "jobs": None}, []),
    (["-vfao", "x", "y"], {"output": "x", "all": True, "verbose": 1}, ["y"]),
    (["-vo", "x", "-o", "y"], {"output": "y"}, []),
    (["-vo", ""], {"output": ""}, []),
    (["-o x"], {"output": " x"}, []),
    (["-vo x "], {"output": " x "}, []),
    (["-oavf"], {"output": "avf", "verbose": 0, "all": False}, []),
]


@pytest.mark.parametrize("argv, expected, rest", CASES)
def test_short(parser, argv, expected, rest):
    before = list(argv)
    values, got = parser.parse(argv)
    assert {k: values[k] for k in expected} == expected
    assert got == rest
    assert argv == before


@pytest.mark.parametrize("argv", [["-vo"], ["-vvfo"], ["-vo", "-f"], ["-vo", "--"], ["-fI", "--output=x"], ["-fj"]])
def test_missing(parser, argv):
    with pytest.raises(MissingValue) as info:
        parser.parse(argv)
    shown = argv[0][-1]
    assert info.value.name == "-" + shown


@pytest.mark.parametrize("argv, name", [(["-vq"], "-q"), (["-qo", "x"], "-q"), (["-vqox"], "-q"), (["-v=x"], "-="), (["-fqv"], "-q")])
def test_unknown(parser, argv, name):
    with pytest.raises(UnknownOption) as info:
        parser.parse(argv)
    assert info.value.name == name


@pytest.mark.parametrize("argv", [["-vjx"], ["-vj="], ["-vj", "x"], ["-fj3v"]])
def test_bad_number(parser, argv):
    with pytest.raises(UsageError):
        parser.parse(argv)


def test_long_unchanged(parser):
    values, rest = parser.parse(["--output=", "--jobs", "-2", "--verbose", "--", "-vo"])
    assert (values["output"], values["jobs"], values["verbose"], rest) == ("", -2, 1, ["-vo"])
