import pytest

from adventure.commands import run
from adventure.game import Game, GameError
from adventure.model import Armour, Item, Monster, Room, State, Weapon


def fight(monster, *items, hp=20):
    game = Game([Room("hall", {"n": "cave"}), Room("cave", {"s": "hall"}, monster=monster)], "hall", hp=hp)
    game.inventory.extend(items)
    game.events = []
    game.listen(lambda *e: game.events.append(e))
    game.go("n")
    return game


@pytest.mark.parametrize("damage", [8, 9, 10, 50])
def test_one_blow(damage):
    game = fight(Monster("m", 8, 5), Weapon("w", damage))
    game.attack("w")
    assert game.hp == 20
    assert game.state is State.EXPLORING
    assert game.room.monster is None


@pytest.mark.parametrize("damage, blows", [(1, 8), (2, 4), (3, 3), (5, 2), (7, 2)])
def test_struck_once_less_than_blows(damage, blows):
    game = fight(Monster("m", 8, 1), Weapon("w", damage))
    for _ in range(blows):
        assert game.state is State.FIGHTING
        game.attack("w")
    assert game.state is State.EXPLORING
    assert game.hp == 20 - (blows - 1)


def test_weak_but_living_monster_hits_back():
    game = fight(Monster("m", 11, 5), Weapon("w", 10))
    game.attack("w")
    assert game.hp == 15
    assert game.room.monster.hp == 1


def test_killing_blow_saves_weak_player():
    game = fight(Monster("m", 3, 50), Weapon("w", 4), hp=1)
    game.attack("w")
    assert game.hp == 1
    assert game.state is State.EXPLORING
    assert ("died",) not in game.events


def test_no_struck_event_after_kill():
    game = fight(Monster("m", 3, 2), Weapon("w", 3))
    game.attack("w")
    assert game.events == [("entered", "cave"), ("hit", "m", 3), ("killed", "m")]


def test_struck_event_while_alive():
    game = fight(Monster("m", 30, 2), Weapon("w", 3))
    game.attack("w")
    assert game.events[1:] == [("hit", "m", 3), ("struck", 2)]


def test_armour_and_kill():
    game = fight(Monster("m", 3, 5), Weapon("w", 3), Armour("a", 2))
    game.attack("w")
    assert game.hp == 20


def test_full_armour_and_kill():
    game = fight(Monster("m", 3, 5), Weapon("w", 3), Armour("a", 9))
    game.attack("w")
    assert game.hp == 20


def test_killing_blow_wears_weapon():
    weapon = Weapon("w", 9, uses=3)
    game = fight(Monster("m", 5, 1), weapon)
    game.attack("w")
    assert weapon.uses == 2
    assert weapon in game.inventory


def test_weapon_breaks_with_killing_blow():
    game = fight(Monster("m", 5, 1), Weapon("w", 9, uses=1))
    game.attack("w")
    assert game.inventory == []
    assert ("broke", "w") in game.events
    assert ("killed", "m") in game.events
    assert game.state is State.EXPLORING


def test_each_blow_wears_once():
    weapon = Weapon("w", 2, uses=9)
    game = fight(Monster("m", 5, 1), weapon)
    for _ in range(3):
        game.attack("w")
    assert weapon.uses == 6


def test_loot_once_and_score():
    game = fight(Monster("m", 5, 1, (Item("a"), Item("b"))), Weapon("w", 5))
    game.attack("w")
    assert [i.name for i in game.room.items] == ["a", "b"]
    assert game.score == 10
    with pytest.raises(GameError):
        game.attack("w")
    assert game.score == 10


def test_player_dies_and_monster_stays():
    game = fight(Monster("m", 50, 9), Weapon("w", 5), hp=9)
    game.attack("w")
    assert game.state is State.DEAD
    assert game.room.monster.hp == 45
    assert game.score == 0


def test_monster_strength_is_not_changed():
    monster = Monster("m", 5, 4)
    game = fight(monster, Weapon("w", 5))
    game.attack("w")
    assert monster.damage == 4


def test_failed_attack_costs_nothing():
    game = fight(Monster("m", 5, 4), Item("spoon"))
    for name in ("spoon", "nothing"):
        with pytest.raises(GameError):
            game.attack(name)
    assert game.hp == 20 and game.room.monster.hp == 5


def test_after_kill_player_can_leave():
    game = fight(Monster("m", 5, 4), Weapon("w", 6))
    assert run(game, "hit with w") == "[cave] hp 20, exploring"
    assert run(game, "go s") == "[hall] hp 20, exploring"


def test_flee_still_costs_a_blow():
    game = fight(Monster("m", 5, 4), Weapon("w", 1))
    game.attack("w")
    game.flee("s")
    assert game.hp == 12
