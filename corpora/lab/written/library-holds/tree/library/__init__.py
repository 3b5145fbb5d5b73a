from .desk import Desk, DeskError
from .models import Copy, Member, Status

__all__ = ["Copy", "Desk", "DeskError", "Member", "Status"]
