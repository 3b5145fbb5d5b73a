from folders import Folder
from groups import Groups

RIGHTS = ("read", "write", "delete")


class AccessDenied(Exception):
    pass


class Access:
    def __init__(self, groups: Groups):
        self.groups = groups

    def is_allowed(self, user: str, right: str, folder: Folder) -> bool:
        """Whether the user has the right in the folder.

        The rules of a folder for the user and all of the user's groups count
        alike; in one folder a denial beats any permission. A folder without
        any rule that fits takes the answer of its parent, unless it does not
        inherit. Without an answer the right is not given.
        """
        if right not in RIGHTS:
            raise ValueError(f"unknown right {right!r}")
        names = self.groups.all_of(user)
        node = folder
        while node is not None:
            for name in names:
                if (name, right) in node.rules:
                    return node.rules[name, right]
            node = node.parent if node.inherit else None
        return False

    def require(self, user: str, right: str, folder: Folder) -> None:
        if not self.is_allowed(user, right, folder):
            raise AccessDenied(f"{user} may not {right} {folder.path}")

    def rights(self, user: str, folder: Folder) -> list[str]:
        return [right for right in RIGHTS if self.is_allowed(user, right, folder)]
