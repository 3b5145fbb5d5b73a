"""The state machine of the game."""

from .model import Armour, Potion, State, Weapon

KILL_SCORE = 10


class GameError(Exception):
    """The player wants something that is not possible now."""


class Game:
    """A running game.

    Listeners are called with the name of an event and its details:
    entered, took, hit, struck (with the damage that came through the
    armour), killed, broke, died, won.
    """

    def __init__(self, rooms, start, hp=20):
        self.rooms = {room.name: room for room in rooms}
        self.room = self.rooms[start]
        self.max_hp = hp
        self.hp = hp
        self.score = 0
        self.inventory = []
        self.state = State.EXPLORING
        self._listeners = []

    def listen(self, callback):
        self._listeners.append(callback)

    def _fire(self, event, *details):
        for callback in self._listeners:
            callback(event, *details)

    # -- helpers -----------------------------------------------------------

    def _require(self, *states):
        if self.state not in states:
            raise GameError(f"not possible while {self.state.name.lower()}")

    def _require_fight(self):
        self._require(State.FIGHTING)
        return self.room.monster

    def _find(self, name):
        for item in self.inventory:
            if item.name == name:
                return item
        raise GameError(f"you have no {name}")

    def _require_weapon(self, name):
        item = self._find(name)
        if not isinstance(item, Weapon):
            raise GameError(f"{name} is not a weapon")
        return item

    @property
    def armour(self):
        return sum(i.value for i in self.inventory if isinstance(i, Armour))

    def _suffer(self, damage):
        """The player gets hit; armour takes off its value."""
        damage = max(0, damage - self.armour)
        self.hp -= damage
        self._fire("struck", damage)
        if self.hp <= 0:
            self.state = State.DEAD
            self._fire("died")

    def _end_fight(self, monster):
        self.room.monster = None
        self.room.items.extend(monster.loot)
        self.score += KILL_SCORE
        self.state = State.EXPLORING
        self._fire("killed", monster.name)

    def _wear(self, weapon):
        if weapon.uses is None:
            return
        weapon.uses -= 1
        if weapon.uses == 0:
            self.inventory.remove(weapon)
            self._fire("broke", weapon.name)

    # -- commands ----------------------------------------------------------

    def go(self, direction):
        """Walk through an exit. A monster in the new room starts a fight."""
        self._require(State.EXPLORING)
        try:
            target = self.room.exits[direction]
        except KeyError:
            raise GameError(f"no way {direction}") from None
        self.room = self.rooms[target]
        self._fire("entered", target)
        if self.room.monster is not None:
            self.state = State.FIGHTING
        elif self.room.is_goal:
            self.state = State.WON
            self._fire("won")

    def take(self, name):
        self._require(State.EXPLORING)
        for item in self.room.items:
            if item.name == name:
                self.room.items.remove(item)
                self.inventory.append(item)
                self._fire("took", name)
                return item
        raise GameError(f"there is no {name} here")

    def attack(self, weapon_name):
        """One round of fighting against the monster in this room.

        The player's weapon hits first, and every hit wears the weapon (after
        its last use it breaks and is gone). A monster without hit points left
        is dead: the fight is over, and its loot lies in the room. A monster
        that is still alive hits back.
        """
        monster = self._require_fight()
        weapon = self._require_weapon(weapon_name)
        monster.hp -= weapon.damage
        self._fire("hit", monster.name, weapon.damage)
        self._suffer(monster.damage)
        if monster.hp <= 0:
            self._end_fight(monster)
        self._wear(weapon)

    def drink(self, name):
        """Drink a potion, also in a fight (the monster waits politely)."""
        self._require(State.EXPLORING, State.FIGHTING)
        item = self._find(name)
        if not isinstance(item, Potion):
            raise GameError(f"you cannot drink {name}")
        self.inventory.remove(item)
        self.hp = min(self.max_hp, self.hp + item.strength)

    def flee(self, direction):
        """Run out of a fight; costs a blow of the monster."""
        monster = self._require_fight()
        if direction not in self.room.exits:
            raise GameError(f"no way {direction}")
        self._suffer(monster.damage)
        if self.state is State.FIGHTING:
            self.state = State.EXPLORING
            self.go(direction)
