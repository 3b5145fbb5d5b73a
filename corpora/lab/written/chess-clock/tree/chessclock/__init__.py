from .clock import ChessClock, ClockError
from .control import Mode, TimeControl
from .match import Match

__all__ = ["ChessClock", "ClockError", "Match", "Mode", "TimeControl"]
