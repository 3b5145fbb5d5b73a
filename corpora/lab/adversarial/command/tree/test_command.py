import pytest
from command import main, parse_arguments


@pytest.mark.parametrize("arguments", [["-h"], ["1", "--help", "2"]])
def test_help(arguments, capsys):
    with pytest.raises(SystemExit) as ended:
        parse_arguments(arguments)
    assert ended.value.code == 0
    assert capsys.readouterr().out == "usage: add NUMBER ...\n"


@pytest.mark.parametrize("arguments, numbers", [(["1", "2"], [1, 2]), (["-1", "--", "-2"], [-1, -2]), ([], [])])
def test_numbers(arguments, numbers):
    assert parse_arguments(arguments) == numbers


def test_help_is_no_number():
    with pytest.raises(ValueError, match="-h"):
        parse_arguments(["--", "-h"])


def test_sum(capsys):
    assert main(["4", "5"]) == 0
    assert capsys.readouterr().out == "9\n"
