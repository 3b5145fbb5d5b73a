"""Changed lines as a tracer sees them, and the unchanged ones that hang on them."""

import pytest
from fakes.submission import HEAD, scope_in

from transforms.mutants.changed_lines import ChangedLines, Unit, changed_lines


def found(old, new, qualname="price"):
    return changed_lines(scope_in(HEAD + old.encode(), qualname), scope_in(HEAD + new.encode(), qualname))


def lines(old, new):
    """Changed units with lines counted in the function's own text, from 1."""
    above = HEAD.count(b"\n")
    return [(unit.first - above, unit.last - above) for unit in found(old, new).changed]


def hanging(old, new, qualname="price"):
    """Unchanged units that read what is bound otherwise: line in the function, name, line before."""
    above = HEAD.count(b"\n")
    dependents = found(old, new, qualname).dependents
    return [(d.unit.first - above, d.name, d.before.first - above) for d in dependents]


BODY = "def price(text):\n    # first\n    x = int(text)\n    if x:\n        x += 1\n    return x\n"


@pytest.mark.parametrize(
    ("new", "units"),
    [
        (BODY.replace("int(text)", "float(text)"), [(3, 3)]),
        (BODY.replace("int(text)", "float(\n        text\n    )"), [(3, 5)]),
        (BODY.replace("if x:", "if x > 1:"), [(4, 4)]),
        (BODY.replace("    if x:\n        x += 1\n", ""), [(4, 4)]),
        (BODY.replace("    return x\n", ""), [(4, 4), (5, 5)]),
        (BODY.replace("    return x", "    if not x:\n        raise ValueError\n    return x"), [(6, 6), (7, 7)]),
        (
            BODY.replace("    x = int(text)", "    try:\n        x = int(text)\n    except ValueError:\n        x = 0"),
            None,
        ),
        (BODY.replace("# first", "# second"), []),
        (BODY.replace("price(text)", "price(text=1)"), [(1, 2)]),
        ("@cached\n" + BODY, [(1, 3)]),
        (BODY.replace("x += 1", "pass"), [(4, 4)]),
        (
            BODY.replace("    return x", "    def twice():\n        return 2 * x\n    return twice()"),
            [(6, 6), (7, 7), (8, 8)],
        ),
    ],
)
def test_each_changed_statement_is_a_unit(new, units):
    wanted = [(4, 4), (5, 5), (6, 6)] if units is None else units
    assert lines(BODY, new) == wanted


WITHIN = """def price(keys):
    made = []
    for key in keys:
        @noted
        def press():
            made.append(key)
        class Kept:
            pass
        made.append((press, Kept))
    return made
"""


@pytest.mark.parametrize(
    ("old", "new", "units"),
    [
        ("press():", "press(key=key):", [(4, 5)]),
        ("@noted\n        ", "", [(4, 4), (5, 5)]),
        ("@noted", "@noted(1)", [(4, 5)]),
        ("Kept:", "Kept(list):", [(7, 7)]),
        ("def press", "async def press", [(4, 5), (6, 6)]),
    ],
)
def test_the_head_of_a_function_or_class_inside_is_a_unit(old, new, units):
    assert lines(WITHIN, WITHIN.replace(old, new)) == units


def test_a_unit_ran_when_one_of_its_lines_did():
    assert Unit(3, 5).has_run({5})
    assert not Unit(3, 5).has_run({2, 6})


def test_a_text_that_cannot_be_read_has_no_lines():
    scope = scope_in(HEAD + BODY.encode())
    assert changed_lines(scope, scope) == ChangedLines((), ())


LOOP = (
    "def price(times, between):\n"
    "    for number in range(1, times):\n"
    "        try:\n"
    "            return work()\n"
    "        except OSError:\n"
    "            if between:\n"
    "                between(number)\n"
)


def test_lines_that_read_a_loop_variable_which_takes_other_values_hang_on_the_change():
    assert hanging(LOOP, LOOP.replace("range(1, times)", "range(times)")) == [(7, "number", 7)]


def test_another_name_of_the_variable_hides_no_line_that_hangs_on_it():
    new = LOOP.replace("range(1, times)", "range(times)").replace("number", "turn")
    assert hanging(LOOP, new) == [(7, "turn", 7)]


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ("x = 1\nuse(x)", "x = 2\nuse(x)", [(3, "x", 3)]),
        ("x = 1\nx = 3\nuse(x)", "x = 2\nx = 3\nuse(x)", []),
        ("x = 1\nif y:\n    x = 3\nuse(x)", "x = 2\nif y:\n    x = 3\nuse(x)", [(5, "x", 5)]),
        ("x = 1\nfor x in y:\n    use(x)", "x = 2\nfor x in y:\n    use(x)", []),
        ("y = 0\nuse(x)\nx = 1", "y = 0\nuse(x)\nx = 2", []),
        ("while y:\n    use(x)\n    x = 1", "while y:\n    use(x)\n    x = 2", [(3, "x", 3)]),
        ("x = 1\ndef inner():\n    return x", "x = 2\ndef inner():\n    return x", [(4, "x", 4)]),
        ("x = 1\ndef inner(x):\n    return x", "x = 2\ndef inner(x):\n    return x", []),
        ("self.x = 1\nuse(self.x)", "self.x = 2\nuse(self.x)", [(3, "self.x", 3)]),
        ("a, (b, *c) = y\nuse(c)", "a, (b, *c) = z\nuse(c)", [(3, "c", 3)]),
        ("with y as x:\n    use(x)", "with z as x:\n    use(x)", [(3, "x", 3)]),
        ("x = 1\nuse(x)", "use(x)", [(2, "x", 3)]),
        ("if y:\n    x = 1\nelse:\n    use(x)", "if y:\n    x = 2\nelse:\n    use(x)", []),
        ("use(1)\nuse(x)", "use(2)\nuse(x)", []),
        ("match y:\n    case [x]:\n        use(x)", "match z:\n    case [x]:\n        use(x)", []),
    ],
)
def test_only_reads_that_the_other_value_can_reach_hang_on_it(old, new, wanted):
    def function(body):
        return "def price(y, z):\n" + "".join(f"    {line}\n" for line in body.splitlines())

    assert hanging(function(old), function(new)) == wanted
