"""What a model reads: kept with its words, told apart, and worth nothing before a person agrees."""

import json
from dataclasses import replace

import pytest
from fakes.model_server import Fails, Says, model_server
from fakes.stating import write_project

from repair.cli import main
from repair.model.sentence_reader import END
from repair.records.specified import FactView
from repair.store.store import open_store
from repair.survey.specified.fact_store import FactStore

CODE = '''def fee(days):
    """Charge for a loan."""
    return days * 3
'''
PAGE = "# Fees\n\n- REQ-1: The fee for 3 days shall be 6.\n- REQ-2: The fee for zero days shall be 0.\n"
QUOTES = PAGE.splitlines()[2:]
KEY = "sk-canary-59f2a7"


def line(number=1, value="6", when="days is 3", **more):
    told = {"number": number, "quote": QUOTES[number - 1], "subject": "shop.py:fee", "predicate": "returns"}
    return json.dumps({**told, "value": value, "when": when, **more})


GOOD = f"{line()}\n{line(2, '0', 'days is 0')}\n{END}"


@pytest.fixture
def shop(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("REPAIR_API_KEY", KEY)
    monkeypatch.chdir(write_project(tmp_path / "shop", {"shop.py": CODE, "req.md": PAGE}))
    return tmp_path / "shop"


def scan(capsys, *args):
    capsys.readouterr()
    code = main(["spec", "scan", "--json", "--no-progress", *args])
    told = capsys.readouterr()
    assert KEY not in told.out + told.err
    return json.loads(told.out) if code in (0, 1) else told.err


def asked(capsys, *steps, more=()):
    with model_server(*steps) as server:
        report = scan(capsys, "--model", "m", "--base-url", server.url, *more)
    return report, server


def read(report):
    return [(f["requirement"], f["value"], f["certainty"]) for f in report["facts"] if f["extractor"] == "model"]


def test_a_reading_is_kept_while_its_words_stand(shop, capsys, tmp_path):
    report, server = asked(capsys, Says(GOOD))
    assert read(report) == [("REQ-1", "6", "model"), ("REQ-2", "0", "model")]
    assert [each.key for each in server.asked] == [KEY]
    assert (report["by_model"]["sentences"], report["by_model"]["asked"], report["by_model"]["facts"]) == (2, 2, 2)
    (shop / "req.md").write_text("# Fees\n\nNew.\n\n" + PAGE.split("\n\n")[1].replace("3 days", "4 days"))
    later = scan(capsys)
    assert read(later) == [("REQ-2", "0", "model")]
    assert later["by_model"] is None
    assert "6" in [fact["value"] for fact in later["gone"]]
    kept = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    assert not any(KEY.encode() in content for content in kept)


def test_without_the_option_nobody_is_asked(shop, capsys, monkeypatch):
    with model_server(Says(GOOD)) as server:
        monkeypatch.setenv("REPAIR_MODEL", "m")
        monkeypatch.setenv("REPAIR_BASE_URL", server.url)
        assert read(scan(capsys)) == []
    assert server.asked == []


def test_what_was_read_is_not_asked_again(shop, capsys):
    asked(capsys, Says(f"{line()}\n{END}"))
    report, server = asked(capsys, Says(f"{line(1, '0', 'days is 0', quote=QUOTES[1])}\n{END}"))
    assert "REQ-1" not in server.asked[0].text
    assert len(read(report)) == 2


def test_only_sentences_of_what_is_named_are_shown(shop, capsys):
    (shop / "other.md").write_text("- REQ-9: The fee for 9 days shall be 1.\n")
    _, server = asked(capsys, Says(GOOD), more=["req.md"])
    assert "REQ-9" not in server.asked[0].text


def test_a_person_makes_it_a_fact_or_puts_it_away(shop, capsys):
    report, _ = asked(capsys, Says(GOOD))
    first, second = [f["id"] for f in report["facts"] if f["extractor"] == "model"]
    later = scan(capsys, "--accept", first, "--dispute", second, "days begin at 1")
    assert read(later) == [("REQ-1", "6", "person")]
    again, _ = asked(capsys, Says(f"{line(1, '0', 'days is 0', quote=QUOTES[1])}\n{END}"))
    assert read(again) == [("REQ-1", "6", "person")]
    assert "There is no fact 'F-1' of a model" in scan(capsys, "--accept", "F-1")


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (line(quote=QUOTES[1]), "the quote does not stand there"),
        (line(quote="The fee for 3 days shall be 6"), ""),
        (line(quote="3 days shall be 6"), "the quote is a part of a sentence"),
        (line(value="7"), "the quote does not say the value"),
        (line(value="__import__('os')"), "the quote does not say the value"),
        (line(when="days is 4"), "the condition is not understood, or is left out"),
        (line(predicate="proves"), "no predicate of that name"),
        (line(subject="shop.py:gone"), "no such function, or another one is named"),
        (line(part="weeks"), "no such parameter"),
        ("Here are the facts:", "the line is of another form"),
        (f"{line()}\n{line()}", "the sentence was read before"),
    ],
)
def test_what_is_refused_is_counted(shop, capsys, answer, why):
    report, _ = asked(capsys, Says(f"{answer}\n{END}"))
    assert [(each["why"], each["count"]) for each in report["by_model"]["refused"]] == ([(why, 1)] if why else [])
    assert len(read(report)) == (not why or why == "the sentence was read before")


@pytest.mark.parametrize(
    ("step", "said"), [(Says(line()), "its last line is not"), (Fails(401), "the model read nothing")]
)
def test_an_answer_of_no_use_leaves_all_else(shop, capsys, step, said):
    report, _ = asked(capsys, step)
    assert said in report["by_model"]["problems"][0]
    assert read(report) == []
    assert report["facts"]


def test_an_answer_that_is_cut_adds_nothing(shop, capsys):
    whole = GOOD.encode()
    cut = [Says(whole[:end].decode()) for end in (0, 1, len(whole) // 2, len(whole) - len(END), len(whole) - 1)]
    with model_server(*cut) as server:
        for _ in cut:
            report = scan(capsys, "--model", "m", "--base-url", server.url)
            assert read(report) == []
            assert report["by_model"]["problems"]


def test_what_calls_were_seen_to_come_to_stays_while_its_function_does(shop, capsys):
    records = open_store(str(shop), "")
    store = FactStore(records.directory, records.seals)
    seen = FactView(
        "F-1", "shop.py:fee", "seen", "days", "", "int", "shop.py", 1, 1, "2 calls", "abc", "seen", "parsed"
    )
    gone = replace(seen, id="F-2", subject="shop.py:old")
    store.keep([seen, gone])
    (shop / "shop.py").write_text(f"RATE = 3\n\n\n{CODE}")
    report = scan(capsys)
    assert [(fact["id"], fact["line"]) for fact in report["facts"] if fact["extractor"] == "seen"] == [("F-1", 4)]
    assert [fact["id"] for fact in report["gone"]] == ["F-2"]
