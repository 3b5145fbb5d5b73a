"""The page of a run: recorded runs of each kind, and records that somebody hostile wrote."""

import datetime
import json
from dataclasses import replace
from pathlib import Path

import pytest
from fakes.pages import Page

from analysis.facts import FunctionId
from analysis.mutant_view import MutantView
from analysis.mutation_score import MutantState
from analysis.priority import FunctionFacts, weigh
from repair.records.result import (
    ArmUse,
    AskedView,
    CauseView,
    ChangeView,
    Cost,
    Counts,
    EvidenceView,
    FailureView,
    ModelAttempt,
    PatchView,
    Result,
    RiskView,
    Seconds,
    Status,
    SuspectView,
)
from repair.records.run_details import PatchMutants, RunDetails, SuspectLine, SuspectSource
from repair.show.report.annotated import list_suspect, shade_of
from repair.show.report.code import colour_lines, compare_sides
from repair.show.report.markup import FIRST_LINE, MOST_BYTES, MOST_LISTED
from repair.show.report.page import Recorded, make_page
from repair.show.report.pictures import MOST_MARKS, WIDTH, draw_convergence, draw_timeline
from repair.show.report.rounds import MOST_OF_SEARCH, list_rounds

RECORDED = sorted((Path(__file__).parent / "recorded").glob("*.json"))

DIFF = """\
--- a/shop.py
+++ b/shop.py
@@ -1,4 +1,4 @@
 def price(n):
     \"\"\"What n cost.\"\"\"
-    if n > 10:
+    if n >= 10:
         return 40
"""
ASKING = EvidenceView(
    "mutation",
    "unknown",
    "a mutant survived",
    {"killed": 1, "survived": 1},
    "price(11) returns 45, and returns 55 otherwise",
    2.0,
    "shop.price(11) == 45",
    "shop.price(11) == 55",
    AskedView("Should price(11) return 45 (this patch) or return 55?", "price(11)", "returns 45", "returns 55"),
)
PATCH = PatchView(
    1,
    Status.PLAUSIBLE,
    "shop.py",
    "price",
    DIFF,
    "d" * 64,
    line=1,
    evidence=(EvidenceView("fixes", "accept", "1 of 1 failing tests pass", seconds=1.0), ASKING),
    changes=(ChangeView("price(10)", "returns 50", "returns 40", True, "test", "test_shop.py::test_bulk"),),
    not_checked=("types: not asked",),
)
RESULT = Result(
    Status.PLAUSIBLE,
    "20261124-120000-abc",
    failures=(FailureView("test_shop.py::test_bulk", "logic", exception="AssertionError", message="assert 50 == 40"),),
    suspects=(SuspectView("shop.py", "price", 1, 0.9, ("run by 1 of 1 failing tests",)),),
    patches=(PATCH,),
    counts=Counts(candidates=9),
    seconds=Seconds(total=12.0),
    next_action="run again with the --answer that is right",
    causes=(CauseView(1, ("test_shop.py::test_bulk",), Status.PLAUSIBLE, "shop.py", "price", 1, "d" * 64),),
)
HOSTILE = (
    "<script>alert(1)</script>",
    "</script><script>alert(2)</script>",
    "<!--<script>",
    "]]>",
    "\"' onload='x' x=\"",
    "{{ 7 * 7 }}{% raw %}",
    "\x00\x07\x1b[31m\x9b",
    "\udc80\ud800",
    "\u202egnp.exe",
    "http://example.invalid/x.png",
)


def read(path):
    return Result.from_json(json.loads(path.read_text("utf-8")))


def page_of(result, events=(), **given):
    return make_page(Recorded(result.run or "run", result, tuple(events), **given))


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_each_recorded_run_has_a_page_that_is_well_formed_and_small(path):
    result = read(path)
    text = page_of(result)
    page = Page(text)
    assert text.startswith(FIRST_LINE)
    assert len(text.encode()) < 200_000
    assert page.text.count(str(result.status)) >= 1
    assert page.result == json.loads(json.dumps(result.to_json()))
    for patch in result.patches[:1]:
        assert patch.function in page.text
        assert {f"gate-{each.gate}" for each in patch.evidence} <= {each.split("-", 2)[-1] for each in page.ids()} | {
            *page.ids()
        }


def test_the_order_is_that_of_a_decision():
    text = Page(page_of(RESULT)).text
    parts = ["plausible", "price shop.py:1", "The change", "What changes for callers", "Question", "Evidence"]
    parts += ["Failing tests", "Suspects", "Candidates", "What it took", "How to prove it again"]
    places = [text.index(part) for part in parts]
    assert places == sorted(places)


def test_the_question_has_both_readings_with_test_and_command():
    text = page_of(RESULT)
    page = Page(text)
    for value in ("45", "55"):
        assert f"found = shop.price(11) assert found == {value}" in page.text
        assert f"repair fix test_shop.py::test_bulk --answer 'shop.price(11) == {value}'" in page.text
    checked = Page(page_of(replace(RESULT, causes=())))
    assert "The same command, with --answer 'shop.price(11) == 45'" in checked.text


def test_gates_that_do_not_say_yes_are_open_and_the_others_closed():
    tags = {names.get("id"): names for tag, names in Page(page_of(RESULT)).tags if tag == "details"}
    assert "open" in tags["gate-mutation"]
    assert "open" not in tags["gate-fixes"]


@pytest.mark.parametrize(
    ("status", "tone"),
    [
        (Status.CERTIFIED, "good"),
        (Status.PLAUSIBLE, "doubt"),
        (Status.REJECTED, "bad"),
        (Status.FOREIGN, "bad"),
        (Status.ERROR, "bad"),
        (Status.NOTHING_FAILS, "plain"),
    ],
)
def test_only_what_is_certified_is_green(status, tone):
    result = replace(RESULT, status=status, patches=(), causes=())
    assert f'<strong class="verdict {tone}">{status}</strong>' in page_of(result)


def test_changed_words_are_marked_side_by_side():
    (same, _, changed, *_) = compare_sides(DIFF).pairs
    assert (same.same, changed.old.number, changed.new.number) == (True, 3, 3)
    assert [piece.text for piece in changed.old.pieces if piece.changed] == [">"]
    assert [piece.text for piece in changed.new.pieces if piece.changed] == [">="]
    page = page_of(RESULT)
    assert '<ins><span class="o">&gt;=</span></ins>' in page
    assert '<del><span class="o">&gt;</span></del>' in page


def test_lines_that_were_added_alone_stand_beside_nothing():
    diff = "--- a/a.py\n+++ b/a.py\n@@ -1,3 +1,4 @@\n a = 1\n-b = 2\n+b = 3\n+c = 4\n d = 5\n"
    numbers = [(pair.old.number, pair.new.number) for pair in compare_sides(diff).pairs]
    assert numbers == [(1, 1), (2, 2), (0, 3), (3, 4)]
    removed = "--- a/a.py\n+++ b/a.py\n@@ -1,3 +1,1 @@\n a = 1\n-b = 2\n-c = 4\n"
    assert [(p.old.number, p.new.number) for p in compare_sides(removed).pairs] == [(1, 1), (2, 0), (3, 0)]


def test_colours_keep_each_line_as_it_is():
    lines = ['x = """a', "b", '"""', "", "\tdef f(:\r", "\x00 = '", "# \udc80"]
    assert ["".join(piece.text for piece in pieces) for pieces in colour_lines(lines)] == lines


def test_each_of_several_causes_has_its_section():
    result = read(next(path for path in RECORDED if path.stem == "fix_three_causes"))
    page = Page(page_of(result))
    assert [each for each in page.ids() if each in ("cause-1", "cause-2", "cause-3")] == [
        "cause-1",
        "cause-2",
        "cause-3",
    ]
    assert {"#cause-1", "#cause-2", "#cause-3"} <= {names.get("href") for _, names in page.tags}
    for cause in result.causes:
        assert f"Cause {cause.number}: {cause.function}" in page.text


@pytest.mark.parametrize("text", HOSTILE)
def test_what_a_project_or_a_model_wrote_is_text_and_nothing_else(text):
    asked = AskedView(text, text, text, text, text)
    evidence = EvidenceView(text, "unknown", text, {text: text}, text, 1.0, text, text, asked)
    patch = replace(
        PATCH,
        file=text,
        function=text,
        diff=DIFF.replace("if n >= 10:", text),
        evidence=(evidence,),
        changes=(ChangeView(text, text, text, False, "docstring", text),),
        explanation=text,
        not_checked=(text,),
        reasons=(text,),
        proposer=text,
        questions=(text, text + "2"),
    )
    result = replace(
        RESULT,
        run=text,
        patches=(patch, replace(patch, rank=2, differs=text)),
        failures=(FailureView(text, text, text, text, text),),
        suspects=(SuspectView(text, text, 1, 0.5, (text,)),),
        versions={text: text},
        cold_starts={text: 1},
        messages=(text,),
        warnings=(text,),
        task=text,
        answers=(text,),
        brief=text,
        attempts=(ModelAttempt(text, text, (text,), prompt=text, reply=text, reasoning=text, outcome=text),),
        cost=Cost(1, 1, 0.1, 1, 1, (ArmUse(text),)),
        next_action=text,
    )
    events = [
        {"type": "phase", "at": 0.0, "name": text, "detail": text},
        {"type": "near", "at": 1.0, "failing": 2, "passed": 1, "operator": text, "function": text, "reason": text},
        {"type": "found", "at": 1.0, "label": text},
        {"type": "evidence", "at": 2.0, "gate": text, "decision": text, "claim": text, "seconds": 1.0},
        {"type": "progress", "at": 2.0, "ended": {text: 3}},
    ]
    page = page_of(result, events, certificates=((text, text),))
    read_page = Page(page)
    assert read_page.count("script") == 1
    assert read_page.result["messages"] == [text]
    assert not set(page) & {chr(n) for n in (*range(9), *range(0xB, 0x20), *range(0x7F, 0xA0), 0x202E)}
    assert not any(0xD800 <= ord(letter) <= 0xDFFF for letter in page)


def test_a_record_with_other_types_in_its_events_has_a_page():
    events = [{"type": "near", "at": "x", "failing": None, "passed": {}}, {"type": ["phase"]}, {"at": float("nan")}]
    events += [{"type": "progress", "ended": 3}, {"type": "found", "at": 1e300, "label": None}, {"type": "progress"}]
    Page(page_of(RESULT, events))


def test_a_text_of_a_megabyte_is_cut_and_the_page_says_so():
    long = "<" * 1_000_000
    failure = replace(RESULT.failures[0], message=long)
    text = page_of(replace(RESULT, failures=(failure,) * 3, task=long))
    page = Page(text)
    assert "988000 more characters stand in the record" in page.text
    assert len(text.encode()) < 500_000


def test_a_page_of_many_long_texts_stays_within_its_bounds():
    long = '"' * 100_000
    attempt = ModelAttempt("a.py", "f", prompt=long, reply=long, reasoning=long, explanation=long, reason=long)
    patch = replace(PATCH, rank=2, diff=DIFF + "+" + long + "\n")
    result = replace(
        RESULT,
        attempts=(attempt,) * 50,
        patches=(PATCH, *(replace(patch, rank=rank) for rank in range(2, 60))),
        failures=tuple(replace(RESULT.failures[0], test=f"t.py::{n}", message=long) for n in range(500)),
    )
    events = [made("attempt", "", sha256=str(n), state="failed", left=1, failing=2) for n in range(60)]
    text = page_of(result, events, read_text=lambda digest: f"{digest}\n" * 4000)
    page = Page(text)
    assert len(text.encode()) <= MOST_BYTES
    assert page.result["run"] == RESULT.run
    assert f"{500 - MOST_LISTED} more stand in the record" in page.text


def many_events(count):
    for number in range(count):
        at = number / 10
        yield {"type": "phase", "at": at, "name": "search", "detail": "trying"}
        yield {"type": "near", "at": at, "operator": "swap", "function": "f", "passed": 1 + number % 3, "failing": 4}
        yield {"type": "found", "at": at, "label": f"search:swap {number}"}
        yield {"type": "evidence", "at": at, "gate": "fixes", "decision": "accept", "claim": "yes", "seconds": 0.1}


def test_two_thousand_candidates_make_a_page_of_few_marks():
    events = [*many_events(2000), {"type": "progress", "at": 1.0, "ended": {"comparison": 1500, "model": 500}}]
    text = page_of(RESULT, events)
    page = Page(text)
    assert len(text.encode()) < MOST_BYTES
    assert page.count("rect") <= MOST_MARKS
    assert page.count("circle") <= MOST_MARKS
    assert page.count("title") == 1 + 2 + page.count("rect") + page.count("circle") + page.count("polyline")
    assert "comparison 1500" in page.text


def test_each_mark_lies_in_its_picture():
    events = [*many_events(30), {"type": "near", "at": 1e8, "passed": 9, "failing": 4}, {"type": "found", "at": -5}]
    for picture in (draw_timeline(events, 3.0), draw_convergence(events, 3.0)):
        assert picture.marks
        for mark in picture.marks:
            assert 0 <= mark.x <= WIDTH
            assert 0 <= mark.x + mark.width <= WIDTH + 0.1
            assert 0 <= mark.y <= picture.height


def test_fewer_tests_left_are_drawn_lower():
    events = [{"type": "near", "at": n, "passed": n, "failing": 3} for n in (1, 2)] + [{"type": "found", "at": 3}]
    heights = [mark.y for mark in draw_convergence(events, 3.0).marks]
    assert heights == sorted(heights)
    assert len(set(heights)) == 3


def test_the_age_of_the_run_is_said():
    started = datetime.datetime(2026, 11, 24, 12, 0, tzinfo=datetime.UTC)
    for later, said in ((30, "less than a minute old"), (7300, "2 hours old"), (90_000, "1 day old")):
        page = Page(page_of(RESULT, started=started, made_at=started + datetime.timedelta(seconds=later)))
        assert said in page.text


def test_rounds_of_a_model_stand_with_prompt_reply_and_outcome():
    attempts = (
        ModelAttempt("a.py", "f", outcome="failed", prompt="mend it", reply="no", reason="assert 1 == 2", model="m"),
        ModelAttempt("a.py", "f", turn=2, outcome="passed", prompt="again", reply="yes"),
    )
    text = Page(page_of(replace(RESULT, attempts=attempts))).text
    assert "1.1 f m: failed assert 1 == 2" in text
    assert all(each in text for each in ("mend it", "again", "1.2 f", "passed"))


def details_of_price():
    lines = (
        SuspectLine(1, "def price(n):"),
        SuspectLine(3, "    if n > 10:", 0.62, 1, 2, ("t.py::fails", "t.py::one", "t.py::two")),
        SuspectLine(4, "        return 40", 0.0, 0, 30, ("t.py::one", "t.py::two")),
        SuspectLine(5, "    return 5 * n", 1.0, 1, 0, ("t.py::fails",)),
    )
    mutants = (
        MutantView(3, 9, 3, 11, ">=", ">", "comparison", "turns `>=` into `>`", MutantState.KILLED, "t.py::one"),
        MutantView(3, 12, 3, 14, "10", "11", "number", "turns `10` into `11`", MutantState.SURVIVED),
    )
    text = ("def price(n):", '    """What n cost."""', "    if n >= 10:", "        return 40")
    return RunDetails((SuspectSource("shop.py", "price", 1, lines, 7),), (PatchMutants("d" * 64, mutants, 1, text),))


def test_the_source_of_suspects_has_numbers_beside_each_shade_and_the_tests_of_each_line():
    text = page_of(RESULT, details=details_of_price())
    page = Page(text)
    assert "3 0.62 1 2 A if n > 10:" in page.text
    assert "4 0.00 0 30 B return 40" in page.text
    assert "A t.py::fails t.py::one t.py::two" in page.text
    assert "B t.py::one t.py::two and 28 more" in page.text
    assert "7 more lines are not shown" in page.text
    assert [names["class"] for tag, names in page.tags if tag == "tr" and "shade" in (names.get("class") or "")] == [
        "shade-3",
        "shade-4",
        "shade-5",
    ]


def test_mutants_of_the_patch_stand_by_line_and_lead_to_the_source():
    page = Page(page_of(RESULT, details=details_of_price()))
    assert "1 no test notices, 1 killed." in page.text
    assert "3 10 → 11turns `10` into `11` no test notices 3 >= → >turns `>=` into `>` killed t.py::one" in page.text
    assert [names["href"] for _, names in page.tags if names.get("href") == "#line-3"] == ["#line-3"] * 2


@pytest.mark.parametrize("text", [*HOSTILE, "<" * 10_000, "&\n" * 5_000])
def test_details_are_text_and_nothing_else(text):
    mutant = MutantView(1, 0, 1, 1, text, text, text, text, MutantState.KILLED, text)
    details = RunDetails(
        (SuspectSource(text, text, 1, (SuspectLine(1, text, 0.5, 1, 1, (text,)),)),),
        (PatchMutants("d" * 64, (mutant,), 1, (text,)),),
    )
    priority = weigh(FunctionFacts(FunctionId(text, text, 1), True, 0))
    where = {"file": text, "function": text, "origin": text, "operator": text, "reason": text}
    events = [{"type": "program", **where, "sha256": "0"}]
    events += [{"type": "attempt", **where, "state": text, "sha256": each, "at": 1.0, "left": 1} for each in ("1", "")]
    result = replace(RESULT, suspects=(SuspectView(text, text, 1, 0.5),))
    given = {"details": details, "priorities": (priority,), "priorities_gap": text}
    page = page_of(result, events, read_text=lambda digest: f"{digest}{text}", **given)
    assert Page(page).count("script") == 1
    assert not set(page) & {chr(n) for n in (*range(9), *range(0xB, 0x20), *range(0x7F, 0xA0), 0x202E)}


def test_priorities_of_the_run_stand_before_those_of_the_project():
    facts = [
        FunctionFacts(FunctionId("shop.py", name, 1), True, 0, users=n) for n, name in enumerate(("price", "idle"))
    ]
    page = Page(page_of(RESULT, priorities=tuple(map(weigh, facts))))
    told = page.text[page.text.index("Where a test is worth most") :]
    places = [
        told.index(said) for said in ("The functions of this run", "price", "The whole project: the first 2 of 2")
    ]
    assert places == sorted(places)
    assert "used by 1 function" in told
    unknown = Page(page_of(RESULT, priorities_gap="the project is not here any more"))
    assert "Not known: the project is not here any more." in unknown.text
    assert "Where a test is worth most" not in Page(page_of(RESULT)).text


TEXTS = {
    "0" * 64: "def f(n):\n    return n\n",
    "1" * 64: "def f(n):\n    return 1\n",
    "2" * 64: "def f(n):\n    return 2\n",
}


def made(kind, digest, **more):
    where = {"file": "a.py", "function": "f", "origin": "model", "operator": "update", "sha256": digest * 64}
    return {"type": kind, **where, **more}


def rounds_of_a_model():
    yield made("program", "0")
    yield made("near", "2", origin="search", operator="swap", passed=1, failing=3, reason="t.py::x fails", at=0.5)
    yield made("attempt", "1", state="failed", left=2, failing=3, reason="assert 1 == 2", at=1.0)
    yield made("attempt", "2", origin="model", state="failed", left=1, failing=3, reason="assert 2 == 3", at=2.0)
    yield made("attempt", "3", state="passed", left=0, failing=3, reason="", at=3.0)
    yield made("attempt", "", state="unreadable", reason="no block", unkept="there is no text", at=4.0)


def test_each_round_is_compared_with_the_one_that_its_author_made_before():
    page = Page(page_of(RESULT, rounds_of_a_model(), read_text=lambda digest: TEXTS.get(digest, "")))
    told = page.text[page.text.index("What was made, round by round") :]
    assert "model 3 (" in told
    assert "2 model update f: failed, 2 of 3 failing tests left: assert 1 == 2 Against the program before:" in told
    assert told.count("Its text is not at hand") == 2
    assert "there is no text" in told
    assert [each for each in page.ids() if each.startswith("round-")] == [f"round-{n}" for n in range(1, 5)]


def test_of_many_rounds_those_of_others_and_the_nearest_are_shown():
    events = [made("near", "", sha256=f"{n:064x}", origin="search", passed=n % 7, failing=9) for n in range(100)]
    events.append(made("attempt", "5", state="failed", left=9, failing=9))
    shown = list_rounds(events, lambda digest: "", 12_000)
    assert (len(shown.shown), shown.left) == (MOST_OF_SEARCH + 1, 90)
    assert shown.shown[-1].round.made_by == "model"
    assert {each.round.left for each in shown.shown[:-1]} == {3}
    assert [(each.made_by, each.count) for each in shown.origins] == [("search", 100), ("model", 1)]


@pytest.mark.parametrize(("number", "letter"), [(0, "A"), (25, "Z"), (26, "AA"), (27, "AB"), (701, "ZZ"), (702, "AAA")])
def test_sets_of_tests_have_letters(number, letter):
    lines = tuple(SuspectLine(n, "x", 0.1, 1, 0, (f"t.py::{n}",)) for n in range(number + 1))
    assert list_suspect(SuspectSource("a.py", "f", 0, lines), "a").lines[-1].tests == letter


def test_shades_follow_the_number():
    assert [shade_of(share) for share in (0, 0.001, 0.2, 0.21, 0.99, 1, 7, -1)] == [0, 1, 1, 2, 5, 5, 5, 0]
    assert [shade_of(float(share)) for share in ("inf", "-inf", "nan")] == [5, 0, 0]


def test_a_large_run_with_details_is_within_its_bounds():
    lines = tuple(SuspectLine(n, "    x = 1  # " + "y" * 380, 0.5, 1, 1, (f"t.py::{n}",)) for n in range(200))
    mutants = tuple(
        MutantView(n % 200, 0, n % 200, 1, "a" * 400, "b" * 400, "o", "l" * 300, MutantState.KILLED, "t" * 300)
        for n in range(300)
    )
    text = tuple(line.text for line in lines)
    details = RunDetails(
        tuple(SuspectSource("a.py", f"f{n}", 1, lines) for n in range(5)),
        (PatchMutants("d" * 64, mutants, 0, text),),
    )
    page = page_of(RESULT, many_events(2000), details=details)
    assert len(page.encode()) <= MOST_BYTES
    Page(page)


def test_the_fewest_that_were_left_so_far_are_a_line_that_never_rises_again():
    events = [{"type": "near", "at": n, "passed": p, "failing": 4} for n, p in ((1, 1), (2, 3), (3, 2))]
    picture = draw_convergence([*events, {"type": "found", "at": 4}], 5.0)
    places, heights = zip(*picture.best, strict=True)
    assert list(places) == sorted(places)
    assert list(heights) == sorted(heights)
    assert (places[0], places[-1], len(set(heights))) == (0, WIDTH, 4)


def test_words_of_the_evidence_and_parts_of_the_risk_are_explained() -> None:
    shares = {"new_crash": 1.2, "vouching": -0.4, "outside.house": 0.1}
    risk = RiskView(0.269, 0.41, 341, 57, 0.02, shares, ("new_crash",), 64, 0.19)
    text = Page(page_of(replace(RESULT, patches=(replace(PATCH, risk=risk),)))).text
    assert "It asks: Do the tests notice small faults in what the patch wrote" in text
    assert "at most 19 of 100 rated like it were wrong, by 64 judged ones" in text
    assert "341 patches of 57 projects" in text
    first, second, third = (text.index(name) for name in ("new_crash", "vouching", "outside.house"))
    assert first < second < third
    assert "many passing tests run the function" in text[second:third]
    assert "set by hand" in text[first:second]


def test_a_gate_of_a_third_party_has_no_meaning_of_ours() -> None:
    patch = replace(PATCH, evidence=(EvidenceView("risk", "accept", "the house says yes"),))
    assert "It asks:" not in Page(page_of(replace(RESULT, patches=(patch,)))).text
