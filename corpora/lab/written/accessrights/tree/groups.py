class Groups:
    """Users and groups; a group may be a member of other groups."""

    def __init__(self):
        self._member_of = {}

    def join(self, member, group):
        self._member_of.setdefault(member, []).append(group)

    def leave(self, member, group):
        self._member_of[member].remove(group)

    def all_of(self, member):
        """The member itself and every group it is in, directly or not; nearest first."""
        seen = [member]
        for name in seen:
            for group in self._member_of.get(name, ()):
                if group not in seen:
                    seen.append(group)
        return seen
