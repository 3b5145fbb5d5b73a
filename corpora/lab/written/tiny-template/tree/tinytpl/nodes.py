from html import escape


class TemplateError(Exception):
    pass


FILTERS = {
    "upper": lambda v: str(v).upper(),
    "title": lambda v: str(v).title(),
    "length": len,
    "escape": lambda v: escape(str(v)),
}


class Text:
    def __init__(self, text):
        self.text = text

    def render(self, ctx):
        yield self.text


class Output:
    """{{ path|filter|filter }}"""

    def __init__(self, expr):
        self.path, *self.filters = [p.strip() for p in expr.split("|")]

    def render(self, ctx):
        value = ctx.lookup(self.path)
        for name in self.filters:
            if name not in FILTERS:
                raise TemplateError(f"unknown filter {name!r}")
            value = FILTERS[name](value)
        yield str(value)


class Set:
    """{% set name = path %} assigns for the rest of the template, also when
    it stands inside of a loop."""

    def __init__(self, name, path):
        self.name, self.path = name, path

    def render(self, ctx):
        ctx.assign_global(self.name, ctx.lookup(self.path))
        yield ""


class If:
    def __init__(self, path, negate, body, otherwise):
        self.path, self.negate = path, negate
        self.body, self.otherwise = body, otherwise

    def render(self, ctx):
        truth = bool(ctx.lookup(self.path)) != self.negate
        yield from render_all(self.body if truth else self.otherwise, ctx)


class For:
    """{% for a in path %} or {% for a, b in path %}, with {% else %}."""

    def __init__(self, names, path, body, otherwise):
        self.names, self.path = names, path
        self.body, self.otherwise = body, otherwise

    def render(self, ctx):
        """Render the body once per item, or the else part if there is none.

        The loop variables and `loop` (index from 1, first, last) exist in
        the body only.  After the loop, variables of these names have the
        value they had before, or do not exist if they did not.
        """
        items = list(ctx.lookup(self.path) or ())
        if not items:
            yield from render_all(self.otherwise, ctx)
            return
        for index, item in enumerate(items, 1):
            values = [item] if len(self.names) == 1 else list(item)
            if len(values) != len(self.names):
                raise TemplateError(f"cannot unpack {item!r}")
            for name, value in zip(self.names, values):
                ctx.assign(name, value)
            ctx.assign("loop", {"index": index, "first": index == 1, "last": index == len(items)})
            yield from render_all(self.body, ctx)


def render_all(nodes, ctx):
    for node in nodes:
        yield from node.render(ctx)
