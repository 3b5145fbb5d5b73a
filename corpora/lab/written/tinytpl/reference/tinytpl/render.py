from .filters import FILTERS
from .parser import TemplateError, parse

MISSING = object()


def lookup(context, path):
    """Value of a dotted path: dict keys, list indices or attributes.

    Unknown names give an empty string.
    """
    value = context
    for part in path.split("."):
        if isinstance(value, dict):
            value = value.get(part, MISSING)
        elif isinstance(value, (list, tuple)) and part.isdigit():
            index = int(part)
            value = value[index] if index < len(value) else MISSING
        else:
            value = getattr(value, part, MISSING)
        if value is MISSING:
            return ""
    return value


def render_for(node, context):
    """Render a for loop.

    Inside the loop the loop variable hides anything of the same name in the
    context; `loop` has the number of the round (from 1) and if it is the last.
    """
    _, name, path, body = node
    items = list(lookup(context, path))
    inner = dict(context)
    out = []
    for number, item in enumerate(items, 1):
        inner[name] = item
        inner["loop"] = {"number": number, "last": number == len(items)}
        out.append(render_nodes(body, inner))
    return "".join(out)


def render_nodes(nodes, context):
    out = []
    for node in nodes:
        kind = node[0]
        if kind == "text":
            out.append(node[1])
        elif kind == "var":
            value = lookup(context, node[1])
            for name in node[2]:
                if name not in FILTERS:
                    raise TemplateError(f"unknown filter {name}")
                value = FILTERS[name](value)
            out.append("" if value is None else str(value))
        elif kind == "if":
            _, path, negated, yes, no = node
            chosen = yes if bool(lookup(context, path)) != negated else no
            out.append(render_nodes(chosen, context))
        else:
            out.append(render_for(node, context))
    return "".join(out)


def render(source, context=None):
    """Render a template.

    >>> render("Hello {{ user.name | upper }}!", {"user": {"name": "Ann"}})
    'Hello ANN!'
    """
    return render_nodes(parse(source), dict(context or {}))
