from .building import Building
from .lift import DOWN, IDLE, UP, Lift

__all__ = ["Building", "DOWN", "IDLE", "Lift", "UP"]
