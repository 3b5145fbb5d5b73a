"""Buttons and what they do."""


class Panel:
    """Named actions that note what was pressed."""

    def __init__(self):
        self.pressed = []
        self._actions = {}

    def bind(self, name, action):
        self._actions[name] = action

    def press(self, name, times=1):
        for _ in range(times):
            self._actions[name]()

    def __contains__(self, name):
        return name in self._actions


def keypad(panel, keys):
    """A button for each key; it notes the key's place and name. ``clear`` forgets all."""
    for place, key in enumerate(keys):

        def action(place=place, key=key):
            panel.pressed.append((place, key))

        panel.bind(key, action)
    panel.bind("clear", panel.pressed.clear)
    return panel


def typed(panel):
    return "".join(key for _, key in panel.pressed)
