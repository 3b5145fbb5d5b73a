class RoleTree:
    """Roles may include other roles: an admin is an editor is a reader."""

    def __init__(self):
        self._includes = {}

    def define(self, role, *includes):
        self._includes[role] = tuple(includes)

    def expand(self, roles):
        """All roles that come with the given ones."""
        seen = set()
        todo = list(roles)
        while todo:
            role = todo.pop()
            if role not in seen:
                seen.add(role)
                todo.extend(self._includes.get(role, ()))
        return seen
