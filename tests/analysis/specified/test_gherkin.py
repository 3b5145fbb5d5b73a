"""Feature files."""

from analysis.specified.gherkin import read_feature

OUTLINE = """@REQ-1
Feature: Birds
  Background:
    Given a bird

  @REQ-2 @slow
  Scenario Outline: Songs
    When it sings <n> times
    And rests
    Then <m> hear it
    Examples:
      | n | m |
      | 1 | 2 |
      | 3 | 4 |
"""


def test_an_outline_has_rows_and_the_background_comes_first():
    (scenario,), problems = read_feature(OUTLINE)
    assert problems == ()
    assert [step.word for step in scenario.steps] == ["Given", "When", "When", "Then"]
    assert scenario.rows == ({"n": "1", "m": "2"}, {"n": "3", "m": "4"})
    assert scenario.requirement == "REQ-2"
    assert (scenario.line, scenario.end_line) == (7, 14)


def test_what_cannot_be_read_is_told_with_its_line():
    _, problems = read_feature(
        "Then it sings\nFeature: A\nScenario: B\n  When x\n  | a |\n  Examples:\n    | n |\n    | 1 | 2 |\n"
    )
    assert [(each.line, each.why.split(" ")[0]) for each in problems] == [(1, "'Then"), (8, "A")]


def test_another_language_is_told():
    scenarios, (problem,) = read_feature("# language: de\nFunktion: A\n")
    assert scenarios == ()
    assert "'de'" in problem.why


def test_a_text_in_quotes_that_does_not_end_is_told():
    _, problems = read_feature('Feature: A\nScenario: B\n  Given\n  """\n  text\n')
    assert "does not end" in problems[-1].why


def test_a_rule_has_a_background_of_its_own():
    rules = "Rule: B\nBackground:\nGiven b\nScenario: C\nGiven c\nRule: D\nScenario: E\nGiven e\n"
    scenarios, _ = read_feature(f"Feature: A\nBackground:\nGiven a\n{rules}")
    assert [[step.text for step in each.steps] for each in scenarios] == [["a", "b", "c"], ["a", "e"]]


def test_escapes_in_cells():
    (scenario,), _ = read_feature("Feature: A\nScenario: B\nExamples:\n| x | y |\n| 1 \\| 2 | a\\\\ |\n| | \\n |\n")
    assert scenario.rows == ({"x": "1 | 2", "y": "a\\"}, {"x": "", "y": "\n"})
