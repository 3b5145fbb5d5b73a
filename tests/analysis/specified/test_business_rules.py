"""Rules of a project: patterns, and files that hold rules."""

import pytest

from analysis.specified.business_rules import BusinessRule, forbidden_in, new_places, read_rules


def found(pattern, source, path="shop/a.py", paths=("*.py",)):
    rule = BusinessRule("r", "It must not.", pattern, paths=paths)
    return [(each.line, each.text) for each in forbidden_in(rule, path, source.encode()) or ()]


@pytest.mark.parametrize(
    ("pattern", "source", "expected"),
    [
        ("float($X)", "a = float(b + 1)\nfloat(1, 2)", [(1, "float(b + 1)")]),
        ("eval($...)", "eval()\neval(a, b=c)\nother(a)", [(1, "eval()"), (2, "eval(a, b=c)")]),
        ("run($X, shell=True)", "run(a, shell=True)\nrun(a, shell=False)", [(1, "run(a, shell=True)")]),
        ("run($X, shell=True, $...)", "run(a, shell=True)", None),
        ("run(shell=True)", "run(a, shell=True)", []),
        ("$X == $X", "a == a\na == b", [(1, "a == a")]),
        ("$X.close()", "a.b.close()\nclose()", [(1, "a.b.close()")]),
        ("raise Exception($...)", "raise Exception('no')", [(1, "raise Exception('no')")]),
        ("import pickle", "import pickle\nimport json", [(1, "import pickle")]),
        ("True", "a = 1", []),
    ],
)
def test_patterns(pattern, source, expected):
    if expected is None:
        with pytest.raises(ValueError, match="no expression"):
            found(pattern, source)
    else:
        assert found(pattern, source) == expected


def test_only_what_is_new_counts():
    rule = BusinessRule("r", "It must not.", "float($X)")
    old, new = (forbidden_in(rule, "a.py", text) for text in (b"float(a)", b"x = 1\nfloat(a)\nfloat(b)\nfloat(a)"))
    assert [(each.line, each.text) for each in new_places(old, new)] == [(3, "float(b)"), (4, "float(a)")]
    assert new_places(new, old) == ()
    assert forbidden_in(rule, "a.py", b"def f(:") is None


def test_rules_of_a_file():
    first = b'[[rules]]\nname = "a"\nsentence = "A."\nforbid = "f($X)"\n'
    second = b'[[rules]]\nname = "b"\nsentence = "B."\ncheck = ["t.py"]\n'
    one, two = read_rules(first + second)
    assert (one.forbid, one.covers("shop/a.py"), one.covers("a.txt")) == ("f($X)", True, False)
    assert two.check == ("t.py",)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[[rules", "no TOML"),
        ("x = 1", "no `\\[\\[rules\\]\\]`"),
        ("rules = [1]", "rule 1 is no table"),
        ('[[rules]]\nname = "a"', "needs a name and a sentence"),
        ('[[rules]]\nname = "a"\nsentence = "A."', "either `forbid` or `check`"),
        ('[[rules]]\nname = "a"\nsentence = "A."\nforbid = "f("', "no expression or statement"),
        ('[[rules]]\nname = "a"\nsentence = "A."\nforbit = "f()"', "the key 'forbit'"),
        ('[[rules]]\nname = "a"\nsentence = "A."\ncheck = "t.py"', "check is no list of texts"),
        ('[[rules]]\nname = "a"\nsentence = "A."\nforbid = "f()"\n' * 2, "two rules are called 'a'"),
    ],
)
def test_wrong_files_of_rules(text, why):
    with pytest.raises(ValueError, match=why):
        read_rules(text.encode())
    with pytest.raises(ValueError, match="UTF-8"):
        read_rules(b"\xff")


@pytest.mark.parametrize("terms", [900, 50_000])
@pytest.mark.parametrize("pattern", ["$X + 1", "$X == $X"])
def test_a_file_that_is_nested_too_deep_cannot_be_read(pattern, terms):
    deep = f"a = {'+'.join('b' * terms)} + 1 == {'+'.join('b' * terms)} + 1"
    assert forbidden_in(BusinessRule("r", "It must not.", pattern), "shop/a.py", deep.encode()) is None
