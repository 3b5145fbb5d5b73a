import pytest

from adventure.game import Game, GameError
from adventure.model import Armour, Item, Monster, Potion, Room, State, Weapon


def make(monster=None, weapon=None, hp=20, extra=()):
    rooms = [
        Room("hall", {"north": "cave"}, items=[Potion("tea", 4)]),
        Room("cave", {"south": "hall", "east": "garden"}, monster=monster),
        Room("garden", {"west": "cave"}, is_goal=True),
    ]
    game = Game(rooms, "hall", hp=hp)
    game.inventory.extend(extra)
    if weapon:
        game.inventory.append(weapon)
    return game


def troll():
    return Monster("troll", hp=8, damage=5, loot=(Item("gold"),))


def test_go_and_come_back():
    game = make()
    game.go("north")
    assert game.room.name == "cave"
    game.go("south")
    assert game.room.name == "hall"


def test_no_exit():
    with pytest.raises(GameError):
        make().go("up")


def test_take():
    game = make()
    game.take("tea")
    assert [i.name for i in game.inventory] == ["tea"]
    assert game.room.items == []


def test_take_missing():
    with pytest.raises(GameError):
        make().take("sofa")


def test_win():
    game = make()
    game.go("north")
    game.go("east")
    assert game.state is State.WON


def test_monster_starts_fight():
    game = make(troll())
    game.go("north")
    assert game.state is State.FIGHTING
    with pytest.raises(GameError):
        game.go("east")


def test_living_monster_hits_back():
    game = make(troll(), Weapon("sword", 4))
    game.go("north")
    game.attack("sword")
    assert game.room.monster.hp == 4
    assert game.hp == 15
    assert game.state is State.FIGHTING


def test_dead_monster_does_not_hit_back():
    game = make(troll(), Weapon("sword", 4))
    game.go("north")
    game.attack("sword")
    game.attack("sword")
    assert game.hp == 15
    assert game.state is State.EXPLORING


def test_killing_leaves_loot_and_score():
    game = make(troll(), Weapon("axe", 30))
    game.go("north")
    game.attack("axe")
    assert game.room.monster is None
    assert [i.name for i in game.room.items] == ["gold"]
    assert game.score == 10
    game.take("gold")


def test_armour_helps():
    game = make(troll(), Weapon("sword", 2), extra=[Armour("shield", 3)])
    game.go("north")
    game.attack("sword")
    assert game.hp == 18


def test_player_dies():
    game = make(troll(), Weapon("stick", 1), hp=5)
    game.go("north")
    game.attack("stick")
    assert game.state is State.DEAD
    with pytest.raises(GameError):
        game.attack("stick")


def test_weapon_breaks():
    game = make(Monster("ogre", 100, 1), Weapon("stick", 1, uses=2))
    game.go("north")
    game.attack("stick")
    game.attack("stick")
    assert game.inventory == []
    with pytest.raises(GameError):
        game.attack("stick")


def test_attack_needs_weapon():
    game = make(troll(), extra=[Potion("tea")])
    game.go("north")
    with pytest.raises(GameError):
        game.attack("tea")
    assert game.hp == 20


def test_attack_needs_fight():
    with pytest.raises(GameError):
        make(None, Weapon("sword", 4)).attack("sword")


def test_flee():
    game = make(troll())
    game.go("north")
    game.flee("south")
    assert game.room.name == "hall"
    assert game.hp == 15


def test_drink_is_limited():
    game = make(hp=10)
    game.take("tea")
    game.hp = 8
    game.drink("tea")
    assert game.hp == 10
