import pytest

from satchel.hero import Hero
from satchel.items import AXE, HELMET, POTION, SWORD


@pytest.fixture
def hero():
    h = Hero("Una", strength=8)
    h.bag.add(SWORD)
    h.bag.add(AXE)
    return h


def test_equip(hero):
    hero.equip(SWORD)
    assert hero.power == 15
    assert hero.bag.counts() == [("axe", 1)]


def test_swap(hero):
    hero.equip(SWORD)
    hero.equip(AXE)
    assert hero.worn == {"hand": AXE}
    assert hero.bag.counts() == [("sword", 1)]


def test_not_wearable(hero):
    hero.bag.add(POTION)
    with pytest.raises(ValueError):
        hero.equip(POTION)


def test_load(hero):
    hero.bag.add(HELMET)
    hero.equip(HELMET)
    assert hero.load == 17
    assert hero.overloaded
    hero.unequip("head")
    assert hero.load == 17
