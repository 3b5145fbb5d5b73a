from .model import PermissionDenied, Role, UnknownRole, User
from .patterns import matches
from .policy import Policy

__all__ = ["PermissionDenied", "Policy", "Role", "UnknownRole", "User", "matches"]
