"""Turn what the player types into calls of the game."""

from .game import GameError

SYNONYMS = {"walk": "go", "get": "take", "hit": "attack", "run": "flee"}
FILLERS = {"the", "with", "a", "to"}


def parse(line):
    """Split a line into verb and object, without filler words."""
    words = [w for w in line.lower().split() if w not in FILLERS]
    if not words:
        raise GameError("say something")
    verb = SYNONYMS.get(words[0], words[0])
    return verb, " ".join(words[1:])


def run(game, line):
    """Run one line; returns the text to show."""
    try:
        verb, what = parse(line)
        if verb not in ("go", "take", "attack", "drink", "flee"):
            return f"I do not know how to {verb}."
        getattr(game, verb)(what)
    except GameError as error:
        return f"{error}."
    return f"[{game.room.name}] hp {game.hp}, {game.state.name.lower()}"
