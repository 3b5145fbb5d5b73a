class Context:
    """Variables of one rendering: a stack of scopes, innermost last.

    scopes[0] holds the caller's data and what {% set %} assigns.
    """

    def __init__(self, data):
        self.scopes = [dict(data)]

    def push(self, **names):
        self.scopes.append(names)

    def pop(self):
        return self.scopes.pop()

    def __contains__(self, name):
        return any(name in scope for scope in self.scopes)

    def get(self, name, default=None):
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        return default

    def assign(self, name, value):
        """Set a variable in the innermost scope."""
        self.scopes[-1][name] = value

    def assign_global(self, name, value):
        self.scopes[0][name] = value

    def lookup(self, path):
        """Resolve "a.b.c" through attributes, keys and list positions.

        What does not exist is the empty string.
        """
        first, *rest = path.split(".")
        if first not in self:
            return ""
        value = self.get(first)
        for part in rest:
            if isinstance(value, dict):
                value = value.get(part, "")
            elif isinstance(value, (list, tuple)) and part.isdigit():
                value = value[int(part)] if int(part) < len(value) else ""
            else:
                value = getattr(value, part, "")
        return value
