import pytest

from argkit import Kind, MissingValue, Option, Parser, UnknownOption, UsageError


@pytest.fixture
def parser():
    p = Parser()
    p.option("verbose", "v", Kind.COUNT)
    p.option("force", "f")
    p.option("output", "o", Kind.VALUE, default="-")
    p.option("include", "I", Kind.LIST)
    p.option("jobs", "j", Kind.VALUE, convert=int, default=1)
    p.option("dry-run")
    return p


def test_defaults(parser):
    values, rest = parser.parse([])
    assert values == {"verbose": 0, "force": False, "output": "-", "include": [],
                      "jobs": 1, "dry-run": False}
    assert rest == []


def test_long_options(parser):
    values, rest = parser.parse(["--force", "--output=a=b", "--jobs", "4", "x"])
    assert values["force"] is True
    assert values["output"] == "a=b"
    assert values["jobs"] == 4
    assert rest == ["x"]


def test_flags_in_cluster(parser):
    values, rest = parser.parse(["-vfv", "x"])
    assert values["verbose"] == 2
    assert values["force"] is True
    assert rest == ["x"]


@pytest.mark.parametrize("argv", [["-o", "a.txt"], ["-oa.txt"], ["-o=a.txt"]])
def test_short_value(parser, argv):
    values, rest = parser.parse(argv)
    assert values["output"] == "a.txt"
    assert rest == []


def test_cluster_with_value_in_next_argument(parser):
    values, rest = parser.parse(["-vo", "a.txt", "b.txt"])
    assert values["verbose"] == 1
    assert values["output"] == "a.txt"
    assert rest == ["b.txt"]


def test_cluster_with_attached_value(parser):
    values, rest = parser.parse(["-voa.txt", "b.txt"])
    assert values["output"] == "a.txt"
    assert values["verbose"] == 1
    assert rest == ["b.txt"]


def test_long_cluster_with_number(parser):
    values, rest = parser.parse(["-vvfj8"])
    assert (values["verbose"], values["force"], values["jobs"]) == (2, True, 8)


def test_value_letters_are_no_options(parser):
    values, _ = parser.parse(["-ovf"])
    assert values["output"] == "vf"
    assert values["verbose"] == 0
    assert values["force"] is False


def test_list_option(parser):
    values, _ = parser.parse(["-Ia", "-I", "b", "--include=c"])
    assert values["include"] == ["a", "b", "c"]


def test_parse_twice_is_independent(parser):
    parser.parse(["-Ia", "-v"])
    values, _ = parser.parse(["-Ib"])
    assert values["include"] == ["b"]
    assert values["verbose"] == 0


def test_missing_value(parser):
    with pytest.raises(MissingValue):
        parser.parse(["-o"])
    with pytest.raises(MissingValue):
        parser.parse(["-o", "-v"])


def test_negative_number_is_a_value(parser):
    values, _ = parser.parse(["-j", "-3"])
    assert values["jobs"] == -3


def test_bad_number(parser):
    with pytest.raises(UsageError, match="jobs"):
        parser.parse(["-jmany"])


def test_unknown(parser):
    with pytest.raises(UnknownOption, match="-q"):
        parser.parse(["-vq"])
    with pytest.raises(UnknownOption, match="--quiet"):
        parser.parse(["--quiet"])


def test_double_dash_and_lone_dash(parser):
    values, rest = parser.parse(["-v", "-", "--", "-f", "--nope"])
    assert rest == ["-", "-f", "--nope"]
    assert values["force"] is False


def test_bad_short_name():
    with pytest.raises(ValueError):
        Option("x", short="xy")
