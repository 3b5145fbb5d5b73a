from adventure.commands import parse, run
from adventure.game import Game
from adventure.model import Room


def test_parse_synonyms():
    assert parse("Hit the troll") == ("attack", "troll")
    assert parse("walk to north") == ("go", "north")


def test_run_reports_errors():
    game = Game([Room("hall")], "hall")
    assert run(game, "go north") == "no way north."
    assert run(game, "dance") == "I do not know how to dance."


def test_run_ok():
    game = Game([Room("hall", {"up": "loft"}), Room("loft")], "hall")
    assert run(game, "go up") == "[loft] hp 20, exploring"
