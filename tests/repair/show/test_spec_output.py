"""What people and programs read of facts."""

import json
import tomllib

import pytest

from analysis.errors import UsageError
from repair.records.config import Options
from repair.records.specified import FactsReport, FactView, UnreadSource
from repair.show.output import schema_named
from repair.show.spec_output import facts_toml, refuse_format, write_facts

WORDS = 'Returns "0" \x1b[31m'
FACT = FactView(
    *("F-1", "shop.py:total", "returns", "", "prices is empty", "0", "shop.py", 2, 2, WORDS, "abc", "docstring"),
    "parsed",
    sure=False,
)
REPORT = FactsReport("/shop", (FACT,), ("F-1",), (FACT,), (UnreadSource("a.md", 3, "it is no UTF-8"),), files=2)


def shown(capsys, report=REPORT, **options):
    write_facts(report, Options(root="/shop", **options))
    return capsys.readouterr().out


def test_facts_for_people(capsys):
    assert shown(capsys).splitlines() == [
        "1 fact in 2 files: 1 docstring",
        "shop.py",
        "     2  total returns 0 when prices is empty (likely)",
        "gone since the last scan: 1 fact",
        "  shop.py:2 total returns 0 when prices is empty (likely)",
        "new since the last scan: 1 fact",
        "not read: a.md:3: it is no UTF-8",
        "0.0 s; none of the project's code ran",
    ]


def test_no_control_character_reaches_a_terminal(capsys):
    assert "\x1b" not in shown(capsys, verbosity=2)


def test_json_is_read_again_and_has_a_schema(capsys):
    values = json.loads(shown(capsys, output_format="json"))
    assert FactsReport.from_json(values) == REPORT
    assert schema_named("facts")["$id"] == values["schema"] == "repair.facts/1"


def test_toml_is_read_again():
    (fact,) = tomllib.loads(facts_toml(REPORT, "# first"))["facts"]
    assert fact["quote"] == FACT.quote
    assert fact["sure"] is False


def test_other_formats_are_refused():
    with pytest.raises(UsageError, match="sarif"):
        refuse_format("sarif")
