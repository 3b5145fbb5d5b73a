import pytest

from analysis.errors import ModelError
from analysis.facts import CollectionError, Outcome, Phase, SeenError, TestId, TestResult, TestRun
from analysis.specified.task_text import StatedTask
from repair.records.made import MadePatch
from repair.records.result import Cost
from repair.records.written import NotAsked, ReplyPart, Unwritten, WrittenFiles
from repair.survey.making.steps import MakingSteps, Mended

TASK = StatedTask("TASK.md", "`total([1, 2])` shall return 3. `total([])` shall return 0.\n")
GOOD, BAD = b"def total(prices):\n    return sum(prices)\n", b"def total(prices):\n    return 0\n"
REQUIRED = '''\
def test_total():
    """Quotes: `total([1, 2])` shall return 3."""
    assert total([1, 2]) == 3


def test_nothing():
    """Quotes: `total([])` shall return 0."""
    assert total([]) == 0
'''
PINNED = "\n\ndef test_more():\n    assert total([5]) == {}\n"


def program(text=GOOD):
    return WrittenFiles(implementation=(("prices.py", text),))


def written_tests(text):
    return WrittenFiles(tests=(("tests/test_prices.py", f"from prices import total\n\n\n{text}".encode()),))


class Writer:
    """Gives scripted answers in their order, and keeps what it was asked."""

    cost = Cost()

    def __init__(self, *answers):
        self.answers, self.asked = list(answers), []

    def write(self, asked, before, seconds_left):
        self.asked.append((asked, before))
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


def run(files):
    """Runs the plain functions of the tests here: they are our own."""
    texts = dict(files)
    names = {}
    exec(texts["prices.py"], names)
    results = []
    for path, text in texts.items():
        if not path.startswith("tests/"):
            continue
        code = {"total": names.get("total")}
        try:
            exec(text.replace(b"from prices import total", b""), code)
            if names.get("total") is None:
                raise ImportError("cannot import name 'total' from 'prices'")
        except ImportError as problem:
            seen = SeenError("ImportError", (), str(problem), ())
            return TestRun((), (CollectionError(path, (seen,), str(problem)),), 2, 0.1)
        for name, test in code.items():
            if name.startswith("test"):
                outcome, said = Outcome.PASSED, ""
                try:
                    test()
                except AssertionError:
                    outcome, said = Outcome.FAILED, "assert failed"
                results.append(TestResult(TestId(f"{path}::{name}"), outcome, Phase.CALL, 0.0, message=said))
    return TestRun(tuple(results), (), 0, 0.1)


def not_mended(draft):
    return Mended(draft.implementation, (), "nothing was found")


def mended(draft):
    return Mended((("prices.py", GOOD),), (), "prices.py:total")


def steps(*answers, mend=not_mended, left=lambda: 100.0):
    return MakingSteps(TASK, Writer(*answers), run, mend, left)


def told(made):
    return [f"{step.what}: {step.came}" for step in made.steps]


def parts(made):
    return [asked.part.value.lower() for asked, _ in made.writer.asked]


def test_a_program_whose_tests_pass_is_done_with_two_requests():
    made = steps(program(), written_tests(REQUIRED))
    draft = made.make()
    assert draft.open == (False, 0, 0)
    assert parts(made) == ["implementation", "tests"]
    assert b"# Required: TASK.md:1 says" in dict(draft.files)["tests/test_prices.py"]


def test_who_writes_tests_sees_names_and_no_body():
    made = steps(program(), written_tests(REQUIRED))
    made.make()
    asked = made.writer.asked[1][0]
    assert asked.heads == "prices.py: def total(prices)"
    assert "sum" not in f"{asked.heads}{asked.sentences}{asked.failures}"
    assert made.writer.asked[0][0].heads == ""


def test_a_patch_comes_before_anything_is_written_anew():
    made = steps(program(BAD), written_tests(REQUIRED), mend=mended)
    assert made.make().open == (False, 0, 0)
    assert parts(made) == ["implementation", "tests"]
    assert "patch: prices.py:total" in told(made)


def test_a_patch_that_breaks_a_test_is_taken_back():
    worse = Mended((("prices.py", b"def total(prices):\n    return 3\n"),), (), "prices.py:total")
    made = steps(program(BAD), written_tests(REQUIRED), program(BAD), NotAsked("spent"), mend=lambda draft: worse)
    assert made.make().implementation == (("prices.py", BAD),)
    assert any("taken back" in line for line in told(made))


def test_a_pinned_test_that_fails_is_written_anew_and_the_others_stay():
    made = steps(program(), written_tests(REQUIRED + PINNED.format(6)), written_tests(PINNED.format(5)))
    draft = made.make()
    assert draft.open == (False, 0, 0)
    assert [test.said.name for test in draft.tests] == [
        "tests/test_prices.py::test_total",
        "tests/test_prices.py::test_nothing",
        "tests/test_prices_2.py::test_more",
    ]
    assert made.replaced == ["tests/test_prices.py::test_more"]
    assert [test.anew for test in draft.tests] == [False, False, True]


def test_a_required_test_that_fails_is_never_written_anew_by_itself():
    made = steps(program(BAD), written_tests(REQUIRED), program(GOOD))
    draft = made.make()
    assert draft.open == (False, 0, 0)
    assert parts(made) == ["implementation", "tests", "implementation"]
    assert "tests anew: not done: words of the task require each test that fails" in told(made)
    asked = made.writer.asked[2][0]
    assert (asked.heads, "assert failed" in asked.failures) == ("prices.py: def total(prices)", True)


def test_an_implementation_written_anew_keeps_its_signatures():
    other = program(b"def total(prices, start):\n    return sum(prices, start)\n")
    made = steps(program(BAD), written_tests(REQUIRED), other, program(GOOD))
    assert made.make().open == (False, 0, 0)
    assert "signature" in made.writer.asked[3][1][0].kind


def test_an_implementation_is_not_written_anew_for_a_pinned_test():
    made = steps(program(), written_tests(REQUIRED + PINNED.format(6)), written_tests(PINNED.format(7)))
    draft = made.make()
    assert draft.open == (False, 0, 1)
    assert parts(made) == ["implementation", "tests", "tests"]
    assert "tests anew: not kept: no fewer tests fail" in told(made)


def test_both_anew_is_the_last_resort_and_quotes_what_was_quoted():
    half = REQUIRED.partition("\n\n\ndef test_nothing")[0]
    bad = (program(BAD), written_tests(REQUIRED), program(BAD))
    lost = steps(*bad, program(GOOD), written_tests(PINNED.format(5)))
    assert lost.make().open == (False, 1, 1)
    assert any("both anew: refused: no required test quotes" in line for line in told(lost))
    kept = steps(*bad, program(GOOD), written_tests(REQUIRED))
    assert kept.make().open == (False, 0, 0)
    assert kept.replaced == ["tests/test_prices.py::test_total"]
    assert parts(kept) == ["implementation", "tests", "implementation", "implementation", "tests"]
    assert half in REQUIRED


def test_each_is_written_anew_once():
    made = steps(program(BAD), written_tests(REQUIRED), program(BAD), program(BAD), written_tests(REQUIRED))
    assert made.make().open == (False, 1, 1)
    assert made.writer.answers == []


def test_a_reply_of_no_use_is_asked_for_again_with_its_fault():
    cut = Unwritten("cut", "the answer is cut off")
    made = steps(cut, cut, program(), written_tests(REQUIRED))
    assert made.make().open == (False, 0, 0)
    assert [before for _, before in made.writer.asked] == [(), (cut,), (cut, cut), ()]


def test_three_replies_of_no_use_are_the_end():
    empty = Unwritten("empty", "the implementation is empty")
    made = steps(empty, empty, empty)
    assert made.make() is None
    assert ("empty" in made.ended, made.is_spent) == (True, False)
    half = steps(program(), empty, empty, empty)
    assert half.make() is None


def test_a_part_that_cannot_be_collected_is_written_anew_at_once():
    made = steps(program(b"def add(prices):\n    return 0\n"), written_tests(REQUIRED), program(GOOD))
    assert made.make().open == (False, 0, 0)
    assert parts(made) == ["implementation", "tests", "implementation"]
    assert any(line.startswith("format: implementation at once anew") for line in told(made))


@pytest.mark.parametrize("end", [NotAsked("6 questions are the limit"), ModelError("gone")])
def test_what_was_reached_is_kept_where_nothing_more_can_be_asked(end):
    made = steps(program(BAD), written_tests(REQUIRED), end)
    if isinstance(end, ModelError):
        with pytest.raises(ModelError):
            made.make()
    else:
        made.make()
        assert "limit" in made.ended
    assert made.best.open == (False, 1, 1)


def test_with_no_time_nothing_is_begun():
    made = steps(left=lambda: 1.0)
    assert made.make() is None
    assert (made.ended, made.is_spent, made.writer.asked) == ("the time was over", True, [])


HALF = b"def total(prices):\n    return 3 if prices else 1\n"
PATCH = MadePatch("prices.py", "total", "LOGIC", "diff")


def test_a_patch_that_went_in_is_not_lost_where_time_ends_in_the_next_round():
    seconds = [100.0]

    def mend(draft):
        text = GOOD if draft.patches else HALF
        seconds[0] = 1.0 if draft.patches else 100.0
        return Mended((("prices.py", text),), (PATCH,), "prices.py:total")

    worst = b"def total(prices):\n    return 7\n"
    made = steps(program(worst), written_tests(REQUIRED), mend=mend, left=lambda: seconds[0])
    draft = made.make()
    assert (draft.implementation, draft.patches) == ((("prices.py", HALF),), (PATCH,))
    assert (made.ended, made.is_spent) == ("the time was over", True)


def test_patches_of_a_draft_that_is_not_kept_are_not_listed():
    rounds = []

    def mend(draft):
        rounds.append(draft)
        text = BAD if len(rounds) == 2 else dict(draft.implementation)["prices.py"]
        return Mended((("prices.py", text),), (PATCH,) if len(rounds) == 2 else (), "prices.py:total")

    nine, half = b"def total(prices):\n    return 9\n", program(HALF)
    answers = (half, written_tests(REQUIRED), program(nine), half, written_tests(REQUIRED))
    draft = steps(*answers, mend=mend).make()
    assert (draft.implementation, draft.patches) == ((("prices.py", HALF),), ())
    assert len(rounds) >= 2


def test_patches_stay_with_the_program_where_tests_are_written_anew_and_go_with_it():
    wrong = REQUIRED + PINNED.format(6)
    made = steps(
        program(BAD),
        written_tests(wrong),
        written_tests(PINNED.format(5)),
        mend=lambda draft: Mended((("prices.py", GOOD),), (PATCH,) if not draft.patches else (), "prices.py:total"),
    )
    assert made.make().patches == (PATCH,)
    other = steps(
        program(b"def total(prices):\n    return 7\n"),
        written_tests(REQUIRED),
        program(GOOD),
        mend=lambda draft: Mended((("prices.py", HALF),), (PATCH,) if not draft.patches else (), "prices.py:total"),
    )
    assert other.make().patches == ()


def test_the_identity_changes_with_files_signatures_and_passing_tests():
    good = steps(program(), written_tests(REQUIRED)).make().artifact()
    same = steps(program(), written_tests(REQUIRED)).make().artifact()
    bad = steps(program(BAD), written_tests(REQUIRED), NotAsked("spent")).make().artifact()
    assert good == same
    assert good.digest != bad.digest
    assert good.signatures == ("prices.py: def total(prices)",)
    assert set(good.passing) > set(bad.passing)
    assert good.sections == tuple(f"# === {part} ===" for part in ReplyPart)
