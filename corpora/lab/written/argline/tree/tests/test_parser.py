import pytest

from argline import Parser, UsageError


@pytest.fixture
def parser():
    p = Parser("demo")
    p.option("verbose", "v", action="flag", help="say more")
    p.option("jobs", "j", convert=int, default=1)
    p.option("include", "I", action="append")
    p.option("exclude", action="append", default=["build", "dist"])
    p.option("out-file", "o")
    return p


def test_defaults(parser):
    values, rest = parser.parse([])
    assert values == {
        "verbose": False,
        "jobs": 1,
        "include": [],
        "exclude": ["build", "dist"],
        "out_file": None,
    }
    assert rest == []


@pytest.mark.parametrize("argv", [["--jobs", "4"], ["--jobs=4"], ["-j", "4"], ["-j4"]])
def test_ways_to_give_a_value(parser, argv):
    assert parser.parse(argv)[0]["jobs"] == 4


def test_value_with_equals_sign(parser):
    assert parser.parse(["--out-file=a=b"])[0]["out_file"] == "a=b"


def test_cluster(parser):
    values, _ = parser.parse(["-vj3"])
    assert values["verbose"] is True
    assert values["jobs"] == 3


def test_append(parser):
    values, _ = parser.parse(["-I", "a", "--include=b", "-Ic"])
    assert values["include"] == ["a", "b", "c"]


def test_append_after_default(parser):
    values, _ = parser.parse(["--exclude", "tmp"])
    assert values["exclude"] == ["build", "dist", "tmp"]


def test_append_twice_with_same_parser(parser):
    assert parser.parse(["-I", "a"])[0]["include"] == ["a"]
    assert parser.parse(["-I", "b"])[0]["include"] == ["b"]


def test_second_parse_has_the_default(parser):
    parser.parse(["--exclude", "tmp"])
    assert parser.parse([])[0]["exclude"] == ["build", "dist"]


def test_positional(parser):
    assert parser.parse(["a", "-v", "b"])[1] == ["a", "b"]
    assert parser.parse(["-"])[1] == ["-"]


def test_double_dash(parser):
    values, rest = parser.parse(["--", "-v", "--jobs"])
    assert rest == ["-v", "--jobs"]
    assert values["verbose"] is False


@pytest.mark.parametrize("argv, text", [
    (["--nope"], "unknown option --nope"),
    (["-x"], "unknown option -x"),
    (["--verbose=1"], "--verbose takes no value"),
    (["--jobs"], "--jobs needs a value"),
    (["--jobs=many"], "--jobs: bad value 'many'"),
])
def test_errors(parser, argv, text):
    with pytest.raises(UsageError) as info:
        parser.parse(argv)
    assert str(info.value) == text


def test_declared_twice(parser):
    with pytest.raises(ValueError):
        parser.option("jobs")
    with pytest.raises(ValueError):
        parser.option("other", "j")


def test_unknown_action():
    with pytest.raises(ValueError):
        Parser("x").option("a", action="count")


def test_usage(parser):
    lines = parser.usage().splitlines()
    assert lines[0] == "usage: demo [options] [arguments]"
    assert lines[1] == "  -v, --verbose             say more"
    assert lines[4] == "      --exclude VALUE"
