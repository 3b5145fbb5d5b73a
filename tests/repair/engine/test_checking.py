"""A change from anywhere, judged on toy programs: function by function, the rest as findings."""

from dataclasses import replace

import pytest
from fakes.engines import engine_of
from fakes.sandbox import hang_of
from fakes.toy import ToySandbox

from analysis.errors import OutOfTimeError, TargetError, UsageError
from analysis.facts import Limits, Outcome, Phase, TestId, TestResult, TestRun
from repair.checks.weighing import NO_THIRD
from repair.compare.patched_server import PatchedServer
from repair.engine.checking import UNSHOWN, Checker
from repair.engine.choosing import NOBODY, RivalsOfChange
from repair.gates.behaviour import Behaviour
from repair.gates.capability import Capability
from repair.gates.controls import Controls
from repair.gates.coverage import Coverage
from repair.gates.fixes import Fixes
from repair.gates.mutation import Mutation
from repair.gates.regressions import Regressions
from repair.gates.shape import Shape
from repair.gates.stability import Stability
from repair.gates.test_quality import TestQuality as Quality
from repair.observe.patched import PatchedRun
from repair.records import change as changes
from repair.records.change import Change, program_layer
from repair.records.result import STILL_FAILING, Status
from repair.records.verdict import CORE_GATES, TIME_WAS_UP, WEIGHED_GATES, Decision, Evidence
from repair.trials.layered import LayeredSandbox
from repair.trials.run_time import TimeIsUp

SHOP = b'''"""A shop."""

RATE = 3


def price(count):
    return count + 3


def label(text):
    return text.strip()


def tax(amount):
    return amount + 2
'''
TESTS = b"""from shop import label, price, tax


def test_price():
    assert price(3) == 9


def test_prices():
    assert price(5) == 15


def test_half():
    assert price(1.5) == 4.5


def test_tax():
    assert tax(10) == 20


def test_small_tax():
    assert tax(2) == 4


def test_label():
    assert label(" a ") == "a"
"""
HALF = TESTS.replace(b"tax(10) == 20", b"tax(10) == 12")
BEFORE = {"shop.py": SHOP, "test_shop.py": HALF}
GOOD = SHOP.replace(b"count + 3", b"count * 3")
BOTH = GOOD.replace(b"amount + 2", b"amount * 2")


def differing(before, after):
    paths = sorted(p for p in {*before, *after} if before.get(p) != after.get(p))
    return Change(*(tuple((p, side[p]) for p in paths if p in side) for side in (before, after)))


def engine(sandbox, gates=None):
    limits = Limits()
    patched = PatchedRun(sandbox, limits)
    every = (
        Shape(),
        Capability(),
        Quality(patched),
        Fixes(sandbox, limits),
        Regressions(sandbox, limits),
        Controls(sandbox, limits),
        Coverage(patched),
        Stability(sandbox, limits, 0),
        Mutation(PatchedServer(sandbox, limits), 0),
        Behaviour(sandbox, limits, PatchedServer(sandbox, limits), 0),
    )
    return engine_of(sandbox, (), every if gates is None else gates)


def searched_in_vain(*_):
    """A search that found no rival; the engine of these tests has nobody who could look for one."""
    return RivalsOfChange()


def checked(after, before=BEFORE, *, wanted=(), tree=None):
    """What a check of the change says. ``tree`` is the working tree: before the change, unless told otherwise."""
    change = differing(before, after)
    toy = ToySandbox(tuple(sorted((before if tree is None else tree).items())))
    sandbox = LayeredSandbox(toy, program_layer(change))
    ending = Checker(engine(sandbox), change, find_rivals=searched_in_vain).check([TestId(t) for t in wanted], 0)
    assert toy.open == 0
    assert ending.status is not Status.CERTIFIED or certified_in_full(ending)
    return ending


def certified_in_full(ending):
    return all({e.gate for e in j.verdict.evidence} >= set(CORE_GATES) for j in ending.judged)


def decision(ending, gate, place=0):
    return {e.gate: e.decision for e in ending.judged[place].verdict.evidence}[gate]


def kinds(ending):
    return {finding.kind for finding in ending.findings}


@pytest.mark.parametrize("in_place", [False, True])
def test_one_function_that_turns_tests_green_is_certified(in_place):
    after = {**BEFORE, "shop.py": GOOD}
    ending = checked(after, tree=after if in_place else BEFORE)
    assert ending.status is Status.CERTIFIED, ending
    (judged,) = ending.judged
    assert judged.submission.baseline.failing == ("test_shop.py::test_price", "test_shop.py::test_prices")
    assert judged.submission.candidate.origin.proposer == "foreign"
    assert ending.change is not None
    assert dict(ending.change.before) == {"shop.py": SHOP}


def test_a_check_that_is_broken_off_ends_what_goes_on_beside_it():
    stopped = []

    class Broken(ToySandbox):
        def run(self, tests, files=(), **given):
            if not tests:  # the whole suite, which goes on beside a run of the wanted tests
                raise ZeroDivisionError
            return super().run(tests, files, **given)

    change = differing(BEFORE, {**BEFORE, "shop.py": GOOD})
    sandbox = LayeredSandbox(Broken(tuple(sorted(BEFORE.items()))), program_layer(change))
    made = replace(engine(sandbox), stop=lambda: stopped.append(True))
    with pytest.raises(ZeroDivisionError):
        Checker(made, change).check(["test_shop.py::test_price"], 0)
    assert stopped == [True]


def test_that_nobody_could_look_for_rivals_is_said_and_withholds():
    change = differing(BEFORE, {**BEFORE, "shop.py": GOOD})
    toy = ToySandbox(tuple(sorted(BEFORE.items())))
    (judged,) = Checker(engine(LayeredSandbox(toy, program_layer(change))), change).check([], 0).judged
    behaviour = next(each for each in judged.verdict.evidence if each.gate == "behaviour")
    assert any(each.endswith(f"since {NOBODY.reason}") for each in behaviour.not_checked)
    assert dict(judged.verdict.risk.shares)["rivals_unsought"] > 0


def judged_strictly(tests, answers):
    """The one patch of a change, where these tests are there before it; a person gave those of these ids."""
    weak = b"from shop import price\n\n\ndef test_price():\n    assert price(3) == 9\n"
    before = {"shop.py": SHOP, "test_shop.py": weak, "test_more.py": f"from shop import label, price\n{tests}".encode()}
    change = differing(before, {**before, "shop.py": SHOP.replace(b"count + 3", b"count * count")})
    strict = engine(LayeredSandbox(ToySandbox(tuple(sorted(before.items()))), program_layer(change)))
    # Whatever the weights are, it is too much.
    strict = replace(strict, judging=replace(strict.judging, limit=1e-9, answers=answers))
    (judged,) = Checker(strict, change, find_rivals=searched_in_vain).check([], 0).judged
    assert judged.verdict.status.value == "plausible"
    return judged


def asks_something(judged):
    return any(each.question for each in judged.verdict.evidence if each.gate in WEIGHED_GATES)


def ids(count):
    return tuple(TestId(f"test_more.py::test_answer_{n}") for n in range(count))


ABOUT_IT = "".join(f"def test_answer_{n}():\n    assert price(3) + {n} == 9 + {n}\n" for n in range(2))
BESIDE_IT = "".join(f"def test_answer_{n}():\n    assert label('{n} ') == '{n}'\n" for n in range(2))


@pytest.mark.parametrize(("answers", "asks"), [(0, True), (1, True), (2, False)])
def test_at_most_two_questions_are_asked_about_a_patch(answers, asks):
    judged = judged_strictly(ABOUT_IT, ids(answers))
    assert asks_something(judged) is asks
    assert any(NO_THIRD in each.not_checked for each in judged.verdict.evidence) is not asks
    assert dict(judged.verdict.risk.shares).get("answered", 0.0) == (0.0 if answers == 0 else pytest.approx(-0.43))


def test_answers_about_another_function_leave_its_questions_to_a_patch():
    assert asks_something(judged_strictly(BESIDE_IT, ids(2)))


def test_an_answer_about_one_changed_function_is_none_about_another():
    answer = TestId("test_more.py::test_answer_1")
    asked = b"from shop import price\n\n\ndef test_answer_1():\n    assert price(4) == 12\n"
    tests = b"from shop import label, price\n\n\ndef test_price():\n    assert price(5) == 15\n"
    before = {"shop.py": SHOP, "test_shop.py": tests, "test_more.py": asked}
    change = differing(before, {**before, "shop.py": GOOD.replace(b"text.strip()", b"text.strip().strip()")})
    made = engine(LayeredSandbox(ToySandbox(tuple(sorted(before.items()))), program_layer(change)))
    made = replace(made, judging=replace(made.judging, answers=(answer,)))
    judged = Checker(made, change, find_rivals=searched_in_vain).check([], 0).judged
    about = {each.submission.candidate.function.qualname: each.submission.answers for each in judged}
    assert about == {"price": (answer,), "label": ()}


def test_a_file_of_its_author_that_is_called_like_answers_is_no_persons_word():
    own = b"from shop import price\n\n\ndef test_answer_1():\n    assert price(3) == 9\n"
    before = {
        "shop.py": SHOP,
        "test_shop.py": b"from shop import label\n\n\ndef test_label():\n    assert label(' a ') == 'a'\n",
    }
    change = differing(before, {**before, "shop.py": GOOD, "test_repair_answers.py": own})
    sandbox = LayeredSandbox(ToySandbox(tuple(sorted(before.items()))), program_layer(change))
    (judged,) = (
        Checker(engine(sandbox), change, find_rivals=searched_in_vain)
        .check(["test_repair_answers.py::test_answer_1"], 0)
        .judged
    )
    assert "own_tests" in {each.gate for each in judged.verdict.evidence}
    assert "answered" not in dict(judged.verdict.risk.shares)


def test_the_wanted_tests_are_those_to_mend():
    ending = checked({**BEFORE, "shop.py": GOOD}, wanted=["test_shop.py::test_price"])
    assert ending.judged[0].submission.baseline.failing == ("test_shop.py::test_price",)


@pytest.mark.parametrize("wanted", ["test_shop.py::test_half", "test_shop.py::test_label"])
def test_wanted_tests_that_pass_already_are_no_evidence(wanted):
    ending = checked({**BEFORE, "shop.py": GOOD}, wanted=[wanted])
    assert decision(ending, "fixes") is Decision.UNKNOWN
    assert ending.status is Status.PLAUSIBLE


def test_a_wanted_test_that_is_not_there_is_a_usage_error():
    with pytest.raises(UsageError):
        checked({**BEFORE, "shop.py": GOOD}, wanted=["test_shop.py::test_nowhere"])


def test_a_wanted_test_that_stays_red_rejects():
    wrong = SHOP.replace(b"count + 3", b"count * 4")
    ending = checked({**BEFORE, "shop.py": wrong}, wanted=["test_shop.py::test_price"])
    assert ending.status is Status.REJECTED


def test_a_change_that_turns_nothing_green_is_not_certified():
    same = SHOP.replace(b"text.strip()", b"text.strip() or text.strip()")
    ending = checked({**BEFORE, "shop.py": same})
    assert decision(ending, "fixes") is Decision.UNKNOWN
    assert ending.status is Status.PLAUSIBLE


def test_a_change_that_breaks_a_test_is_rejected():
    broken = GOOD.replace(b"text.strip()", b"text")
    ending = checked({**BEFORE, "shop.py": broken})
    assert ending.status is Status.REJECTED


def test_a_patch_that_answers_the_tests_is_not_certified():
    literal = SHOP.replace(
        b"    return count + 3\n",
        b"    if count == 3:\n        return 9\n    if count == 5:\n        return 15\n    return count + 3\n",
    )
    assert checked({**BEFORE, "shop.py": literal}).status in (Status.REJECTED, Status.PLAUSIBLE)


def test_a_patch_that_answers_the_tests_in_a_roundabout_way_is_not_certified():
    literal = SHOP.replace(
        b"    return count + 3\n",
        b"    if count % 2 and count > 2:\n        return count * RATE\n    return count + RATE\n",
    )
    assert checked({**BEFORE, "shop.py": literal}).status in (Status.REJECTED, Status.PLAUSIBLE)


TWO = {"shop.py": SHOP, "test_shop.py": TESTS}


def test_each_of_several_functions_answers_for_the_tests_that_ran_it():
    ending = checked({**TWO, "shop.py": BOTH}, TWO)
    assert ending.status is Status.CERTIFIED, [j.verdict for j in ending.judged]
    by_name = {j.submission.candidate.function.qualname: j.submission for j in ending.judged}
    assert by_name["price"].baseline.failing == ("test_shop.py::test_price", "test_shop.py::test_prices")
    assert by_name["tax"].baseline.failing == ("test_shop.py::test_tax",)
    assert all(dict(s.whole)["shop.py"] == BOTH for s in by_name.values())
    assert ending.counts.candidates == 2


def test_a_function_that_no_failing_test_runs_needs_evidence_of_its_own():
    smuggled = GOOD.replace(b"text.strip()", b"text.strip().lower()")
    ending = checked({**BEFORE, "shop.py": smuggled})
    by_name = {j.submission.candidate.function.qualname: j.verdict.status.value for j in ending.judged}
    assert by_name["price"] == "certified"
    assert by_name["label"] != "certified"
    assert ending.status is not Status.CERTIFIED


def test_the_worst_function_decides():
    broken = BOTH.replace(b"amount * 2", b"amount - 2")
    ending = checked({**TWO, "shop.py": broken}, TWO, wanted=["test_shop.py"])
    assert ending.status is Status.REJECTED


def test_functions_of_several_files():
    tax = b"def tax(amount):\n    return amount + 2\n"
    shop = SHOP[: SHOP.index(b"\n\ndef tax")] + b"\n"
    tests = TESTS.replace(b"import label, price, tax", b"import label, price\nfrom tax import tax")
    before = {"shop.py": shop, "tax.py": tax, "test_shop.py": tests}
    after = {
        **before,
        "shop.py": shop.replace(b"count + 3", b"count * 3"),
        "tax.py": tax.replace(b"+ 2", b"* 2"),
    }
    ending = checked(after, before)
    assert ending.status is Status.CERTIFIED, [j.verdict for j in ending.judged]
    assert [j.submission.candidate.function.path for j in ending.judged] == ["shop.py", "tax.py"]


MODULE_LEVEL = GOOD.replace(b"RATE = 3", b"RATE = 4")
ADDED = GOOD + b"\n\ndef more(x):\n    return x\n"
IMPORTS = GOOD.replace(b'"""A shop."""\n', b'"""A shop."""\nimport os\n')
REMOVED = GOOD[: GOOD.index(b"\n\ndef tax")] + b"\n\ndef tax(amount):\n    return amount + 2\n"


@pytest.mark.parametrize(
    ("after", "kind"),
    [
        ({"shop.py": MODULE_LEVEL}, "module_level"),
        ({"shop.py": ADDED}, "function_added"),
        ({"shop.py": IMPORTS}, "imports"),
        ({"shop.py": GOOD, "more.py": b"x = 1\n"}, "file_added"),
        ({"shop.py": GOOD, "setup.cfg": b"[tool:pytest]\naddopts = -k price\n"}, "other_file"),
        ({"shop.py": GOOD, "conftest.py": b"x = 1\n"}, "test_support"),
        ({"shop.py": GOOD, "testing/tools.py": b"x = 1\n"}, "test_support"),
    ],
)
def test_what_no_gate_looked_at_is_plausible_at_most(after, kind):
    ending = checked({**BEFORE, **after})
    assert kind in kinds(ending)
    assert ending.status is Status.PLAUSIBLE
    assert "judged by no gate" in ending.messages[0]


@pytest.mark.parametrize("in_place", [False, True])
def test_a_file_that_goes_is_plausible_at_most_and_there_before(in_place):
    before = {**BEFORE, "unused.py": b"x = 1\n"}
    after = {"shop.py": GOOD, "test_shop.py": HALF}
    ending = checked(after, before, tree=after if in_place else before)
    assert kinds(ending) == {"file_removed"}
    assert ending.status is Status.PLAUSIBLE
    assert ending.change is not None
    assert dict(ending.change.before)["unused.py"] == b"x = 1\n"
    assert "unused.py" in dict(ending.judged[0].submission.sources)


@pytest.mark.parametrize("after", [{"shop.py": GOOD.replace(b"RATE", b"# sale\nRATE")}, {"README.md": b"hello"}])
def test_layout_and_documents_do_not_lower_the_verdict(after):
    assert checked({**BEFORE, "shop.py": GOOD, **after}).status is Status.CERTIFIED


class Documented(ToySandbox):
    """A toy whose README is tested as well: pytest names such a test by its file, twice."""

    def run(self, tests, files=(), **given):
        rest = [t for t in tests if t != README]
        run = TestRun((), (), 0, 0.01) if tests and not rest else super().run(rest, files, **given)
        if not tests or README in tests:
            text = {**dict(self._sources), **dict(files)}["README.md"]
            told = TestResult(README, Outcome.FAILED if b"wrong" in text else Outcome.PASSED, Phase.CALL, 0.001)
            run = replace(run, results=(*run.results, told))
        return run


README = TestId("README.md::README.md")


@pytest.mark.parametrize(("old", "new"), [(b"wrong", b"right"), (b"right", b"other")])
def test_a_document_whose_examples_are_tests_is_no_mere_document(old, new):
    before = {**BEFORE, "README.md": old}
    change = differing(before, {**before, "shop.py": GOOD, "README.md": new})
    sandbox = LayeredSandbox(Documented(tuple(sorted(before.items()))), program_layer(change))
    ending = Checker(engine(sandbox, tuple(map(Yes, CORE_GATES))), change).check([], 0)
    assert kinds(ending) == {"documentation"}
    assert ending.status is Status.PLAUSIBLE
    assert "README.md" in ending.messages[0]


class Yes:
    """A gate that accepts whatever it sees."""

    def __init__(self, name):
        self.name = name

    def judge(self, submission):
        return Evidence(self.name, Decision.ACCEPT, "yes")


@pytest.mark.parametrize(
    ("after", "status"),
    [
        ({"test_shop.py": TESTS}, Status.REJECTED),
        ({"README.md": b"hello"}, Status.REJECTED),
        ({"shop.py": SHOP.replace(b"RATE = 3", b"RATE = 4")}, Status.PLAUSIBLE),
        ({"shop.py": SHOP + b"\n\ndef more(x):\n    return x\n"}, Status.PLAUSIBLE),
        ({"shop.py": SHOP + b"\n\ndel label\n"}, Status.REJECTED),
    ],
)
def test_a_change_that_edits_no_function(after, status):
    ending = checked({**BEFORE, **after})
    assert ending.status is status
    assert ending.judged == ()
    assert ending.messages
    assert ending.findings


def test_a_change_of_test_support_alone_is_called_that():
    ending = checked({**BEFORE, "conftest.py": b"x = 1\n"})
    assert ending.status is Status.OUT_OF_SCOPE
    assert "touches only test support" in ending.messages[0]
    assert [finding.kind for finding in ending.findings] == ["test_support"]


def test_another_signature_is_a_question_and_no_rejection():
    ending = checked({**BEFORE, "shop.py": GOOD.replace(b"def price(count)", b"def price(count, more=0)")})
    assert ending.status is Status.PLAUSIBLE
    assert decision(ending, "shape") is Decision.ACCEPT
    doubt = ending.judged[0].verdict.evidence[-1]
    assert (doubt.gate, doubt.decision, doubt.witness) == ("signature", Decision.UNKNOWN, "more")
    assert doubt.question == "What should price do with more? No test passes it."


def test_a_call_that_another_signature_leaves_behind_is_a_finding():
    before = {**BEFORE, "use.py": b"from shop import tax\n\n\ndef show():\n    return tax(amount=3)\n"}
    after = {**before, "shop.py": SHOP.replace(b"amount", b"value")}
    ending = checked(after, before)
    assert ending.status is Status.PLAUSIBLE
    (finding,) = [f for f in ending.findings if f.kind == "call_left_behind"]
    assert (finding.file, finding.line) == ("use.py", 5)
    assert "tax(amount=3) stays as it was" in finding.claim


def test_what_a_change_adds_and_no_test_runs_is_a_finding():
    added = b"\n\ndef more(x):\n    if x:\n        return 1\n    return 2\n"
    ending = checked({**BEFORE, "shop.py": SHOP + added})
    assert [f.claim for f in ending.findings if f.kind == "not_run"] == ["no test runs the new function more"]
    assert "No existing function differs, and 4 tests that passed before still pass" in ending.messages[0]
    used = SHOP.replace(b"text.strip()", b"text.strip() if more(text) else ''") + added
    ending = checked({**BEFORE, "shop.py": used})
    (finding,) = [f for f in ending.findings if f.kind == "not_run"]
    assert finding.claim == "no test runs line 21 of the new function more"
    assert finding.line == 21


def test_tests_that_need_what_the_change_adds_are_told():
    more = {"test_more.py": b"from shop import more\n\n\ndef test_more():\n    assert more(2) == 2\n"}
    ending = checked({**BEFORE, **more, "shop.py": SHOP + b"\n\ndef more(x):\n    return x\n"})
    assert ending.status is Status.PLAUSIBLE
    assert "1 test that could not pass without the change pass" in ending.messages[0]


def test_a_refactoring_is_told_as_one():
    ending = checked(
        {**BEFORE, "shop.py": SHOP.replace(b"return text.strip()", b"bare = text\n    return bare.strip()")}
    )
    assert ending.status is Status.PLAUSIBLE
    assert decision(ending, "callers") is Decision.ACCEPT
    assert ending.messages[0].startswith("A refactoring, as far as tests and inputs tell")
    assert not any(e.question for j in ending.judged for e in j.verdict.evidence)


def test_a_change_that_no_test_asks_for_is_told_by_what_callers_get():
    ending = checked({**BEFORE, "shop.py": SHOP.replace(b"text.strip()", b"text.strip()[:1]")})
    assert ending.status is Status.PLAUSIBLE
    assert ending.messages[0].startswith("Callers get something else on 1 of ")


def test_of_several_functions_one_question_is_asked():
    after = SHOP.replace(b"text.strip()", b"text.strip()[:1]").replace(b"count + 3", b"count + 3 if count > 0 else 0")
    ending = checked({**BEFORE, "shop.py": after})
    assert len(ending.judged) == 2
    assert all(decision(ending, "callers", place) is Decision.UNKNOWN for place in (0, 1))
    assert sum(bool(e.question) for j in ending.judged for e in j.verdict.evidence) == 1
    assert sum(e.told is not None for j in ending.judged for e in j.verdict.evidence) == 1


MORE = b"from shop import price\n\n\ndef test_it():\n    assert price(7) == 21\n"
NEW_TESTS = HALF + b"\n\ndef test_many():\n    assert price(7) == 21\n"


def test_a_test_that_the_change_brings_along_may_show_what_it_mends():
    before = {"shop.py": SHOP, "test_shop.py": HALF.replace(b"9", b"6").replace(b"15", b"8")}
    after = {
        "shop.py": GOOD,
        "test_more.py": b"from shop import price\n\n\ndef test_it():\n    assert price(7) == 21\n",
    }
    ending = checked({**before, **after}, before)
    # Two old tests say that price(3) is 6 and price(5) is 8.
    assert ending.status is Status.REJECTED
    more = {**after, "test_shop.py": NEW_TESTS}
    ending = checked(more, {"shop.py": SHOP, "test_shop.py": HALF.replace(b"== 9", b">= 6").replace(b"== 15", b">= 8")})
    assert ending.status is Status.PLAUSIBLE, "nobody else says so"
    assert "test_more.py::test_it" in ending.judged[0].submission.baseline.failing
    assert decision(ending, "changed_tests") is Decision.ACCEPT
    (own,) = [each for each in ending.judged[0].verdict.evidence if each.gate == "own_tests"]
    assert own.claim == "rests on 4 tests of its own author"


def test_a_test_that_was_made_to_fit_is_a_doubt_with_a_witness():
    before = {"shop.py": SHOP, "test_shop.py": HALF.replace(b"price(5) == 15", b"price(5) == 8")}
    ending = checked({"shop.py": GOOD, "test_shop.py": HALF}, before)
    assert ending.status is Status.PLAUSIBLE
    assert decision(ending, "changed_tests") is Decision.UNKNOWN
    doubt = ending.judged[0].verdict.evidence[-1]
    assert doubt.witness == "test_shop.py::test_prices"
    assert "test_prices" in doubt.question


@pytest.mark.parametrize(
    "rewritten",
    [
        HALF.replace(b"price(3) == 9", b"price(3) == 12").replace(b"price(5) == 15", b"price(5) == 20"),
        HALF.replace(b"def test_price()", b"def test_twelve()").replace(b"== 9", b"== 12").replace(b"15", b"20"),
    ],
    ids=["rewritten", "renamed"],
)
def test_a_failing_test_that_is_rewritten_to_suit_the_change_is_a_doubt_with_a_witness(rewritten):
    tests = HALF.replace(b"price(1.5) == 4.5", b"price(1) == 4")
    assert rewritten != HALF
    after = rewritten.replace(b"price(1.5) == 4.5", b"price(1) == 4")
    ending = checked(
        {"shop.py": SHOP.replace(b"+ 3", b"* 4"), "test_shop.py": after}, {**BEFORE, "test_shop.py": tests}
    )
    assert ending.status is Status.PLAUSIBLE
    doubt = ending.judged[0].verdict.evidence[-1]
    assert (doubt.gate, doubt.decision) == ("changed_tests", Decision.UNKNOWN)
    assert doubt.witness == "test_shop.py::test_price"


def test_a_test_that_fails_in_any_form_and_is_not_mended_is_no_doubt():
    tests = HALF + b"\n\ndef test_else():\n    assert label(1) == 1\n"
    after = {"shop.py": GOOD, "test_shop.py": tests.replace(b"price(3) == 9", b"price(4) == 12")}
    ending = checked(after, {**BEFORE, "test_shop.py": tests})
    assert decision(ending, "changed_tests") is Decision.ACCEPT


SHARED = b"def same(a, b):\n    assert a == b\n"
SHARING = b"""from helper_test import same
from shop import label, price


def test_price():
    same(price(3), 9)


def test_label():
    same(label(" A "), "A")
"""


@pytest.mark.parametrize("brought", [False, True])
def test_a_file_that_tests_share_cannot_hide_what_breaks(brought):
    """The helper compares no longer as it did, so that a broken function looks whole."""
    before = {"shop.py": SHOP, "helper_test.py": SHARED, "test_shop.py": SHARING}
    if brought:
        before |= {"test_shop.py": SHARING.replace(b"helper_test", b"first_test"), "first_test.py": SHARED}
    after = {
        **before,
        "shop.py": GOOD.replace(b"text.strip()", b"text.strip().lower()"),
        "helper_test.py": b"def same(a, b):\n    assert str(a).lower() == str(b).lower()\n",
        "test_shop.py": SHARING,
    }
    ending = checked(after, before)
    assert ending.status is not Status.CERTIFIED
    doubts = [e for j in ending.judged for e in j.verdict.evidence if e.gate == "changed_tests"]
    assert "test_shop.py::test_label" in {e.witness for e in doubts}


def test_a_new_test_file_cannot_hide_what_breaks():
    """It puts the old function back while old tests run."""
    hiding = b"import shop\n\nshop.label = str.strip\n\n\ndef test_it():\n    assert shop.price(7) == 21\n"
    tests = b"import shop\n\n\ndef test_label():\n    assert shop.label(' A ') == 'A'\n"
    before = {"shop.py": SHOP, "test_shop.py": tests}
    broken = GOOD.replace(b"text.strip()", b"text.strip().upper().lower()")
    ending = checked({**before, "shop.py": broken, "test_a.py": hiding}, before)
    assert ending.status is not Status.CERTIFIED
    assert all(j.verdict.status.value != "certified" for j in ending.judged)
    doubts = [e for j in ending.judged for e in j.verdict.evidence if e.gate == "changed_tests"]
    assert {e.witness for e in doubts} <= {"test_shop.py::test_label"}


def test_a_removed_test_is_a_finding_and_plausible_at_most():
    ending = checked({"shop.py": GOOD, "test_shop.py": HALF[: HALF.index(b"\n\ndef test_label")] + b"\n"})
    assert "removed_test" in kinds(ending)
    assert ending.status is Status.PLAUSIBLE


def test_a_module_that_could_not_be_imported_before_may_be_mended():
    before = {
        "shop.py": b"def rates():\n    return {'a': 1}['b']\n\n\nRATES = rates()\n",
        "test_shop.py": b"from shop import RATES\n\n\ndef test_rates():\n    assert RATES == 1\n",
        "test_kept.py": b"def test_kept():\n    assert [1]\n",
    }
    after = {**before, "shop.py": before["shop.py"].replace(b"['b']", b"['a']")}
    ending = checked(after, before)
    assert ending.judged[0].submission.baseline.failing == ("test_shop.py::test_rates",)
    assert decision(ending, "fixes") is Decision.ACCEPT
    assert ending.status in (Status.CERTIFIED, Status.PLAUSIBLE)


def test_a_project_in_which_nothing_can_be_collected_is_no_place_to_judge():
    before = {"shop.py": SHOP, "test_shop.py": b"import not_there\n\n\ndef test_a():\n    assert 1\n"}
    ending = checked({**before, "shop.py": GOOD}, before)
    assert ending.status is Status.ENVIRONMENT
    assert "not_there" in ending.messages[0]


def test_one_module_that_cannot_be_collected_does_not_keep_the_rest_from_being_judged():
    broken = {"test_other.py": b"import not_there\n"}
    ending = checked({**BEFORE, **broken, "shop.py": GOOD}, {**BEFORE, **broken})
    assert ending.status is Status.CERTIFIED, ending


def test_the_program_before_is_complete():
    change = Change((("a.py", b"1"), ("gone.py", b"2"), ("test_gone.py", b"3")), (("a.py", b"4"), ("test_a.py", b"5")))
    assert dict(program_layer(change)) == {"a.py": b"1", "gone.py": b"2", "test_a.py": b"5"}
    assert dict(changes.tests_as_they_were(change)) == {"test_a.py": b"", "test_gone.py": b"3"}


def cut_short(after, gate, problem, before=BEFORE, at=1):
    """What is told of a check in which this gate raises what ends it, when it is asked for the so manieth time."""
    asked = []

    class Late:
        def __init__(self, own):
            self.name, self._own = own.name, own

        def judge(self, submission):
            asked.append(submission)
            if len(asked) == at:
                raise problem
            return self._own.judge(submission)

    change = differing(before, after)
    sandbox = LayeredSandbox(ToySandbox(tuple(sorted(before.items()))), program_layer(change))
    plain = engine(sandbox)
    gates = tuple(Late(each) if each.name == gate else each for each in plain.judging.gates)
    made = replace(plain, judging=replace(plain.judging, gates=gates))
    with pytest.raises(type(problem)):
        Checker(made, change).check([], 0)
    return made.judging.reached.make_ending()


def test_a_change_that_was_shown_to_pass_is_plausible_where_the_check_is_broken_off():
    ending = cut_short({**BEFORE, "shop.py": GOOD}, "coverage", TimeIsUp())
    assert ending.status is Status.PLAUSIBLE
    assert ending.change is not None
    evidence = {e.gate: e for e in ending.judged[0].verdict.evidence}
    assert evidence["regressions"].decision is Decision.ACCEPT
    assert evidence["coverage"].claim == TIME_WAS_UP


@pytest.mark.parametrize("problem", [TimeIsUp(), OutOfTimeError("late")])
def test_one_that_was_not_shown_to_pass_has_no_verdict(problem):
    ending = cut_short({**BEFORE, "shop.py": GOOD}, "regressions", problem)
    assert ending.status is Status.UNREPAIRED
    assert not ending.judged
    assert ending.messages[0] == UNSHOWN
    assert ending.diagnoses


def test_a_change_of_two_functions_is_not_judged_by_the_first():
    after = {**BEFORE, "shop.py": BOTH, "test_shop.py": TESTS}
    assert cut_short(after, "fixes", TimeIsUp(), at=2).status is Status.UNREPAIRED
    assert cut_short(after, "coverage", TimeIsUp(), at=2).status is Status.PLAUSIBLE


def test_which_tests_are_of_the_changes_own_author():
    old, new = (
        b"def test_a():\n    assert 1\n\n\ndef test_b():\n    assert 2\n",
        b"def test_a():\n    assert 1\n\n\ndef test_b():\n    assert 3\n",
    )
    change = Change((("test_t.py", old),), (("test_t.py", new), ("test_new.py", old)))
    tests = [
        TestId(f"{path}::{name}")
        for path in ("test_t.py", "test_new.py", "test_else.py")
        for name in ("test_a", "test_b[1]")
    ]
    assert changes.tests_of_its_author(change, tests) == (tests[1], tests[2], tests[3])
    broken = Change((("test_t.py", b"def test_a(:\n"),), (("test_t.py", new),))
    assert changes.tests_of_its_author(broken, tests[:1]) == (tests[0],)


class Endless(ToySandbox):
    """The whole suite, with the program as it was, does not end in time; ``asked`` are the selections that were run."""

    def __init__(self, sources, collects):
        super().__init__(sources)
        self.asked, self.collects = [], collects

    def run(self, tests, files=(), **given):
        self.asked.append(tuple(tests))
        if tests:
            return super().run(tests, files, **given)
        names = [f"test_shop.py::{name}" for name in ("test_price", "test_prices", "test_tax", "test_label")]
        return replace(hang_of(names[0], names if self.collects else ()), late=True)


def check_endless(known, *, collects=True):
    change = differing(BEFORE, {**BEFORE, "shop.py": GOOD})
    toy = Endless(tuple(sorted(BEFORE.items())), collects)
    made = replace(engine(LayeredSandbox(toy, program_layer(change))), known_lines=lambda: known)
    return Checker(made, change).check([], 0), toy


def test_where_the_suite_is_too_slow_the_tests_that_are_known_to_run_the_change_are_asked():
    known = tuple((TestId(f"test_shop.py::{name}"), (("shop.py", {7}),)) for name in ("test_price", "test_prices"))
    ending, toy = check_endless((*known, (TestId("test_shop.py::gone"), (("shop.py", {7}),))))
    assert ending.status is Status.PLAUSIBLE
    assert decision(ending, "regressions") is Decision.UNKNOWN
    assert [r.test for r in ending.judged[0].submission.baseline.outcomes] == [test for test, _ in known]
    assert ending.warnings[-1] == (
        "2 of 4 tests observed, those known to run what changes: the whole suite takes longer than observing it may"
    )
    assert toy.asked.count(()) == 1


def test_where_nothing_is_known_of_them_a_suite_that_is_too_slow_is_told():
    elsewhere = ((TestId("test_shop.py::test_tax"), (("shop.py", {15}),)),)
    for known in ((), elsewhere):
        with pytest.raises(TargetError, match="do not end in the time"):
            check_endless(known)


def test_a_suite_that_is_not_even_collected_in_time_leaves_the_tests_that_are_known():
    known = tuple((TestId(f"test_shop.py::{name}"), (("shop.py", {7}),)) for name in ("test_price", "test_prices"))
    ending, _ = check_endless(known, collects=False)
    assert ending.status is Status.PLAUSIBLE
    assert ending.warnings[-1].startswith("2 of an unknown number of tests observed, those known to run what changes")
    gone = (TestId("test_shop.py::gone"), (("shop.py", {7}),))
    with pytest.raises(TargetError, match="do not end in the time"):
        check_endless((*known, gone), collects=False)


TWO_FAIL = SHOP.replace(b"return amount + 2", b"return amount + 2 + (amount > 5)")
TAXES = b"\n\ndef test_taxes():\n    assert tax(6) == 7\n"


def test_a_failing_test_that_runs_the_change_and_is_not_mended_is_told():
    before = {**BEFORE, "shop.py": TWO_FAIL, "test_shop.py": TESTS + TAXES}
    ending = checked({**before, "shop.py": TWO_FAIL.replace(b"amount > 5", b"amount > 4")}, before)
    [finding] = [f for f in ending.findings if f.kind == STILL_FAILING]
    assert finding.claim == (
        "2 tests that run tax failed before and fail still: test_shop.py::test_tax, test_shop.py::test_taxes"
    )
    assert ending.status is not Status.CERTIFIED
