"""Which operator makes which kind of edit: every kind of small fix that is known has one, every operator is of one."""

from __future__ import annotations

from types import MappingProxyType

import pytest
from fakes.operated import results, same

from transforms.operators.catalog import MENDING
from transforms.operators.operator import Example

KINDS = MappingProxyType(
    {
        "an expression from elsewhere": (
            "replace_name name_to_expression replace_expression replace_literal as_elsewhere as_sibling other_value "
            "other_class other_definition qualify_name type_everywhere"
        ),
        "operators and comparisons": "comparison membership arithmetic augmented swap_operands chain_comparison",
        "boolean structure": (
            "negate_condition boolean_operator drop_conjunct add_conjunct replace_condition part_first move_not "
            "truth_to_identity kindred_test class_asked compare_more no_bool only_none"
        ),
        "arithmetic and off-by-one": "off_by_one regroup negate_value combine keep_extreme power",
        "wrap and unwrap": (
            "wrap_conversion wrap_builtin wrap_known_call wrap_method wrap_as_elsewhere wrap_index put_in_collection "
            "put_in_brackets join_texts unwrap strip_text clean_parts"
        ),
        "arguments": (
            "swap_arguments drop_argument add_argument argument_keyword pass_keyword spread_argument in_other_order"
        ),
        "calls": "other_function drop_call add_call ask_base",
        "attributes and methods": (
            "rename_attribute add_attribute other_access copy_attribute store_attribute attribute_everywhere"
        ),
        "subscripts and keys": "key slice_bounds swap_indices one_as_slice part_for_one ask_table",
        "literals": "number told_number constant string collection_elements neutral_value holds_empty",
        "texts of the neighbourhood": "text_elsewhere text_prefix shorten_text one_of_texts",
        "assignment targets": "replace_target take_apart part_once swap_loop_targets at_once",
        "statements inserted": (
            "copy_statement copy_renamed rest_behind_loop assign_again move_along take_back fill_asked normalize jump"
        ),
        "statements deleted": "delete_statement drop_clause take_out",
        "statements moved": "swap_neighbours move_statement",
        "indented or dedented": (
            "move_into_block move_out_of_block unwrap_block out_of_two_blocks otherwise_behind_loop wrap_in_if"
        ),
        "branches": "else_and_elif add_else swap_branches swap_ternary value_if value_by_type",
        "guards from constraints": (
            "guard_statement guard_wrap guard_condition detour default_value safe_access lookup_default convert "
            "fall_back foreign_operand special_name once"
        ),
        "loops": "range_bounds iterate_otherwise if_and_while loop_else exchange_jump count_from",
        "exceptions": (
            "raised_type caught_type caught_kin insert_raise reraise raise_from catch add_handler drop_handler "
            "narrow_try whatever_happens"
        ),
        "returns": "add_return return_it assign_it early_exit",
        "initialization": "initialize declare",
        "yield and await": "yield_it await_it wait_in_turn",
        "copies instead of aliases": "copy copy_inside fresh_elements bind_now new_for_in_place",
        "comprehensions": "comprehension_filter collect_otherwise swap_loops element",
        "f-strings": "field_format field_text fields",
        "formats": "percent_format brace_format format_spec time_format",
        "regular expressions": "pattern pattern_call",
    }
)

SHOWN = (
    (
        "dedented: two statements",
        "move_out_of_block",
        "def f(xs):\n    n = 0\n    for x in xs:\n        n += x\n        log(n)\n        return n\n",
        "def f(xs):\n    n = 0\n    for x in xs:\n        n += x\n    log(n)\n    return n\n",
    ),
    (
        "indented: two statements",
        "move_into_block",
        "def f(xs):\n    for x in xs:\n        a = g(x)\n    b = h(a)\n    out(b)\n",
        "def f(xs):\n    for x in xs:\n        a = g(x)\n        b = h(a)\n        out(b)\n",
    ),
    (
        "indented: under an if",
        "move_into_block",
        "def f(xs, on):\n    if on:\n        g(xs)\n    h(xs)\n    return xs\n",
        "def f(xs, on):\n    if on:\n        g(xs)\n        h(xs)\n    return xs\n",
    ),
    (
        "missing update",
        "assign_again",
        "def f(a, n):\n    while n > 0:\n        a.append(n)\n    return a\n",
        "def f(a, n):\n    while n > 0:\n        a.append(n)\n        n -= 1\n    return a\n",
    ),
    (
        "missing update by a step",
        "assign_again",
        "def f(a, n, step):\n    i = 0\n    while i < n:\n        a.append(i)\n    return a\n",
        "def f(a, n, step):\n    i = 0\n    while i < n:\n        a.append(i)\n        i += step\n    return a\n",
    ),
    (
        "update that does not move on",
        "off_by_one",
        "def f(xs, low, high):\n    while low < high:\n        low = xs[low]\n    return low\n",
        "def f(xs, low, high):\n    while low < high:\n        low = xs[low] + 1\n    return low\n",
    ),
    (
        "exit of an endless loop",
        "jump",
        "def f(q):\n    while True:\n        x = q.get()\n        if x is None:\n            log(q)\n        run(x)\n",
        "def f(q):\n    while True:\n        x = q.get()\n        if x is None:\n            log(q)\n"
        "            break\n        run(x)\n",
    ),
    (
        "exit at the top of an endless loop",
        "early_exit",
        "def f(q):\n    while True:\n        x = q.pop()\n        run(x)\n",
        "def f(q):\n    while True:\n        if not q:\n            break\n        x = q.pop()\n        run(x)\n",
    ),
    (
        "condition of an endless loop",
        "replace_condition",
        "def f(q):\n    while True:\n        run(q.pop())\n",
        "def f(q):\n    while q:\n        run(q.pop())\n",
    ),
    (
        "narrowed try",
        "move_out_of_block",
        "def f(p):\n    try:\n        x = load(p)\n        y = parse(x)\n    except OSError:\n"
        "        return None\n    return y\n",
        "def f(p):\n    try:\n        x = load(p)\n    except OSError:\n        return None\n    y = parse(x)\n"
        "    return y\n",
    ),
    (
        "regular expression: anchor",
        "pattern",
        "def f(s):\n    return re.search(r'a+', s)\n",
        "def f(s):\n    return re.search(r'^a+', s)\n",
    ),
    (
        "regular expression: whole text",
        "other_function",
        "def f(s):\n    return re.match(r'a+', s)\n",
        "def f(s):\n    return re.fullmatch(r'a+', s)\n",
    ),
    (
        "regular expression: bounds of words",
        "pattern",
        "def f(s):\n    return re.sub(r'cat', 'dog', s)\n",
        "def f(s):\n    return re.sub(r'\\bcat\\b', 'dog', s)\n",
    ),
    (
        "regular expression: flag",
        "pattern_call",
        "def f(s):\n    return re.findall(r'^x', s)\n",
        "def f(s):\n    return re.findall(r'^x', s, flags=re.MULTILINE)\n",
    ),
    (
        "regular expression: lazy quantifier",
        "pattern",
        "def f(s):\n    return re.findall(r'<.*>', s)\n",
        "def f(s):\n    return re.findall(r'<.*?>', s)\n",
    ),
    (
        "regular expression: once or more",
        "pattern",
        "def f(s):\n    return re.match(r'\\d', s)\n",
        "def f(s):\n    return re.match(r'\\d+', s)\n",
    ),
    (
        "regular expression: escape",
        "pattern",
        "def f(s):\n    return re.split(r'.', s)\n",
        "def f(s):\n    return re.split(r'\\.', s)\n",
    ),
    (
        "f-string: another field",
        "replace_name",
        "def f(a, b):\n    return f'{a}-{a}'\n",
        "def f(a, b):\n    return f'{a}-{b}'\n",
    ),
    (
        "f-string: side of the filling",
        "field_format",
        "def f(a):\n    return f'{a:>8}'\n",
        "def f(a):\n    return f'{a:<8}'\n",
    ),
    ("f-string: prefix missing", "text_prefix", "def f(a):\n    return 'x {a}'\n", "def f(a):\n    return f'x {a}'\n"),
    (
        "format: conversion of one of several",
        "percent_format",
        "def f(a, b):\n    return '%s of %d' % (a, b)\n",
        "def f(a, b):\n    return '%s of %s' % (a, b)\n",
    ),
    (
        "copy: its own method",
        "copy",
        "def f(d, more):\n    out = d\n    out.update(more)\n    return out\n",
        "def f(d, more):\n    out = d.copy()\n    out.update(more)\n    return out\n",
    ),
    ("await: dropped", "unwrap", "async def f(a):\n    return await a.x\n", "async def f(a):\n    return a.x\n"),
    (
        "await: of a statement",
        "await_it",
        "async def f(a):\n    a.close()\n    return 1\n",
        "async def f(a):\n    await a.close()\n    return 1\n",
    ),
    ("yield: of itself", "yield_it", "def f(xs):\n    yield from xs\n", "def f(xs):\n    yield xs\n"),
    (
        "early return",
        "early_exit",
        "def f(x, known):\n    if x in known:\n        log(x)\n    known[x] = 1\n    return known[x]\n",
        "def f(x, known):\n    if x in known:\n        log(x)\n    if x in known:\n        return known[x]\n"
        "    known[x] = 1\n    return known[x]\n",
    ),
    (
        "literal collection: element dropped",
        "collection_elements",
        "def f(a):\n    return a in ['x', 'y', 'z']\n",
        "def f(a):\n    return a in ['x', 'z']\n",
    ),
    (
        "literal collection: element added",
        "collection_elements",
        "def f(a, b):\n    return {a, 1}\n",
        "def f(a, b):\n    return {a, 1, b}\n",
    ),
    (
        "literal collection: entry dropped",
        "collection_elements",
        "def f(a):\n    return {'x': a, 'y': 1}\n",
        "def f(a):\n    return {'x': a}\n",
    ),
    (
        "argument renamed",
        "argument_keyword",
        "def g(x, size=1):\n    return x\ndef f(a, n):\n    return g(a, sise=n)\n",
        "def g(x, size=1):\n    return x\ndef f(a, n):\n    return g(a, size=n)\n",
    ),
    (
        "argument by another keyword",
        "argument_keyword",
        "def g(x, low=0, high=9):\n    return x\ndef f(a, n):\n    return g(a, n)\n",
        "def g(x, low=0, high=9):\n    return x\ndef f(a, n):\n    return g(a, high=n)\n",
    ),
    (
        "text of the neighbourhood",
        "text_elsewhere",
        "def g(d):\n    return d['title']\ndef f(d):\n    return d['name']\n",
        "def g(d):\n    return d['title']\ndef f(d):\n    return d['title']\n",
    ),
    (
        "constant of the module",
        "replace_literal",
        "LIMIT = 10\ndef f(a):\n    return a > 9\n",
        "LIMIT = 10\ndef f(a):\n    return a > LIMIT\n",
    ),
    ("index from the end", "slice_bounds", "def f(xs):\n    return xs[0]\n", "def f(xs):\n    return xs[-1]\n"),
    ("step of a slice", "slice_bounds", "def f(xs):\n    return xs[:]\n", "def f(xs):\n    return xs[::-1]\n"),
    (
        "initialization out of the loop",
        "move_out_of_block",
        "def f(rows):\n    for row in rows:\n        out = []\n        out.append(row)\n    return out\n",
        "def f(rows):\n    out = []\n    for row in rows:\n        out.append(row)\n    return out\n",
    ),
    (
        "extend for append",
        "other_function",
        "def f(out, rows):\n    out.append(rows)\n    return out\n",
        "def f(out, rows):\n    out.extend(rows)\n    return out\n",
    ),
    (
        "comprehension: another part",
        "replace_name",
        "def f(d):\n    return [k for k, v in d.items()]\n",
        "def f(d):\n    return [v for k, v in d.items()]\n",
    ),
    (
        "comprehension: condition turned",
        "comparison",
        "def f(xs, seen):\n    return [x for x in xs if x in seen]\n",
        "def f(xs, seen):\n    return [x for x in xs if x not in seen]\n",
    ),
    (
        "targets swapped",
        "take_apart",
        "def f(p):\n    y, x = p\n    return x - y\n",
        "def f(p):\n    x, y = p\n    return x - y\n",
    ),
)


def test_every_operator_has_a_kind_and_every_kind_operators() -> None:
    named = [name for names in KINDS.values() for name in names.split()]
    assert sorted(named) == sorted(o.name for o in MENDING if o.family != "mutmut")


@pytest.mark.parametrize(
    ("name", "before", "after"), [s[1:] for s in SHOWN], ids=[s[0].replace(" ", "-") for s in SHOWN]
)
def test_a_kind_of_edit_is_made(name: str, before: str, after: str) -> None:
    (operator,) = (o for o in MENDING if o.name == name)
    assert same(after) in [same(text) for text, _ in results(operator, Example(before, after))]
