import re

from .errors import TemplateError
from .filters import FILTERS
from .scope import lookup

TAG = re.compile(r"(\{\{.*?\}\}|\{%.*?%\})")


def expand(expr, context):
    """The text for ``{{ expr }}``. Missing values and None give no text."""
    path, *filters = [part.strip() for part in expr.split("|")]
    value = lookup(path, context)
    for name in filters:
        if name not in FILTERS:
            raise TemplateError(f"unknown filter {name!r}")
        if value is not None:
            value = FILTERS[name](value)
    return str(value or "")


def truth(expr, context):
    words = expr.split()
    if words[:1] == ["not"]:
        return not truth(" ".join(words[1:]), context)
    if len(words) != 1:
        raise TemplateError(f"bad condition {expr!r}")
    return bool(lookup(words[0], context))


def _block(parts, start, opener, closer):
    """Index of the tag that closes the block opened just before ``start``."""
    depth = 1
    for i in range(start, len(parts)):
        word = _word(parts[i])
        if word == opener:
            depth += 1
        elif word == closer:
            depth -= 1
            if depth == 0:
                return i
    raise TemplateError(f"missing {closer}")


def _word(part):
    if not part.startswith("{%"):
        return None
    words = part[2:-2].split()
    return words[0] if words else None


def _render(parts, context):
    out = []
    i = 0
    while i < len(parts):
        part = parts[i]
        if part.startswith("{{"):
            out.append(expand(part[2:-2], context))
        elif part.startswith("{%"):
            words = part[2:-2].split()
            if words[:1] == ["if"]:
                end = _block(parts, i + 1, "if", "endif")
                if truth(" ".join(words[1:]), context):
                    out.append(_render(parts[i + 1:end], context))
                i = end
            elif words[:1] == ["for"] and len(words) == 4 and words[2] == "in":
                end = _block(parts, i + 1, "for", "endfor")
                for item in lookup(words[3], context) or []:
                    out.append(_render(parts[i + 1:end], {**context, words[1]: item}))
                i = end
            else:
                raise TemplateError(f"unknown tag {part}")
        else:
            out.append(part)
        i += 1
    return "".join(out)


def render(template, context=None, **extra):
    return _render(TAG.split(template), {**(context or {}), **extra})
