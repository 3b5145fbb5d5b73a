"""Where a rule of a SARIF log leads to."""

from repair.records.result import Result, Status
from repair.show import sarif


def test_a_rule_has_the_address_of_its_word_once_the_documentation_has_one(monkeypatch):
    assert sarif.address_of("plausible", "https://docs.example.org/repair/") == (
        "https://docs.example.org/repair/words.md#status-plausible"
    )
    for placeholder in ("https://repair-engine.example/docs/", "", "file:///docs", "nonsense"):
        assert sarif.address_of("plausible", placeholder) == ""
    assert sarif.documentation().endswith("/docs/"), "as the metadata name it"
    log = sarif.sarif(Result(Status.UNREPAIRED))
    assert "helpUri" not in str(log), "no link leads nowhere"
    monkeypatch.setattr(sarif, "documentation", lambda: "https://docs.example.org")
    assert sarif.make_log({}, {"repair/plausible": "x"}, [], [], 0)["runs"][0]["tool"]["driver"]["rules"][0][
        "helpUri"
    ] == ("https://docs.example.org/words.md#status-plausible")
