import time

COLORS = ("white", "black")


class ClockError(Exception):
    pass


def other(color):
    return "black" if color == "white" else "white"


class ChessClock:
    """A digital chess clock for two players.

    ``now`` is a function that returns the seconds of a monotonic clock.
    ``active`` is the color whose time is running, or None.  A player whose
    time reaches zero has lost on time; ``flagged`` is that player's color.
    """

    def __init__(self, control, now=time.monotonic):
        self.control = control
        self._now = now
        self.remaining = {color: float(control.base) for color in COLORS}
        self.moves = {color: 0 for color in COLORS}
        self.active = None
        self.flagged = None
        self._started = None
        self._carried = 0.0   # used in this move before a pause
        self._paused = False

    # -- running ----------------------------------------------------------

    def start(self, color="white"):
        if self.active is not None:
            raise ClockError("clock has been started already")
        self._require_game()
        self._run(color)

    def press(self, color):
        """``color`` has moved and presses the clock.

        The time used is charged first.  If that exhausts the player's time,
        the player is flagged (see ``_flag``) and the move does not count any
        more.  Otherwise the move is counted, the player gets the bonus of the
        time control and the opponent's clock runs.

        Returns the seconds the player has left.
        """
        self._require_game()
        if self.active is None or self._paused:
            raise ClockError("clock is not running")
        if color != self.active:
            raise ClockError(f"it is not {color}'s move")
        elapsed = self._elapsed()
        self.remaining[color] -= self.control.cost(elapsed)
        if self.remaining[color] <= 0:
            self._flag(color)
            return 0.0
        self.moves[color] += 1
        self.remaining[color] += self.control.bonus(elapsed)
        self.remaining[color] += self.control.stage_bonus(self.moves[color])
        self._run(other(color))
        return self.remaining[color]

    def pause(self):
        self._require_game()
        if self.active is None or self._paused:
            raise ClockError("clock is not running")
        self._carried = self._elapsed()
        self._paused = True

    def resume(self):
        if not self._paused:
            raise ClockError("clock is not paused")
        self._paused = False
        self._started = self._now()

    # -- reading ----------------------------------------------------------

    def time_left(self, color):
        """Seconds on the display of ``color`` at this moment, never negative."""
        left = self.remaining[color]
        if color == self.active:
            left -= self.control.cost(self._elapsed())
        return max(0.0, left)

    def check_flag(self):
        """Flag the running player if the time is up; the flagged color or None."""
        if self.active is not None and self.time_left(self.active) <= 0:
            self._flag(self.active)
        return self.flagged

    def display(self):
        parts = []
        for color in COLORS:
            minutes, seconds = divmod(int(self.time_left(color)), 60)
            parts.append(f"{minutes}:{seconds:02d}")
        return " | ".join(parts)

    # -- internals --------------------------------------------------------

    def _elapsed(self):
        if self._paused:
            return self._carried
        return self._carried + self._now() - self._started

    def _run(self, color):
        self.active = color
        self._carried = 0.0
        self._started = self._now()

    def _flag(self, color):
        """The time of ``color`` is up: display 0 and stop both clocks."""
        self.remaining[color] = 0.0
        self.flagged = color
        self.active = None

    def _require_game(self):
        if self.flagged is not None:
            raise ClockError(f"{self.flagged} has lost on time")
