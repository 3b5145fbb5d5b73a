"""The page of a report on tests: what stands in it, and reports that somebody hostile caused."""

from dataclasses import replace

import pytest
from fakes.pages import Page

from analysis.change_history import History
from analysis.facts import FunctionId
from analysis.mutant_view import MOST_OF_TEXT, MutantView
from analysis.mutation_score import MutantState, MutationScore
from analysis.priority import FunctionFacts, weigh
from analysis.quality.findings import Finding, Weight
from analysis.statement_lines import Share
from repair.records.tests_report import CoverageView, FunctionView, TestCounts, TestsReport, TestsStatus
from repair.show.report.markup import FIRST_LINE, MOST_BYTES
from repair.show.report.tests_page import MOST_FINDINGS, MOST_FUNCTIONS, MOST_IN_TABLE, make_tests_page

SOURCES = {"shop.py": ["def price(n):", "    if n < 10:", "        return 5 * n", "    return 40"]}


def mutant(line, state, killed_by="", old="<", new="<="):
    return MutantView(line, 9, line, 10, old, new, "comparison", f"turns `{old}` into `{new}`", state, killed_by)


def view(name="price", **more):
    facts = FunctionFacts(FunctionId("shop.py", name, 1), True, 2, Share(2, 3), users=3, history=History(4, 1))
    mutants = (
        mutant(2, MutantState.SURVIVED),
        mutant(2, MutantState.KILLED, "t.py::test_price", new=">"),
        mutant(4, MutantState.NO_COVERAGE, old="40", new="41"),
    )
    made = FunctionView(
        "shop.py",
        name,
        1,
        4,
        2,
        1,
        Share(2, 3),
        ("t.py::test_price",),
        MutationScore(1, 1, 1),
        priority=weigh(facts),
        mutants_by_line=mutants,
    )
    return replace(made, **more)


REPORT = TestsReport(
    TestsStatus.FINDINGS,
    "/p",
    {"repair-engine": "1.0"},
    tests=TestCounts(cases=12, passed=10, failing=1, flaky=1, fake=1, vouching=9),
    functions=(view("idle", cases=0, vouching=(), coverage=Share(0, 3), mutants_by_line=()), view()),
    findings=(
        Finding("T03", Weight.ERROR, "tautology", "It holds anyway.", "t.py", 7, "t.py::test_x"),
        Finding("untested", Weight.WARNING, "untested", "No test runs it.", "shop.py", 1, "", "idle"),
        Finding("branch", Weight.NOTE, "branch", "price: line 2 to line 4", "shop.py", 2, "", "price"),
    ),
    coverage=CoverageView("measured", 0.85, Share(6, 9), Share(1, 4)),
    mutants=MutationScore(1, 1, 1),
    left_out=("setup.py",),
    not_checked=("mutants of 1 function: the time was over",),
)


def test_the_page_says_what_the_report_says_in_the_order_of_worth():
    text = make_tests_page(REPORT, SOURCES)
    page = Page(text)
    assert text.startswith(FIRST_LINE)
    parts = ["How good the tests are", "1 finding that counts, 1 warning.", "12: 10 pass, 1 fail, 1 flaky, 1 fake"]
    parts += [
        "67 % (6 of 9) run",
        "25 % (1 of 4) taken",
        "Where a test is worth most stands first",
        "Findings that count (1)",
    ]
    parts += ["t.py:7", "Warnings (1)", "No test vouches for it", "1 branch that no test takes"]
    parts += ["mutants of 1 function: the time was over"]
    places = [page.text.index(part) for part in parts]
    assert places == sorted(places)
    assert page.result["functions"][1]["mutants_by_line"][0]["new"] == "<="
    assert page.text.index("used by 3 functions") < page.text.index("4 commits, 1 of them called fixes")


def test_mutants_are_linked_to_their_lines_and_those_that_live_come_first():
    page = Page(make_tests_page(replace(REPORT, functions=(view(),)), SOURCES))
    links = [names["href"] for _, names in page.tags if str(names.get("href", "")).startswith("#function-1-line")]
    assert links == ["#function-1-line-2", "#function-1-line-4", "#function-1-line-2"]
    rows = "2 < → <=turns `<` into `<=` no test notices 4 40 → 41turns `40` into `41` no test runs it 2 < → >"
    assert rows in page.text
    assert "killed t.py::test_price" in page.text
    assert "2 1 1 if n < 10:" in page.text  # line, noticed, not noticed


def test_without_sources_mutants_are_told_and_lead_nowhere():
    page = Page(make_tests_page(REPORT, {}))
    assert "turns `<` into `<=`" in page.text
    assert not [each for each in page.ids() if "line" in each]


@pytest.mark.parametrize("text", ["</script><script>alert(1)</script>", "]]>", "\u202e\x1b[31m", "{{ 7 * 7 }}", "\"x'"])
def test_what_a_project_wrote_is_text_and_nothing_else(text):
    hostile = view(
        text,
        file=text,
        vouching=(text,),
        not_checked=text,
        mutants_by_line=(mutant(1, MutantState.KILLED, text, text, text),),
        priority=weigh(FunctionFacts(FunctionId(text, text, 1), True, 0)),
    )
    finding = Finding(text, Weight.ERROR, text, text, text, 1, text, text)
    branch = replace(finding, rule="branch", weight=Weight.NOTE)
    report = replace(
        REPORT,
        root=text,
        functions=(hostile,),
        findings=(finding, branch),
        versions={text: text},
        left_out=(text,),
        not_checked=(text,),
        warnings=(text,),
        isolation=text,
        isolation_opens=(text,),
        coverage=CoverageView(text, 0.5, Share(1, 2)),
    )
    made = make_tests_page(report, {text: [text, "\x00\udc80"]})
    page = Page(made)
    assert page.count("script") == 1
    assert page.result["root"] == text
    assert not any(0xD800 <= ord(letter) <= 0xDFFF or letter in "\u202e\x1b\x00" for letter in made)


def test_a_report_without_anything_has_a_page():
    page = Page(make_tests_page(TestsReport(TestsStatus.CLEAN), {}))
    assert "No finding counts, 0 warnings." in page.text
    assert "Findings None." in page.text


def test_a_project_of_thousands_of_functions_has_a_page_within_its_bounds():
    long = "    return " + "x" * (MOST_OF_TEXT - 20)
    mutants = tuple(mutant(number % 4 + 1, MutantState.SURVIVED, old=long, new=long) for number in range(60))
    functions = tuple(view(f"f{number}", mutants_by_line=mutants) for number in range(2_000))
    finding = REPORT.findings[0]
    findings = tuple(replace(finding, line=number, claim=long) for number in range(1_000))
    text = make_tests_page(replace(REPORT, functions=functions, findings=findings), {"shop.py": [long] * 4})
    assert len(text.encode()) <= MOST_BYTES
    page = Page(text)
    assert f"{2_000 - MOST_IN_TABLE} more functions are in the report as JSON" in page.text
    assert f"{1_000 - MOST_FINDINGS} more are in the report as JSON" in page.text
    assert page.count("article") in MOST_FUNCTIONS.values()


def test_what_is_said_in_the_same_words_is_one_row_with_its_places():
    order = Finding("order", Weight.WARNING, "order", "It leans on what runs before it.", "t.py", 0, "t.py::test_1")
    others = tuple(replace(order, test=f"t.py::test_{number}", line=number) for number in (2, 3))
    elsewhere = replace(order, file="u.py", test="u.py::test_4")
    page = Page(make_tests_page(replace(REPORT, findings=(order, *others, elsewhere)), {}))
    assert page.text.count("It leans on what runs before it.") == 2
    assert "Warnings (4)" in page.text
    assert "3 places t.py::test_1 line 2 t.py::test_2 line 3 t.py::test_3" in page.text
