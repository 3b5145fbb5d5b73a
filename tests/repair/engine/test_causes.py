"""All causes of the failing tests on toy programs: mended one after another, each on the program as mended so far."""

import itertools

import pytest
from fakes.engines import all_gates, engine_of
from fakes.proposers import Rewrites
from fakes.toy import ToySandbox

from repair.hunt.candidate_streams import MOST_SUSPECTS
from repair.records.result import Result, Status
from repair.records.task import Budget, RepairTask
from repair.show.publish import result_of

SHOP = b"""def price(count):
    return count + 3


def label(text):
    return text.lower()


def area(width, height):
    return width + height
"""
TESTS = b"""from shop import area, label, price


def test_price():
    assert price(3) == 9


def test_prices():
    assert price(5) == 15
    assert price(0) == 0


def test_half():
    assert price(1.5) == 4.5


def test_label():
    assert label(" a ") == "a"


def test_labels():
    assert label("b") == "b"
    assert label(" B") == "B"


def test_plain():
    assert label("") == ""


def test_area():
    assert area(3, 5) == 15


def test_areas():
    assert area(0, 7) == 0
    assert area(10, 1) == 10


def test_square():
    assert area(2, 2) == 4
"""
EDITS = {
    "price": [("count + 3", "count * 3")],
    "label": [("text.lower()", "text.strip()")],
    "area": [("width + height", "width * height")],
}


def engine(edits=EDITS, shop=SHOP, tests=TESTS, **given):
    sandbox = ToySandbox((("shop.py", shop), ("test_shop.py", tests)))
    proposer = Rewrites(edits, where_it_fits=True)
    return engine_of(sandbox, (proposer,), all_gates(sandbox), gates_over=all_gates, **given)


def fix(*tests, **given):
    budget = given.pop("budget", Budget())
    function = given.pop("function", "")
    return engine(**given).fix(RepairTask("/project", tests, function, budget=budget))


def words(ending):
    return {cause.ending.suspects[0].function.qualname: cause.ending.status for cause in ending.causes}


def patched(files, shop=SHOP):
    return dict(files).get("shop.py", shop)


MENDED = (
    SHOP.replace(b"+ 3", b"* 3").replace(b"text.lower()", b"text.strip()").replace(b"width + height", b"width * height")
)


def test_three_causes_are_mended_by_one_task_each_on_those_before_it():
    ending = fix()
    assert ending.status is Status.CERTIFIED, ending.messages
    assert set(words(ending)) == {"price", "label", "area"}
    assert [cause.stands_on for cause in ending.causes] == [(), (1,), (1, 2)]
    assert [stack.causes for stack in ending.stacks] == [(1,), (1, 2), (1, 2, 3)]
    last = ending.causes[-1].ending.judged[0].submission
    assert patched(last.candidate.files) == MENDED
    assert patched(ending.stacks[-1].change.after) == MENDED
    assert patched(ending.stacks[-1].change.before) == SHOP
    assert ending.messages == ("3 of 3 causes have a patch: 3 certified",)


def test_of_several_causes_one_diff_applies_to_the_project_as_it_is():
    result = result_of(fix(), Result(Status.INTERRUPTED), 1.0)
    assert [patch.cause for patch in result.accepted()] == [1, 2, 3]
    assert result.accepted_diff().count("--- a/shop.py") == 1
    removed = [line for line in result.accepted_diff().splitlines() if line.startswith("-")][1:]
    assert removed == ["-    return count + 3", "-    return text.lower()", "-    return width + height"]


ORDERS = list(itertools.permutations(("price", "label", "area")))


@pytest.mark.parametrize("order", ORDERS)
def test_the_order_of_the_functions_does_not_change_which_causes_are_mended(order):
    parts = dict(zip(("price", "label", "area"), SHOP.split(b"\n\n\n"), strict=True))
    shop = b"\n\n\n".join(parts[name].rstrip() for name in order) + b"\n"
    ending = fix(shop=shop)
    assert sorted(words(ending).items()) == [(name, Status.CERTIFIED) for name in sorted(order)]


def test_named_tests_of_several_causes_are_all_mended():
    ending = fix("test_shop.py::test_price", "test_shop.py::test_label")
    assert words(ending) == {"price": Status.CERTIFIED, "label": Status.CERTIFIED}


def test_who_names_the_function_asks_for_its_tests_alone():
    ending = fix(function="label")
    assert words(ending) == {"label": Status.CERTIFIED}
    assert ending.status is Status.CERTIFIED
    assert any("4 other failing tests left for a next run" in said for said in ending.warnings)


COMMON = b"""def read(text):
    return text.split(",")


def first(text):
    return read(text)[1]


def last(text):
    return read(text)[-2]
"""
COMMON_TESTS = b"""from shop import first, last, read


def test_first():
    assert first("a,b,c") == "a"


def test_last():
    assert last("a,b,c") == "c"


def test_read():
    assert read("a,b") == ["a", "b"]


def test_one():
    assert read("a") == ["a"]


def test_none():
    assert read("") == [""]
"""


def test_causes_that_share_a_function_which_is_not_at_fault_are_told_apart():
    edits = {"first": [("1", "0")], "last": [("-2", "-1")]}
    ending = fix(edits=edits, shop=COMMON, tests=COMMON_TESTS)
    mended = {cause.tests: cause.ending.judged[0].submission.candidate.function.qualname for cause in ending.causes}
    assert mended == {("test_shop.py::test_first",): "first", ("test_shop.py::test_last",): "last"}


PART = b"""def ends(count):
    low = count + 3
    high = count + 4
    return [low, high]
"""
PART_TESTS = b"""from shop import ends


def test_first():
    assert ends(5)[0] == 15


def test_second():
    assert ends(5)[1] == 25


def test_kept():
    assert ends(0) is not None
"""


def test_two_causes_in_one_function_are_split_and_the_second_stands_on_the_first():
    edits = {"ends": [("count + 3", "count * 3"), ("count + 4", "count * 5")]}
    ending = fix(edits=edits, shop=PART, tests=PART_TESTS)
    assert [cause.tests for cause in ending.causes] == [("test_shop.py::test_first",), ("test_shop.py::test_second",)]
    assert [cause.stands_on for cause in ending.causes] == [(), (1,)]
    whole = patched(ending.stacks[-1].change.after)
    assert whole == PART.replace(b"count + 3", b"count * 3").replace(b"count + 4", b"count * 5")


def test_all_of_the_time_is_for_the_function_that_is_named():
    """Where its tests turn out to have two causes, too: the next turn had 22 suspects once."""
    shop = (
        PART.replace(b"    return [low, high]", b"    return both(low, high)")
        + b"\n\ndef both(a, b):\n    return [a, b]\n"
    )
    edits = {"ends": [("count + 3", "count * 3"), ("count + 4", "count * 5")]}
    told = []
    fix(edits=edits, shop=shop, tests=PART_TESTS, function="ends", listen=told.append)
    searches = [dict(each.fields) for each in told if each.type == "phase"]
    said = [each["detail"] for each in searches if each["name"] == "search"]
    assert said
    assert {*said} == {"trying edits of 1 suspect"}


def test_nothing_above_an_uncertified_patch_is_certified():
    edits = {"ends": [("count + 3", "count * 3"), ("count + 4", "count * 5")]}
    lower, upper = fix(edits=edits, shop=PART, tests=PART_TESTS).causes
    assert lower.ending.status is Status.PLAUSIBLE
    assert upper.ending.status is Status.PLAUSIBLE
    doubts = [e for e in upper.ending.judged[0].verdict.evidence if e.gate == "stands_on"]
    assert [doubt.claim for doubt in doubts] == ["it stands on a patch of ends that is not certified"]


def test_a_cause_in_a_function_with_an_uncertified_patch_is_searched_for_once():
    """On top of that patch, not beside it first: of three searches one is for all tests, one for each cause."""
    edits = {"ends": [("count + 3", "count * 3"), ("count + 4", "count * 5")]}
    told = []
    ending = fix(edits=edits, shop=PART, tests=PART_TESTS, listen=told.append)
    searches = [each for each in told if each.type == "phase" and dict(each.fields)["name"] == "search"]
    assert len(searches) == 3
    assert [cause.ending.status for cause in ending.causes] == [Status.PLAUSIBLE] * 2


TOTAL = b"""def price(count):
    return count + 3


def total(count):
    return price(count) + 1


def label(text):
    return text.lower()
"""
TOTAL_TESTS = (
    TESTS.split(b"def test_area")[0].replace(b"area, label, price", b"label, price, total")
    + b"""def test_total():
    assert total(3) == 11


def test_totals():
    assert total(5) == 17
    assert total(0) == 2
"""
)
TOTAL_EDITS = {**EDITS, "total": [("price(count) + 1", "price(count) + 2")]}


def test_causes_whose_tests_run_each_others_functions_are_certified_each_on_the_others():
    """With ``price`` mended the tests of ``total`` fail on: nothing shows yet that they have another cause."""
    ending = fix(edits=TOTAL_EDITS, shop=TOTAL, tests=TOTAL_TESTS)
    assert words(ending) == dict.fromkeys(("price", "total", "label"), Status.CERTIFIED), ending.messages
    stands_on = {cause.ending.suspects[0].function.qualname: cause.stands_on for cause in ending.causes}
    numbers = {cause.ending.suspects[0].function.qualname: cause.number for cause in ending.causes}
    assert numbers["price"] in stands_on["total"]
    assert numbers["total"] in stands_on["price"]
    mended = TOTAL.replace(b"+ 3", b"* 3").replace(b"+ 1", b"+ 2").replace(b"text.lower()", b"text.strip()")
    assert patched(ending.stacks[-1].change.after) == mended


BILL = TOTAL.replace(
    b"def label",
    b"""def bill(count):
    return total(count) * 1


def label""",
)
BILL_TESTS = (
    TOTAL_TESTS.replace(b"import area, label", b"import area, bill, label").replace(
        b"import label", b"import bill, label"
    )
    + b"""

def test_bill():
    assert bill(3) == 22


def test_bills():
    assert bill(5) == 34
    assert bill(0) == 4
"""
)
BILL_EDITS = {**TOTAL_EDITS, "bill": [("total(count) * 1", "total(count) * 2")]}


def test_what_stands_on_a_patch_stands_on_all_that_this_one_was_judged_with():
    ending = fix(edits=BILL_EDITS, shop=BILL, tests=BILL_TESTS)
    assert words(ending) == dict.fromkeys(("price", "total", "bill", "label"), Status.CERTIFIED), ending.messages
    below = {cause.number: {*cause.stands_on} for cause in ending.causes}
    for number, under in below.items():
        assert all(below[each] <= {*under, number} for each in under), below
    for stack in ending.stacks:
        assert all(below[each] <= {*stack.causes} for each in stack.causes), "each is certified in that program"


def test_what_waits_for_a_cause_that_nobody_mends_stays_in_doubt_and_keeps_no_other_from_its_certificate():
    ending = fix(edits={**TOTAL_EDITS, "total": []}, shop=TOTAL, tests=TOTAL_TESTS)
    assert words(ending) == {"price": Status.PLAUSIBLE, "label": Status.CERTIFIED, "total": Status.UNREPAIRED}
    (label,) = [cause for cause in ending.causes if cause.ending.status is Status.CERTIFIED]
    assert label.stands_on == ()


CHANCE = b"""def shift(count):
    return count + 1


def same(count):
    return shift(count) - 1


def double(count):
    return shift(count) * 3
"""
CHANCE_TESTS = b"""from shop import double, same, shift


def test_same():
    assert same(4) == 4


def test_double():
    assert double(4) == 8


def test_doubles():
    assert double(7) == 14
""" + b"".join(b"\n\ndef test_shift_%d():\n    assert shift(%d) == %d\n" % (n, n, n) for n in range(12))
CHANCE_EDITS = {
    "shift": [("count + 1", "count")],
    "same": [("shift(count) - 1", "shift(count)")],
    "double": [("shift(count) * 3", "shift(count) * 2")],
}


def test_a_part_that_breaks_a_test_which_passes_by_chance_stands_on_what_mends_that_test():
    ending = fix(shop=CHANCE, tests=CHANCE_TESTS, edits=CHANCE_EDITS)
    assert words(ending) == dict.fromkeys(("shift", "same", "double"), Status.CERTIFIED), ending.messages
    mended = (
        CHANCE.replace(b"count + 1", b"count").replace(b"shift(count) - 1", b"shift(count)").replace(b"* 3", b"* 2")
    )
    assert {patched(stack.change.after) for stack in ending.stacks[-1:]} == {mended}


def test_a_part_that_breaks_a_test_in_the_end_is_no_patch_and_nothing_stands_on_it():
    edits = {name: edit for name, edit in CHANCE_EDITS.items() if name != "same"}
    ending = fix(shop=CHANCE, tests=CHANCE_TESTS, edits=edits)
    shift = next(cause for cause in ending.causes if "test_shop.py::test_shift_0" in cause.tests)
    assert (shift.ending.status, shift.ending.judged) == (Status.UNREPAIRED, ())
    assert "breaks test_shop.py::test_same" in shift.ending.messages[0]
    assert "-    return count + 1" in shift.ending.brief
    assert all(shift.number not in cause.stands_on for cause in ending.causes)


ELSEWHERE = (
    TESTS
    + b"""

def test_somewhere_else():
    import socket

    socket.create_connection(("127.0.0.1", 9))
"""
)


@pytest.mark.parametrize(("named", "word"), [(False, Status.CERTIFIED), (True, Status.UNREPAIRED)])
def test_what_is_no_fault_of_the_program_is_a_cause_beside_those_that_are_mended(named, word):
    names = ("price", "label", "somewhere_else")
    tests = tuple(f"test_shop.py::test_{name}" for name in names) if named else ()
    ending = fix(*tests, tests=ELSEWHERE)
    last = ending.causes[-1]
    assert (last.tests, last.ending.status) == (("test_shop.py::test_somewhere_else",), Status.ENVIRONMENT)
    assert {cause.ending.status for cause in ending.causes[:-1]} == {Status.CERTIFIED}
    assert [diagnosis.failure.test for diagnosis in ending.set_aside] == list(last.tests)
    assert ending.status is word


MISSING = TESTS.replace(b"import area", b"import area as area").replace(
    b"def test_square", b"def test_gone():\n    import shop\n\n    shop.gone(1)\n\n\ndef test_square"
)


def test_out_of_scope_is_a_word_of_one_cause_and_not_of_the_project():
    ending = fix(tests=MISSING)
    words = [cause.ending.status for cause in ending.causes]
    assert words == [Status.CERTIFIED, Status.CERTIFIED, Status.CERTIFIED, Status.OUT_OF_SCOPE]
    assert ending.status is Status.UNREPAIRED
    assert "gone" in ending.causes[-1].ending.brief
    assert [stack.causes for stack in ending.stacks] == [(1,), (1, 2), (1, 2, 3)]


def test_no_cause_is_starved_by_one_for_which_there_is_no_end_of_edits():
    endless = {**EDITS, "price": [("count + 3", f"count - {number}") for number in range(4000)]}
    ending = fix(edits=endless, budget=Budget(max_seconds=30.0))
    assert {name: str(word) for name, word in words(ending).items()} == {
        "price": "unrepaired",
        "label": "certified",
        "area": "certified",
    }


def test_explain_has_a_plan_for_each_cause():
    ending = engine(tests=MISSING).explain(RepairTask("/project", ()))
    assert ending.status is Status.DIAGNOSED
    planned = {cause.ending.plan.function.qualname: cause.tests for cause in ending.causes if cause.ending.plan}
    assert set(planned) == {"price", "label", "area"}
    assert planned["label"] == ("test_shop.py::test_label", "test_shop.py::test_labels")
    assert [cause.ending.status for cause in ending.causes[-1:]] == [Status.OUT_OF_SCOPE]


def test_a_file_that_cannot_be_collected_is_told_with_the_causes_and_hides_no_other():
    sandbox = ToySandbox((("shop.py", SHOP), ("test_shop.py", TESTS), ("test_more.py", b"import nowhere_at_all\n")))
    proposer = Rewrites(EDITS, where_it_fits=True)
    ending = engine_of(sandbox, (proposer,), all_gates(sandbox), gates_over=all_gates).fix(RepairTask("/project", ()))
    assert set(words(ending)) == {"price", "label", "area"}
    assert [said for said in ending.warnings if "cannot be collected" in said] != []


STEP = b"""

def step_%d(count):
    found = %s(count)
    return found
"""
CHAIN = b"def base(count):\n    return count + 3\n" + b"".join(
    STEP % (number, b"step_%d" % (number - 1) if number else b"base") for number in range(10)
)
CHAIN_TESTS = b"""from shop import step_9


def test_nine():
    assert step_9(3) == 9


def test_ten():
    assert step_9(0) == 0
"""


def test_a_fault_behind_the_first_suspects_is_looked_at_where_these_bring_nothing():
    ending = fix(edits={"base": [("count + 3", "count * 3")]}, shop=CHAIN, tests=CHAIN_TESTS)
    ranked = [suspect.function.qualname for suspect in ending.suspects]
    assert ranked.index("base") >= MOST_SUSPECTS
    assert patched(ending.judged[0].submission.candidate.files) == CHAIN.replace(b"+ 3", b"* 3")


def test_a_name_of_two_functions_means_the_suspected_one_after_its_mend_too():
    tests = TESTS.split(b"def test_label")[0]
    files = (("shop.py", SHOP), ("test_shop.py", tests), ("till.py", b"def price(count):\n    return count\n"))
    sandbox = ToySandbox(files)
    made = engine_of(sandbox, (Rewrites(EDITS, where_it_fits=True),), all_gates(sandbox), gates_over=all_gates)
    ending = made.fix(RepairTask("/project", (), "price"))
    assert (ending.status, words(ending)) == (Status.CERTIFIED, {"price": Status.CERTIFIED})
