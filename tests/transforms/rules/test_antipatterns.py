"""Shapes of edits that pass tests more often than they mend faults."""

from textwrap import dedent

import pytest

from transforms.rules.antipatterns import antipatterns, dead_code, repeated_statements, unread_parameters

OLD = """
def price(text, rate):
    if not text:
        return 0
    total = int(text)
    total = total * rate
    return total
"""


def found(new, old=OLD):
    return antipatterns(dedent(old).encode(), dedent(new).encode())


@pytest.mark.parametrize(
    ("old", "new", "names"),
    [
        ("    total = total * rate\n", "", ("deleted functionality",)),
        ("    if not text:\n        return 0\n", "", ("deleted functionality",)),
        ("total * rate", "7", ("hard-coded value",)),
        ("int(text)", "42", ("hard-coded value",)),
        ("    total = int", "    return 0\n    total = int", ("unconditional exit",)),
        (
            "        return 0\n",
            "        return 0\n    else:\n        return 1\n",
            ("unconditional exit",),
        ),
        ("if not text", "if False", ("hard-coded value", "trivial condition")),
        ("if not text", "if text == text", ("trivial condition",)),
        ("if not text", "if not 0", ("hard-coded value", "trivial condition")),
        ("if not text", "if not type(text)", ("trivial condition",)),
        ("if not text", "if not not type(text)", ("trivial condition",)),
        ("if not text", "if (text, rate)", ("trivial condition",)),
        ("if not text", "if text.upper()", ("text as a condition",)),
        ("if not text", "if not text.title()", ("text as a condition",)),
        ("if not text", "if not text or text.lower()", ("text as a condition",)),
        ("if not text", "if str(text)", ("text as a condition",)),
        ("if not text", "if str(text) == '1'", ()),
        ("if not text", "if not text.strip()", ()),
        ("if not text", "if not text.isupper()", ()),
        ("if not text", "if lambda: text", ("trivial condition",)),
        ("return total", "total", ("idle statement",)),
        ("return 0", "False", ("idle statement",)),
        ("    total = int", "    for _ in text:\n        pass\n    total = int", ("emptied block",)),
        ("    total = int", "    if rate:\n        ...\n    total = int", ("emptied block",)),
        ("    total = int", "    rate = time.sleep(rate)\n    total = int", ("name for nothing",)),
        ("total = int(text)", "int(text)", ("dropped result",)),
        ("if not text", "if not len(text)", ()),
        ("if not text", "if not [*text]", ()),
    ],
)
def test_an_antipattern_is_named(old, new, names):
    assert old in OLD
    assert found(OLD.replace(old, new)) == names


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("int(text)", "int(text.strip())"),
        ("total * rate", "total / rate"),
        ("not text", "text is None"),
        ("    total = int", "    if rate < 0:\n        raise ValueError(rate)\n    total = int"),
        ("return 0", "return None"),
        ("return 0", "return 1"),
        ("    total = int", "    if rate:\n        pass\n    else:\n        text = ''\n    total = int"),
        ("total * rate", "np.append(total, rate)"),
        ("    total = int", "    while step(text):\n        pass\n    total = int"),
        ("    total = int", "    text.sort()\n    total = int"),
        ("    total = int", "    int(text)\n    total = int"),
        ("total = total * rate\n    return total", "total = total * rate\n    log(total)\n    return total"),
        ("    total = total * rate\n    return total", "    return total * rate"),
        ("    total = int", "    while True:\n        break\n    total = int"),
    ],
)
def test_an_ordinary_edit_shows_none(old, new):
    assert old in OLD
    assert found(OLD.replace(old, new)) == ()


def test_an_exit_that_was_there_before_is_no_news():
    old = "def f():\n    return 1\n    x = 2\n"
    assert found(old.replace("1", "3"), old) == ()


def test_what_its_author_should_be_warned_of_is_no_concern_of_ours():
    old = r"""def f(x):
    return x is 1, "\d"
"""
    assert found(old.replace("x is 1", "0"), old) == ("hard-coded value",)


def test_a_method_with_decorators_is_read():
    old = "    @property\n    def f(self):\n        self.x()\n        return 1\n"
    assert antipatterns(old.encode(), old.replace("        self.x()\n", "").encode()) == ("deleted functionality",)


def test_a_real_fix_shows_none():
    """``naturalsize`` of humanize 4.12.3."""
    old = '    if abs_bytes == 1 and not gnu:\n        return f"{int(bytes_)} Byte"\n    return "%.1f" % bytes_\n'
    new = old.replace("int(bytes_)", "int(bytes_):d")
    head = "def naturalsize(bytes_, gnu, abs_bytes):\n"
    assert found(head + new, head + old) == ()


@pytest.mark.parametrize(
    ("old", "new", "encoding"),
    [
        (b"def f(:\n", b"def f(): pass\n", "utf-8"),
        (b"def f(): pass\n", b"def f(:\n", "utf-8"),
        (b"def f(): pass\n", b"def f(): '\xe4'\n", "utf-8"),
        (b"def f(): pass\n", b"def f(): '\0'\n", "utf-8"),
        (b"def f(): pass\n", b"def f(): " + b"(" * 5000 + b")" * 5000 + b"\n", "utf-8"),
        (b'    def f(self):\n        return """\nlow\n"""\n', b"    def f(self):\n        pass\n", "utf-8"),
        (b"def f(): pass\n", b"def f(): pass\n", "no-such-encoding"),
    ],
)
def test_what_cannot_be_read_shows_nothing(old, new, encoding):
    assert antipatterns(old, new, encoding) == ()


@pytest.mark.parametrize(
    ("old", "new", "names"),
    [
        ("total * rate", "total * 2", ("rate",)),
        ("total * rate", "total + rate", ()),
        ("    total = total * rate\n", "    def more():\n        return rate\n    total = more()\n", ()),
        ("    total = total * rate\n", "    rate = total\n", ("rate",)),
        ("(text, rate)", "(text)", ()),
        ("total * rate", "total *", ()),
    ],
)
def test_a_parameter_that_is_no_longer_read_is_named(old, new, names):
    assert unread_parameters(dedent(OLD).encode(), dedent(OLD.replace(old, new)).encode()) == names


def test_every_kind_of_parameter_counts_but_for_the_instance():
    old = b"def f(self, a, /, b, *c, d, **e):\n    return self, a, b, c, d, e\n"
    assert unread_parameters(old, old.replace(b"return self, a, b, c, d, e", b"return 0")) == ("a", "b", "d", "c", "e")


def test_what_the_old_function_did_not_read_is_nobodys_loss():
    assert unread_parameters(b"def f(a):\n    return 1\n", b"def f(a):\n    return 2\n") == ()


TREE = """
def walk(node, seen):
    def within(part):
        return part in seen or any(within(child) for child in part)
    if node in seen and not node.done:
        return False
    return any(walk(child, seen) for child in node.children) or within(node)
"""


@pytest.mark.parametrize(
    ("old", "new", "names"),
    [
        ("walk(child, seen) for", "child for", ("dropped recursion",)),
        ("any(within(child) for child in part)", "any(part)", ("dropped recursion",)),
        ("walk(child, seen) for", "walk(child, seen + [node]) for", ()),
        ("any(walk(child, seen) for child in node.children) or within(node)", "within(node)", ("dropped recursion",)),
        ("node in seen and", "node in seen and not node.done or not node.done and", ("trivial condition",)),
        ("node in seen and not", "node in seen and node in seen and not", ("trivial condition",)),
        ("node in seen and", "(node in seen or not node.done) and", ("trivial condition",)),
        ("node in seen and", "(node.take() or node.take()) and", ()),  # a call may give something else
        ("node in seen and", "node.name.startswith('a') is not None and", ("trivial condition",)),
        ("node in seen and", "node.get('a') is not None and", ()),
        ("node in seen and", "node in seen and type(node) and", ("trivial condition",)),
        ("node in seen and", "(node in seen or node.left) and (node in seen or node.right) and", ()),
    ],
)
def test_what_a_function_asks_and_calls_of_itself(old, new, names):
    assert old in TREE
    assert found(TREE.replace(old, new), TREE) == names


def test_a_method_of_another_object_is_no_recursion():
    old = "def copy(self, other):\n    self.rest()\n    return other.copy()\n"
    assert found(old.replace("other.copy()", "[*other]"), old) == ()
    own = "def copy(self, n):\n    self.rest()\n    return self.copy(n - 1) if n else 0\n"
    assert found(own.replace("self.copy(n - 1)", "n"), own) == ("dropped recursion",)


@pytest.mark.parametrize(
    "statement",
    [
        *("text.strip()", "text.size", "text[0]", "...", "'a remark'", "(yield)", "text << (rate | total)"),
        *("text >> rate", "[None for _ in text]", "try:\n        text\n    except NameError:\n        pass"),
    ],
)
def test_a_statement_that_may_do_or_say_something_is_not_idle(statement):
    assert "idle statement" not in found(OLD.replace("    total = int", f"    {statement}\n    total = int"))


@pytest.mark.parametrize("statement", ["total = total * rate", "rate += 1", "print(text)", "del text", "assert text"])
def test_a_statement_that_stands_twice_in_a_row_is_one(statement):
    twice = OLD.replace("    return total", f"    {statement}\n    {statement}\n    return total")
    assert "repeated statement" in found(twice)
    assert repeated_statements(OLD.encode(), twice.encode()) == (statement,)
    assert repeated_statements(twice.encode(), OLD.encode()) == ()
    assert repeated_statements(twice.encode(), twice.encode()) == (), "it was there before"
    apart = OLD.replace("    return total", f"    {statement}\n    rate\n    {statement}\n    return total")
    assert "repeated statement" not in found(apart.replace("total = total * rate", "total = total + rate", 1))


def test_an_idle_statement_is_told_in_words():
    assert dead_code(OLD.encode(), OLD.replace("return total", "total + 1").encode()) == (
        "the statement `total + 1` does nothing",
    )


def test_dead_conditions_are_told_in_words():
    new = TREE.replace("seen and not node.done", "seen and not node.done or not node.done")
    assert dead_code(TREE.encode(), new.encode()) == (
        "`node in seen and (not node.done)` decides nothing beside what stands next to it",
    )
    new = TREE.replace("node in seen and", "node.name.isupper() is not None and")
    assert dead_code(TREE.encode(), new.encode()) == (
        "the condition `node.name.isupper() is not None` always has the same answer",
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("    a = a.sort()\n    return a\n", "    a.sort()\n    return a\n"),
        ("    return a.sort()\n", "    a.sort()\n    return a\n"),
        ("    d = random.shuffle(a)\n    return d\n", "    random.shuffle(a)\n    return a\n"),
        ("    return self.items.append(a)\n", "    self.items.append(a)\n    return self\n"),
        ("    for x in a:\n        return visit(x)\n", "    for x in a:\n        visit(x)\n"),
    ],
)
def test_what_is_called_for_its_effect_needs_no_name(old, new):
    assert "dropped result" not in found(f"def f(self, a):\n{new}", f"def f(self, a):\n{old}")


@pytest.mark.parametrize("new", ["text.center()", "format(text, rate)", "self.upper"])
def test_a_condition_that_may_be_asked_of_anything_is_none(new):
    assert "text as a condition" not in found(OLD.replace("not text", new))


def test_a_condition_on_a_text_that_is_made_is_no_dead_code():
    assert dead_code(OLD.encode(), OLD.replace("if not text", "if not text.upper()").encode()) == ()
